package extract

import (
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/graph"
)

// keys of records, for comparison: letter case, white space, quotes and dashes do not count.

func entityName(r graph.EntityRecord) string { return foldText(r.Name) }

func pairNames(r graph.RelationshipRecord) string {
	a, b := foldText(r.Source), foldText(r.Target)
	return joinKey(min(a, b), max(a, b))
}

func claimQuote(r graph.ClaimRecord) string {
	return joinKey(foldText(r.Subject), foldText(r.Object), foldText(r.SourceText))
}

func joinKey(parts ...string) string { return strings.Join(parts, "\x1f") }

// addMissing adds the records of a later answer about the same text that the earlier ones
// lack, and reports whether there are any. An entity that has a record, a pair that has a
// relationship, and a claim with the same ends and quote are repeats, in whatever words.
func addMissing(to *graph.Extraction, more graph.Extraction) bool {
	entities := newIn(to.Entities, more.Entities, entityName)
	relationships := newIn(to.Relationships, more.Relationships, pairNames)
	claims := newIn(to.Claims, more.Claims, claimQuote)
	appendRecords(to, graph.Extraction{Entities: entities, Relationships: relationships, Claims: claims, Unread: more.Unread})
	return len(entities)+len(relationships)+len(claims) > 0
}

// newIn returns the records of more whose key no record of known has.
func newIn[T any](known, more []T, key func(T) string) []T {
	seen := map[string]bool{}
	for _, r := range known {
		seen[key(r)] = true
	}
	return slices.DeleteFunc(slices.Clone(more), func(r T) bool { return seen[key(r)] })
}

// removeRepeats leaves one of each group of records of a chunk that say the same in the same
// words, so that a relationship does not gain weight because a model repeats itself.
func removeRepeats(x *graph.Extraction) {
	x.Entities = distinct(x.Entities, func(r graph.EntityRecord) string {
		return joinKey(entityName(r), foldText(r.Type), foldText(r.Description))
	})
	x.Relationships = distinct(x.Relationships, func(r graph.RelationshipRecord) string {
		return joinKey(pairNames(r), foldText(r.Description))
	})
	x.Claims = distinct(x.Claims, func(r graph.ClaimRecord) string {
		return joinKey(foldText(r.Subject), foldText(r.Object), foldText(r.Description))
	})
}

// distinct returns the first record of each key, in the same array.
func distinct[T any](records []T, key func(T) string) []T {
	seen := map[string]bool{}
	return slices.DeleteFunc(records, func(r T) bool {
		k := key(r)
		repeated := seen[k]
		seen[k] = true
		return repeated
	})
}
