package source

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/testkit/testcorpora"
)

// TestGivenCases reads small files that once lost text, and compares what is read with a table that
// was checked by hand against the right values that come with the files.
func TestGivenCases(t *testing.T) {
	t.Parallel()
	listing, err := List(t.Context(), []string{filepath.Join(testcorpora.Dir(t), "cases", "documents")}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var table strings.Builder
	for _, f := range listing.Files {
		if base := filepath.Base(f.Path); base == "texts.md" || base == "mkpdf.py" {
			continue // they describe the others
		}
		fmt.Fprintf(&table, "# %s\n", f.URI)
		n := 0
		failures, err := Documents(t.Context(), f, Options{}, func(d graph.Document) error {
			if n++; n < 4 {
				fmt.Fprintf(&table, "%q %q\n", d.Title, d.Text)
			}
			return nil
		})
		if n > 3 {
			fmt.Fprintf(&table, "%d documents\n", n)
		}
		if err := errors.Join(err, JoinFailures(failures)); err != nil {
			fmt.Fprintf(&table, "FAIL %v\n", err)
		}
	}
	fmt.Fprintln(&table, SkippedNote(listing.Skipped))
	golden := filepath.Join("testdata", "given_cases.txt")
	if os.Getenv("NEORAG_UPDATE") == "1" {
		if err := os.WriteFile(golden, []byte(table.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), table.String()); diff != "" {
		t.Errorf("run with NEORAG_UPDATE=1 (-want +got):\n%s", diff)
	}
}
