package evalimport_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/eval/evalimport"
)

const nested = `{"q": "Who?", "a.b": "dotted", "facts": {"title": ["A", "B"], "sent_id": [0, 1]}, "pairs": [["C", 0], ["D", 4]],
	"paragraphs": [{"title": "E", "is_supporting": true}, {"title": "F", "is_supporting": false}, {"title": "G", "is_supporting": true}],
	"by": {"10": {"n": "ten"}, "2": {"n": "two"}, "x": {"n": "ex"}}}`

func TestPath(t *testing.T) {
	t.Parallel()
	var v any
	if err := json.Unmarshal([]byte(nested), &v); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string][]any{
		"q":                                {"Who?"},
		`a\.b`:                             {"dotted"},
		"facts.title":                      {[]any{"A", "B"}},
		"facts.title.1":                    {"B"},
		"facts.title.2":                    nil,
		"pairs.*.0":                        {"C", "D"},
		"paragraphs.title":                 {"E", "F", "G"},
		"paragraphs.[is_supporting].title": {"E", "G"},
		"paragraphs.1.title":               {"F"},
		"by.*.n":                           {"two", "ten", "ex"},
		"by.10.n":                          {"ten"},
		"nothing":                          nil,
		"q.below":                          nil,
	} {
		p, err := evalimport.ParsePath(path)
		if err != nil {
			t.Errorf("%s: %v", path, err)
			continue
		}
		if diff := cmp.Diff(want, p.Values(v)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", path, diff)
		}
	}
	for _, path := range []string{"", ".", "a..b", "a.", ".a", strings.Repeat("a.", 40) + "a", strings.Repeat("a", 2000)} {
		if _, err := evalimport.ParsePath(path); err == nil {
			t.Errorf("path %.20q was accepted", path)
		}
	}
}

// FuzzPath: any path is refused or leads to values of any JSON, and is printed as it was given.
func FuzzPath(f *testing.F) {
	for _, path := range []string{"q", "facts.title.0", "pairs.*.0", "paragraphs.[is_supporting].title", `a\.b`, "*.*", "[]", `\`, "-1", "99999999999999999999"} {
		f.Add(path, nested)
	}
	f.Add("a", `[[[1]], {"a": null}, "a", 1e400]`)
	f.Fuzz(func(t *testing.T, path, body string) {
		p, err := evalimport.ParsePath(path)
		var v any
		if err != nil || json.Unmarshal([]byte(body), &v) != nil {
			return
		}
		if p.String() != path {
			t.Errorf("path %q is printed as %q", path, p)
		}
		if a, b := p.Values(v), p.Values(v); !cmp.Equal(a, b) {
			t.Errorf("path %q leads to %v, then to %v", path, a, b)
		}
	})
}
