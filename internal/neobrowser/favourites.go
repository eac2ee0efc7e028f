package neobrowser

import (
	"archive/zip"
	"bytes"
	"fmt"
	"strings"
)

// favourites is an archive that the Browser imports when it is dropped on the
// window: a folder becomes a folder of favourites, a file a favourite, whose
// name is its first line.
func favourites(c Corpus) ([]byte, error) {
	var body bytes.Buffer
	w := zip.NewWriter(&body)
	for _, q := range c.Queries {
		folder, name, _ := strings.Cut(q.Name, "/")
		f, err := w.Create(capital(folder) + "/" + name + ".cypher") // without a time, so that equal corpora give equal bytes
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

func capital(word string) string {
	if word == "" {
		return ""
	}
	return strings.ToUpper(word[:1]) + word[1:]
}
