package query

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/text/textproc"
)

// corrected returns the question with words that no document has replaced by words of the documents that
// are spelled nearly the same, and notes that say so. A model reads questions with such mistakes itself.
func (r Request) corrected(ctx context.Context) (question string, notes []string, err error) {
	suspects := textproc.Suspects(r.Text)
	if r.Options.Model != nil || len(suspects) == 0 {
		return r.Text, nil, nil
	}
	searches := make([]neo4jstore.SpellingSearch, len(suspects))
	for i, s := range suspects {
		searches[i] = neo4jstore.SpellingSearch{Term: textproc.Escape(s.Term), Similar: s.Lucene()}
	}
	missing := map[string]int{} // in how many corpora no passage has a term
	var found []neo4jstore.Spelling
	for _, c := range r.Reader.Corpora {
		rows, err := r.Reader.Store.Spellings(ctx, c.Name, searches)
		if errors.Is(err, neo4jstore.ErrNoCorpus) {
			return r.Text, nil, nil // the method says so
		}
		if err != nil {
			return "", nil, err
		}
		found = append(found, rows...)
		terms := map[string]bool{}
		for _, row := range rows {
			terms[row.Term] = true
		}
		for term := range terms {
			missing[term]++
		}
	}
	question = r.Text
	for i, s := range suspects {
		if missing[searches[i].Term] < len(r.Reader.Corpora) {
			continue
		}
		if word := meant(s, searches[i].Term, found); word != "" {
			question = strings.Replace(question, s.Word, word, 1)
			notes = append(notes, fmt.Sprintf(wordingOf(r.Text).spelled, s.Word, word))
		}
	}
	return question, notes, nil
}

// meant returns the word of the passages that was probably meant by a suspect: the one with the fewest
// edits, which most passages have; "" for none.
func meant(s textproc.Suspect, term string, passages []neo4jstore.Spelling) string {
	counts, words := map[string]int{}, map[string]string{}
	for _, p := range passages {
		if p.Term != term {
			continue
		}
		for _, t := range slices.Compact(slices.Sorted(strings.FieldsSeq(p.Terms))) {
			if _, ok := s.Matches(t); ok {
				words[t] = cmp.Or(words[t], textproc.WordOf(s.Word, p.Text, t))
				if s.IsLike(words[t]) {
					counts[t]++
				}
			}
		}
	}
	best := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		editsA, _ := s.Matches(a)
		editsB, _ := s.Matches(b)
		return cmp.Or(editsA-editsB, counts[b]-counts[a], strings.Compare(a, b))
	})
	if len(best) == 0 {
		return ""
	}
	return words[best[0]]
}
