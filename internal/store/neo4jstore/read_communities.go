package neo4jstore

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/graph"
)

// Communities reads the communities that are valid in the generation, by level and
// ordinal. With members it also reads their members, sorted.
func (s *Store) Communities(ctx context.Context, corpus string, generation int64, members bool) ([]graph.Community, error) {
	communities, err := pageSpec[graph.Community]{
		statement: readCommunities, corpus: corpus, params: map[string]any{"generation": generation}, key: func(c graph.Community) string { return c.Key },
	}.all(ctx, s)
	slices.SortFunc(communities, func(a, b graph.Community) int {
		return cmp.Or(cmp.Compare(a.Level, b.Level), cmp.Compare(a.Ordinal, b.Ordinal), strings.Compare(a.Key, b.Key))
	})
	if err == nil && members {
		err = s.fillMembers(ctx, corpus, communities)
	}
	return communities, wrap(err, "read communities of corpus "+corpus)
}

// fillMembers reads the members of communities. The members of a community never
// change, because its key depends on them.
func (s *Store) fillMembers(ctx context.Context, corpus string, communities []graph.Community) error {
	place := make(map[string]int, len(communities))
	for i := range communities {
		place[communities[i].Key] = i
	}
	shared := map[string]string{} // an entity is a member of a community of every level
	return batches(communities, s.pageOf(writeRows), countRow, func(part []graph.Community) error {
		keys := make([]string, len(part))
		for i := range part {
			keys[i] = part[i].Key
		}
		return eachRow(ctx, s, readCommunityMembers, corpus, map[string]any{"keys": keys}, func(row communityMembersRow) {
			slices.Sort(row.Members)
			for i, key := range row.Members {
				if known, ok := shared[key]; ok {
					row.Members[i] = known
				} else {
					shared[key] = key
				}
			}
			communities[place[row.Key]].Members = row.Members
		})
	})
}
