package neo4jstore

import "context"

// An AbbreviatedEntity is an entity with all its names. Same are the pairs of names that its mentions note.
type AbbreviatedEntity struct {
	Key, Name string
	Aliases   []string
	Same      []string
}

// Abbreviated reads the entities one of whose names is spelled like one of the given ones, in key order. It
// reads all entities of the corpus.
func (s *Store) Abbreviated(ctx context.Context, corpus string, names []string) ([]AbbreviatedEntity, error) {
	return rows(ctx, s, readAbbreviated, corpus, map[string]any{"names": names})
}
