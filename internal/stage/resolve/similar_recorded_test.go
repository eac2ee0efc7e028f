package resolve_test

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/stage/resolve"
	"github.com/neorag/neorag/internal/testkit/testcorpora"
)

// recordedNames returns the names that a model wrote down of A Christmas Carol.
func recordedNames(t *testing.T) *resolve.Folder {
	t.Helper()
	f, err := os.Open(filepath.Join(testcorpora.Dir(t), "christmas-carol", "recorded-extraction.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	var names resolve.Folder
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<22)
	for lines.Scan() {
		var unit struct{ Entities []struct{ Name, Type string } }
		if err := json.Unmarshal(lines.Bytes(), &unit); err != nil {
			t.Fatal(err)
		}
		for _, e := range unit.Entities {
			names.Add([]string{e.Name}, []string{strings.ToLower(e.Type)}, nil, true)
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return &names
}

// TestCandidatesOfRecordedNames: of names that a model wrote down, few pairs are candidates, and those
// of the same persons are among them.
func TestCandidatesOfRecordedNames(t *testing.T) {
	t.Parallel()
	names := recordedNames(t)
	of := map[string][]string{}
	for n, group := range names.Fold(graph.NameDecisions{}) {
		of[group] = append(of[group], n)
	}
	var groups []resolve.Group
	for group, all := range of {
		groups = append(groups, resolve.Group{Name: group, Names: all, Type: names.Name(group).Type(), New: true})
	}
	got := resolve.Candidates(groups)
	t.Logf("%d candidates of %d entities", len(got), len(groups))
	if len(got) > len(groups)/4 {
		t.Errorf("%d candidates of %d entities, want at most a quarter", len(got), len(groups))
	}
	for _, want := range [][2]string{
		{"ebenezer scrooge", "scrooge"},
		{"mr. scrooge", "scrooge"},
		{"jacob marley", "marley"},
		{"mr. topper", "topper"},
		{"fezziwig", "mr. fezziwig"},
		{"tim", "tiny tim"},
		{"master peter", "peter cratchit"},
		{"dick", "dick wilkins"},
		{"ghost of christmas past", "the ghost of christmas past"},
	} {
		if !slices.Contains(got, want) {
			t.Errorf("%v is not among the candidates", want)
		}
	}
	names.Strict = true
	for n, group := range names.Fold(graph.NameDecisions{}) {
		if n != group && n != "marley" && !slices.Contains(of[group], n) {
			t.Errorf("the strict rules join %s with %s", n, group)
		}
	}
}
