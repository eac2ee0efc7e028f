package report

import (
	"cmp"
	"slices"

	"github.com/neorag/neorag/internal/graph"
)

// maxProminent bounds the entities that a report has findings about.
const maxProminent = 12

// A rankedEntity is an entity with what makes it prominent in its community.
type rankedEntity struct {
	graph.Entity
	salience int // degree inside the community, lowered for concepts and unknown types
	weight   int // extracted records of its relationships inside
	child    int // index of its child community, or -1
}

// rankEntities returns the entities of a community, the most prominent first.
func (p *packer) rankEntities() []rankedEntity {
	weight := map[string]int{}
	for _, r := range p.relationships {
		weight[r.Source] += r.Weight
		weight[r.Target] += r.Weight
	}
	all := make([]rankedEntity, 0, len(p.entities))
	for _, e := range p.entities {
		factor := 10
		switch e.Type {
		case graph.TypeUnknown, "":
			factor = 5
		case "concept", "thing":
			factor = 7
		}
		all = append(all, rankedEntity{Entity: e, salience: p.degree[e.Key] * factor, weight: weight[e.Key], child: p.childAt(e.Key)})
	}
	slices.SortFunc(all, func(a, b rankedEntity) int {
		return cmp.Or(cmp.Compare(b.salience, a.salience), cmp.Compare(b.weight, a.weight), cmp.Compare(a.Key, b.Key))
	})
	return all
}
