package neobrowser

import (
	"archive/zip"
	"bytes"
	"fmt"
	"strings"
)

// favourites returns a ZIP archive that the Browser imports when it is dropped on the
// window: a folder becomes a folder of favourites, a file a favourite. The first line of
// a file is its name.
func favourites(c Corpus) ([]byte, error) {
	var body bytes.Buffer
	w := zip.NewWriter(&body)
	for _, q := range c.Queries {
		folder, name, _ := strings.Cut(q.Name, "/")
		f, err := w.Create(capitalize(folder) + "/" + name + ".cypher") // no time: the same corpus gives the same bytes
		if err != nil {
			return nil, fmt.Errorf("write favourite %s: %w", q.Name, err)
		}
		if _, err := f.Write([]byte(q.Text + "\n")); err != nil {
			return nil, fmt.Errorf("write favourite %s: %w", q.Name, err)
		}
	}
	if err := w.Close(); err != nil {
		return nil, fmt.Errorf("write favourites: %w", err)
	}
	return body.Bytes(), nil
}

// capitalize returns a word with its first letter, which is ASCII, in upper case.
func capitalize(word string) string {
	if word == "" {
		return ""
	}
	return strings.ToUpper(word[:1]) + word[1:]
}
