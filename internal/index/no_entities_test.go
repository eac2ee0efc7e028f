package index_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

// TestNoEntities: a run notes that nothing was found in a language without rules, and notes nothing
// of English.
func TestNoEntities(t *testing.T) {
	t.Parallel()
	store := open(t, nil)
	for text, want := range map[string]bool{
		"นายกเทศมนตรีของเมืองไม่ได้บอกภรรยาของเขา เขาเดินไปที่ตลาดในตอนเช้า": true,
		"Yesterday Bob Cratchit walked to Camden Town with Tiny Tim.": false,
	} {
		folder := t.TempDir()
		if err := os.WriteFile(filepath.Join(folder, "a.txt"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		x, err := index.New(store, index.Options{Corpus: neo4jtest.Borrow(t, "index")})
		if err != nil {
			t.Fatal(err)
		}
		result, err := x.Run(t.Context(), []string{folder})
		if err != nil {
			t.Fatal(err)
		}
		got := slices.ContainsFunc(result.Notes, func(note string) bool { return strings.Contains(note, "no entities were found") })
		if got != want {
			t.Errorf("%q: notes %q", text, result.Notes)
		}
	}
}
