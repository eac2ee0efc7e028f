package neobrowser

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/view/communitycolor"
)

// rule matches a rule for nodes: its label and its colour.
var rule = regexp.MustCompile(`(?m)^node\.(\S+) \{.*?\bcolor: (#[0-9A-F]{6});.*\}$`)

// rules returns the labels of a sheet in their order, and their colours.
func rules(sheet string) (labels []string, colors map[string]string) {
	colors = map[string]string{}
	for _, m := range rule.FindAllStringSubmatch(sheet, -1) {
		labels = append(labels, m[1])
		colors[m[1]] = m[2]
	}
	return labels, colors
}

// TestSheets checks what the Browser requires: one rule for a label, the rules that
// matter last, and a rule for every label, because it colours others itself unless its
// twelve colours are used up.
func TestSheets(t *testing.T) {
	c, grey := corpus(), communitycolor.None.Hex()
	root, split := communitycolor.Root(0), communitycolor.Root(0).Child(1, 1)
	tests := []struct {
		name, sheet string
		last        []string
		colors      map[string]string
	}{
		{"types", typeSheet(c), []string{"Event", "Person"}, map[string]string{"Event": communitycolor.Root(0).Hex(), "Person": communitycolor.Root(1).Hex(), "C0_0": grey, "Entity": grey}},
		{"evidence", evidenceSheet(c), []string{"C1_0", "C1_1"}, map[string]string{"C0_0": grey, "Person": grey, "Entity": grey, "Report": communitycolor.Root(1).Hex()}},
		{"level 0", levelSheet(c, 0), []string{"C0_0", "C0_1"}, map[string]string{"C0_0": root.Hex(), "C0_1": communitycolor.Root(1).Hex(), "C1_1": grey, "Person": grey}},
		{"level 1", levelSheet(c, 1), []string{"C0_0", "C0_1", "C1_0", "C1_1"}, map[string]string{"C0_0": root.Hex(), "C1_1": split.Hex()}},
	}
	for _, tt := range tests {
		labels, colors := rules(tt.sheet)
		if n := len(slices.Compact(slices.Sorted(slices.Values(labels)))); n != len(labels) {
			t.Errorf("%s: a label has two rules: %v", tt.name, labels)
		}
		if !slices.Equal(labels[len(labels)-len(tt.last):], tt.last) {
			t.Errorf("%s ends with %v, want %v", tt.name, labels, tt.last)
		}
		for label, want := range tt.colors {
			if colors[label] != want {
				t.Errorf("%s: %s is %s, want %s", tt.name, label, colors[label], want)
			}
		}
		for _, label := range []string{"pad0", "pad11", "Entity", "Entity_news", "Chunk_news", "Report", "Community", "Query"} {
			if colors[label] == "" {
				t.Errorf("%s: %s has no colour", tt.name, label)
			}
		}
		if strings.Contains(tt.sheet, "//") || strings.Count(tt.sheet, "{") != strings.Count(tt.sheet, "}") {
			t.Errorf("%s: a comment, or a brace that is not closed:\n%s", tt.name, tt.sheet)
		}
	}
}

// TestHostileLabels checks that a label that the Browser would misread has no rule, and
// that the other rules stay the same.
func TestHostileLabels(t *testing.T) {
	c := corpus()
	clean := typeSheet(c)
	c.Types = append(c.Types, "Ship's", "x {color: #000000;}\nnode", "", "`", "a b")
	c.Communities = append(c.Communities, graph.Community{Key: "z", Level: 1, Ordinal: 2, Label: "C1'2"})
	dirty, _ := rules(typeSheet(c))
	want, _ := rules(clean)
	if diff := cmp.Diff(want, dirty); diff != "" {
		t.Errorf("labels (-clean +hostile):\n%s", diff)
	}
}

// TestDottedLabels checks that dots, which names of corpora and types may have, are escaped.
func TestDottedLabels(t *testing.T) {
	t.Parallel()
	c := corpus()
	c.Name, c.Types = "my-docs.v2", []string{"A.B"}
	labels, _ := rules(typeSheet(c))
	for _, want := range []string{`Entity_my-docs\.v2`, `A\.B`} {
		if !slices.Contains(labels, want) {
			t.Errorf("no rule for %s, only for %q", want, labels)
		}
	}
}
