package neobrowser

import (
	"archive/zip"
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestFavourites checks the folders of the archive and the first lines of its files, which
// the Browser shows as names.
func TestFavourites(t *testing.T) {
	body, err := favourites(corpus())
	if err != nil {
		t.Fatal(err)
	}
	r, err := zip.NewReader(bytes.NewReader(body), int64(len(body)))
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, f := range r.File {
		opened, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(opened)
		if err != nil {
			t.Fatal(err)
		}
		got[f.Name], _, _ = strings.Cut(string(text), "\n")
	}
	want := map[string]string{"Entities/card.cypher": "// Entities: the card of one", "Overview/counts.cypher": "// Overview: what the corpus holds"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
