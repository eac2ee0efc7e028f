package index

import (
	"context"
	"maps"
	"slices"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/stage/resolve"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/prompts"
)

// Assumed tokens of a pair of names with their descriptions, and of the answer about it.
const (
	namePairTokens = 100
	namePairAnswer = 15
)

// addName adds a name that the pending chunks are expected to mention.
func (e *estimator) addName(m resolve.EntityMention) {
	name := graph.Local(m.Key)
	if _, known := e.names[name]; !known {
		e.names[name] = resolve.Group{Name: name, Names: []string{name}, Type: m.Types[0], New: true}
	}
}

// estimateNames assumes that the candidates are candidates among the expected names, and finds none by
// vectors.
func (e *estimator) estimateNames(ctx context.Context) (StageEstimate, error) {
	s := StageEstimate{Name: "derive"}
	groups, asked := maps.Clone(e.names), []graph.NamePair(nil)
	if e.counts.Entities > 0 {
		err := e.store.EntityAliases(ctx, e.Corpus, func(known neo4jstore.AliasedEntity) {
			name := graph.Local(known.Key)
			g := resolve.Group{Name: name, Type: known.Type, New: !isDerived(known) || e.changed[similarSetting] != ""}
			for _, n := range namesOf(known) {
				if n != "" && !slices.Contains(g.Names, n) {
					g.Names = append(g.Names, n)
				}
				delete(groups, n)
			}
			groups[name] = g
		})
		if err != nil {
			return s, err
		}
		if asked, err = e.store.NamePairs(ctx, e.Corpus); err != nil {
			return s, err
		}
	}
	all := slices.Collect(maps.Values(groups))
	pairs := undecided(resolve.Candidates(all), all, graph.NameDecisions{Asked: asked})
	size := e.promptTokens(prompts.SameNames)
	s.Calls = int64((len(pairs) + resolve.PairsPerCall - 1) / resolve.PairsPerCall)
	s.TokensIn, s.TokensOut = s.Calls*int64(size)+int64(len(pairs)*namePairTokens), int64(len(pairs)*namePairAnswer)
	return s, nil
}
