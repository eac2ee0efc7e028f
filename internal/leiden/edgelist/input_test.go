package edgelist_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/leiden/edgelist"
)

func TestFormats(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]edgelist.Format{
		"a.txt": edgelist.Whitespace, "A.TSV": edgelist.Tabs, "x/a.csv.gz": edgelist.Commas, "a.txt.GZ": edgelist.Whitespace, "-": edgelist.Auto, "a.edges": edgelist.Auto,
	} {
		if got := edgelist.FormatOf(name); got != want {
			t.Errorf("format of %s: got %q, want %q", name, got, want)
		}
	}
	if f, err := edgelist.ParseFormat("csv"); err != nil || f != edgelist.Commas {
		t.Errorf("csv: got %q, %v", f, err)
	}
	if _, err := edgelist.ParseFormat("xml"); err == nil {
		t.Error("xml: got no error")
	}
}

func TestBrokenGzip(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	for i := range 100_000 {
		_, _ = fmt.Fprintln(z, i, i*7919%100_003)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	whole := b.Bytes()
	for name, data := range map[string][]byte{"cut": whole[:len(whole)/2], "head only": {0x1f, 0x8b, 9}, "two bytes": {0x1f, 0x8b}} {
		if _, err := edgelist.Read(t.Context(), bytes.NewReader(data), edgelist.Options{Name: "list.gz"}); err == nil || !strings.Contains(err.Error(), "list.gz") {
			t.Errorf("%s: got error %v, want one that names the file", name, err)
		}
	}
}
