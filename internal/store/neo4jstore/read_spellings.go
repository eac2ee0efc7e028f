package neo4jstore

import "context"

// A SpellingSearch is a term of a question, with the Lucene query for terms that are spelled like it.
type SpellingSearch struct{ Term, Similar string }

// A Spelling is a passage with a term that is spelled like a term of a question.
type Spelling struct {
	Term  string // of the question, which no passage has
	Terms string // of the passage, separated by spaces
	Text  string // of its chunk
}

// spellingPassages is how many passages are read for a term.
const spellingPassages = 20

// Spellings returns passages with similar terms for each term that no passage of the corpus has.
func (s *Store) Spellings(ctx context.Context, corpus string, searches []SpellingSearch) ([]Spelling, error) {
	list := make([]map[string]any, len(searches))
	for i, search := range searches {
		list[i] = map[string]any{"term": search.Term, "similar": search.Similar}
	}
	found, err := rows(ctx, s, readSpellings, corpus, withIndexNames(corpus, map[string]any{"searches": list, "limit": spellingPassages}))
	return found, searchError(corpus, err)
}
