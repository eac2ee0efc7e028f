package query

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/stage/resolve"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/text/textproc"
)

// spelledOut returns the question with the full names of entities instead of abbreviations that no search by
// words finds, because they are stop words in small letters: ALL, IT, WHO. Notes say so.
func (r Request) spelledOut(ctx context.Context) (question string, notes []string, err error) {
	question = r.Text
	hidden := textproc.HiddenAbbreviations(question)
	if len(hidden) == 0 {
		return question, nil, nil
	}
	full := map[string][]string{} // names by abbreviation
	for _, c := range r.Reader.Corpora {
		found, err := r.Reader.Store.Abbreviated(ctx, c.Name, hidden)
		if errors.Is(err, neo4jstore.ErrNoCorpus) {
			return question, nil, nil // the method says so
		}
		if err != nil {
			return "", nil, err
		}
		for _, e := range found {
			for _, short := range hidden {
				full[short] = append(full[short], fullNames(e, short)...)
			}
		}
	}
	for _, short := range hidden {
		if names := full[short]; len(names) > 0 {
			question = textproc.ReplaceWord(question, short, names[0])
			notes = append(notes, fmt.Sprintf("“%s” was read as “%s”.", short, names[0]))
		}
	}
	return question, notes, nil
}

// fullNames returns the full names of an entity with an abbreviation, the most frequent first, none if it has
// no such name. An abbreviation of several names is a separate entity.
func fullNames(e neo4jstore.AbbreviatedEntity, short string) []string {
	names := append([]string{e.Name}, e.Aliases...)
	local := graph.Local(e.Key)
	switch {
	case !slices.Contains(names, short):
		return nil
	case local == resolve.Normalise(short):
		return resolve.FullForms(short, e.Same)
	}
	if at := slices.IndexFunc(names, func(n string) bool { return resolve.Normalise(n) == local }); at >= 0 {
		return names[at : at+1]
	}
	return []string{local}
}
