package report

import (
	"testing"

	"github.com/neorag/neorag/internal/graph"
)

func TestStaleness(t *testing.T) {
	t.Parallel()
	pack := func(change func(*Input)) Context {
		in := twoChildren()
		in.Children[0].Label, in.Children[1].Label = "C1_0", "C1_1"
		change(&in)
		return Pack(in, Options{}, counter(t))
	}
	before := pack(func(*Input) {})
	n := float64(len(before.Records))
	for name, tt := range map[string]struct {
		author   string
		change   func(*Input)
		low, top float64
	}{
		"nothing":        {"a", func(*Input) {}, 0, 0},
		"another author": {"b", func(*Input) {}, 1, 1},
		"another order": {"a", func(in *Input) {
			in.Relationships[0].Key, in.Relationships[1].Key = in.Relationships[1].Key, in.Relationships[0].Key
		}, 0, 1},
		"a description":  {"a", func(in *Input) { in.Entities[0].Description += " More." }, .01, .9},
		"one that comes": {"a", func(in *Input) { in.Claims = append(in.Claims, graph.Claim{Key: "t/c", Subject: entityKey(0)}) }, .01, .9},
		"one that goes":  {"a", func(in *Input) { in.Relationships = in.Relationships[1:] }, 1 / n, 1 / n},
	} {
		c := pack(tt.change)
		if d := c.Staleness(tt.author, before.Digests("a")); d < tt.low-1e-9 || d > tt.top+1e-9 {
			t.Errorf("%s: %v, want %v to %v", name, d, tt.low, tt.top)
		}
	}
	if d := before.Staleness("a", nil); d != 1 {
		t.Errorf("without digests: %v, want 1", d)
	}
}
