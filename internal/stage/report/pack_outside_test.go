package report

import (
	"fmt"
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/graph"
)

// TestPackOutside packs a community with seven relationships to other entities.
func TestPackOutside(t *testing.T) {
	t.Parallel()
	n := counter(t)
	in := Input{Community: graph.Community{Key: "t/k", Members: []string{entityKey(0), entityKey(1)}}, Relationships: []graph.Relationship{edge(0, 1, "They met.")}}
	for i := range 2 {
		in.Entities = append(in.Entities, graph.Entity{Key: entityKey(i), Name: fmt.Sprintf("Name %d", i), Type: "person", Description: "One of two."})
	}
	for i := range 7 {
		r := edge(0, 10+i, fmt.Sprintf("Link %d leads out.", i))
		r.Strength = 100 * (1 + i%4)
		in.Outside = append(in.Outside, r)
	}
	all := Pack(in, Options{FewOutside: true}, n)
	var got []string
	for _, r := range all.Records {
		if r.outside {
			got = append(got, strings.TrimSpace(r.Text))
		}
		if all.References[r.Local] != r.Key {
			t.Errorf("%v refers to %s, want %s", r.Local, all.References[r.Local], r.Key)
		}
	}
	want := "2|Name 0|Name 13|Link 3 leads out.\n3|Name 0|Name 12|Link 2 leads out.\n4|Name 0|Name 16|Link 6 leads out.\n5|Name 0|Name 15|Link 5 leads out.\n6|Name 0|Name 11|Link 1 leads out."
	if strings.Join(got, "\n") != want || !strings.HasSuffix(all.Text, "Relationships to others\n\nid|source|target|description\n"+want+"\n") {
		t.Errorf("got\n%s", all.Text)
	}
	for name, tt := range map[string]struct {
		change func(*graph.Relationship)
		at     int
		same   bool
	}{
		"a description that is shown":     {func(r *graph.Relationship) { r.Description = "Another." }, 6, false},
		"a description that is not shown": {func(r *graph.Relationship) { r.Description = "Another." }, 0, true},
		"one becomes stronger":            {func(r *graph.Relationship) { r.Strength = 900 }, 0, false},
		"a shown one stays where it is":   {func(r *graph.Relationship) { r.Strength = 450 }, 3, true},
	} {
		other := shuffled(in, 7)
		other.Outside = append([]graph.Relationship{}, in.Outside...)
		tt.change(&other.Outside[tt.at])
		c := Pack(other, Options{FewOutside: true}, n)
		if same := c.Fingerprint == all.Fingerprint && c.Reads == all.Reads; same != tt.same {
			t.Errorf("%s: the fingerprint is the same: %v", name, same)
		}
	}
	if c := Pack(in, Options{ContextTokens: 400}, n); strings.Count(c.Text, "leads out") != 1 || !strings.Contains(c.Text, "They met.") || c.Tokens > 400 {
		t.Errorf("a tenth of 400 tokens:\n%s", c.Text)
	}
	if c := Pack(in, Options{}, n); strings.Count(c.Text, "leads out") != 7 || strings.Contains(c.Text, "more") {
		t.Errorf("all of them:\n%s", c.Text)
	}
	for left, want := range map[int]string{1: "at least 1 more", 34: "at least 30 more"} {
		in.OutsideLeft = left
		if c := Pack(in, Options{}, n); !strings.Contains(c.Text, "Relationships to others ("+want+" are not shown)\n\nid|source|target|description\n2|") {
			t.Errorf("%d more:\n%s", left, c.Text)
		}
	}
	in.OutsideLeft = 0
	if c := Pack(in, Options{ContextTokens: 400}, n); !strings.Contains(c.Text, "(at least 6 more are not shown)") {
		t.Errorf("a tenth of 400 tokens:\n%s", c.Text)
	}
	in.Outside = nil
	if c := Pack(in, Options{}, n); strings.Contains(c.Text, "others") || c.Fingerprint == all.Fingerprint {
		t.Errorf("without relationships to others:\n%s", c.Text)
	}
}
