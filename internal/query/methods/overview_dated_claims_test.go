package methods_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

// TestChangesByDatesOfClaims asks what changed in documents without dates: the answer has claims in the
// order of their dates, not of the documents, and none that is not a sentence about a year.
func TestChangesByDatesOfClaims(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var later, earlier strings.Builder
	for i := range 12 {
		to := &earlier
		if i >= 6 {
			to = &later
		}
		to.WriteString("In " + strconv.Itoa(1901+10*i) + " Clara Hale opened the " + strings.Fields("first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth")[i] + " hall of the Harbour Museum in Leeds. ")
	}
	for name, text := range map[string]string{
		"a.txt": later.String() + "\n\nClara Hale sees 1800 people there on Sundays in the Harbour Museum.",
		"b.txt": earlier.String() + "\n\nHarbour Museum (1955), Clara Hale, Leeds: halls 1955 12, 1956 14, 1957 15.",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	e := indexed(t, open(t), index.Options{Corpus: neo4jtest.Borrow(t, "index")}, dir)
	a := ask(t, e, query.Question{Text: "What changed over time?"})
	var dates []string
	for line := range strings.Lines(a.Answer) {
		if date, ok := strings.CutPrefix(line, "- **"); ok {
			dates = append(dates, date[:4])
		}
	}
	want := "1901 1911 1931 1941 1961 1971 1991 2001"
	if got := strings.Join(dates, " "); got != want || len(a.References) != 8 {
		t.Errorf("dates %s, want %s, with 8 references:\n%s", got, want, a.Answer)
	}
}
