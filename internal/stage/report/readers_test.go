package report

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/testkit/testcorpora"
)

// readersReport is a report that a reader wrote in the place of a model, with what it was asked.
type readersReport struct {
	prompt string
	text   string // title, summary and findings without references
}

var dataMark = regexp.MustCompile(`\[Data:[^\]]*\]`)

// readersReports reads the reports of a recording of calls.
func readersReports(t *testing.T, name string) (all []readersReport) {
	t.Helper()
	for _, call := range testcorpora.Calls(t, name) {
		if !strings.Contains(call.Answer, `"findings"`) {
			continue
		}
		a, err := parseAnswer(call.Answer)
		if err != nil {
			t.Fatalf("%v: %s", err, call.Answer)
		}
		parts := []string{a.title, a.summary}
		for _, f := range a.findings {
			parts = append(parts, f.Summary, f.Explanation)
		}
		all = append(all, readersReport{call.Prompt, dataMark.ReplaceAllString(strings.Join(parts, "\n"), "")})
	}
	return all
}

// ownWords are what reports are not to write of.
var ownWords = regexp.MustCompile(`(?i)\bthe (?:group|community|records?|report|entity|claim)\b`)

// TestReadersReports compares reports on the first stave that readers wrote by the prompt of now with
// those by the one before: words of ours in them, their length, and whether they name all members of
// a list of eight.
func TestReadersReports(t *testing.T) {
	t.Parallel()
	tiles := []string{"Cain", "Abel", "Pharaoh", "Sheba", "messenger", "Abraham", "Belshazzar", "Apostle"}
	figures := func(name string) (reports, leaks, long, lists, complete int) {
		for _, r := range readersReports(t, name) {
			reports++
			leaks += len(ownWords.FindAllString(r.text, -1))
			if len(strings.Fields(r.text)) > 440 {
				long++
			}
			listed, named := 0, 0
			for _, name := range tiles {
				if strings.Contains(r.prompt, name) {
					listed++
				}
				if strings.Contains(strings.ToLower(r.text), strings.ToLower(name)) {
					named++
				}
			}
			if listed == len(tiles) {
				lists++
				if named == listed {
					complete++
				}
			}
		}
		t.Logf("%s: %d reports, %d words such as \"the records\", %d longer than 440 words, %d of %d name all eight pictures", name, reports, leaks, long, complete, lists)
		return reports, leaks, long, lists, complete
	}
	_, before, _, _, _ := figures(filepath.Join("..", "..", "query", "cite", "testdata", "readers-calls.jsonl.gz"))
	reports, leaks, long, lists, complete := figures(filepath.Join("testdata", "readers-calls.jsonl.gz"))
	if before == 0 || leaks > 0 || long*10 > reports || lists == 0 || complete < lists {
		t.Errorf("%d words of ours where there were %d, %d of %d reports too long, %d of %d lists complete", leaks, before, long, reports, complete, lists)
	}
}
