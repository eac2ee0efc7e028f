package neo4jstore

import (
	"context"
	"fmt"
	"strings"

	"github.com/neorag/neorag/internal/graph"
)

// Find finds nodes by key, local id, name or title, ignoring case. The name of a
// relationship is "one end — other end", the name of a community its label or the title of
// its report. It returns at most limit references, exact keys first.
func (s *Store) Find(ctx context.Context, corpus string, kind graph.Kind, name string, limit int) ([]graph.Reference, error) {
	statements := map[graph.Kind]typed[string]{
		graph.KindDocument: readFindDocument, graph.KindChunk: readFindKey.For(string(kind)),
		graph.KindEntity: readFindEntity, graph.KindRelationship: readFindRelationship,
		graph.KindClaim: readFindKey.For(string(kind)), graph.KindCommunity: readFindCommunity,
		graph.KindReport: readFindReport,
	}
	st, ok := statements[kind]
	if !ok {
		return nil, fmt.Errorf("find a %s: use document, chunk, entity, relationship, claim, community or report", kind)
	}
	name = strings.TrimSpace(name)
	folded := strings.ToLower(name)
	keys := []string{graph.Key(corpus, name), graph.Key(corpus, folded)}
	if strings.HasPrefix(name, graph.Key(corpus, "")) {
		keys = append(keys, name)
	}
	params := map[string]any{"keys": keys, "name": folded, "limit": limit}
	n := 0
	refs, err := rowsAs(ctx, s, st, corpus, params, func(key string) graph.Reference {
		n++
		return graph.Reference{N: n, Kind: kind, Key: key}
	})
	if err != nil {
		return nil, fmt.Errorf("find %s %q in corpus %s: %w", kind, name, corpus, err)
	}
	return refs, nil
}
