package resolve

import (
	"slices"
	"testing"

	"github.com/neorag/neorag/internal/graph"
)

func TestSumSeesEveryField(t *testing.T) {
	t.Parallel()
	base := func() graph.Extraction {
		return graph.Extraction{
			Entities:      []graph.EntityRecord{{Name: "a", Type: "b", Description: "c"}},
			Relationships: []graph.RelationshipRecord{{Source: "a", Target: "b", Keywords: []string{"k", "l"}, Strength: 100}},
			Claims:        []graph.ClaimRecord{{Subject: "a", Description: "b"}},
		}
	}
	for name, change := range map[string]func(*graph.Extraction){
		"description":  func(x *graph.Extraction) { x.Entities[0].Description = "d" },
		"shifted":      func(x *graph.Extraction) { x.Entities[0] = graph.EntityRecord{Name: "ab", Description: "c"} },
		"strength":     func(x *graph.Extraction) { x.Relationships[0].Strength++ },
		"keyword":      func(x *graph.Extraction) { x.Relationships[0].Keywords[0] = "m" },
		"direction":    func(x *graph.Extraction) { x.Relationships[0].Source, x.Relationships[0].Target = "b", "a" },
		"claim status": func(x *graph.Extraction) { x.Claims[0].Status = "TRUE" },
		"repetition":   func(x *graph.Extraction) { x.Entities = append(x.Entities, x.Entities[0]) },
	} {
		x := base()
		change(&x)
		if Sum(x) == Sum(base()) {
			t.Errorf("%s does not change the sum", name)
		}
	}
	x := base()
	slices.Reverse(x.Relationships[0].Keywords)
	if Sum(x) != Sum(base()) {
		t.Error("the order of keywords changes the sum")
	}
}
