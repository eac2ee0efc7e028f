package retrieve

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/stage/resolve"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/text/textproc"
)

const (
	maxNameWords     = 5  // of a name that is looked up
	maxQuestionWords = 64 // that are searched for names
)

// A CandidateName is a run of words in a question that may name an entity.
type CandidateName struct {
	Key     string // of the entity
	Name    string // as written in the question
	capital bool   // it is written like a name
	typ     string // of the entity, once it was found
}

// A Name is an entity that a question names.
type Name struct {
	Text string   // as written in the question
	Type string   // of the entity
	Keys []string // of the entity, one in each corpus that has it
}

// CandidateNames returns the runs of words in a question that may name an
// entity, longer runs first, then in order. Runs without a term, such as "who
// is", are left out, unless they are abbreviations.
func CandidateNames(corpus, question string) []CandidateName {
	words, abbreviations := nameWords(question), textproc.HiddenAbbreviations(question)
	var out []CandidateName
	seen := map[string]bool{}
	for size := min(maxNameWords, len(words)); size > 0; size-- {
		for i := 0; i+size <= len(words); i++ {
			name := strings.Join(words[i:i+size], " ")
			if len(textproc.Terms(name)) == 0 && (size > 1 || !slices.Contains(abbreviations, name)) {
				continue
			}
			key := graph.EntityKey(corpus, resolve.Normalise(name))
			if seen[key] {
				continue
			}
			seen[key] = true
			out = append(out, CandidateName{Key: key, Name: name, capital: isName(words, i, size)})
		}
	}
	return out
}

// found returns the candidates that are names of entities, in the order of the candidates and each
// entity once, with the keys and types of the entities. One without an entity may be another name of
// an entity that was found by terms, or, if it is not written like a name, differ from one in number.
func (n Candidates) found(names []CandidateName) []CandidateName {
	entities, classes := map[string]neo4jstore.Hit{}, map[string]neo4jstore.Hit{}
	for _, h := range n.Hits.Entities {
		for _, alias := range n.Hits.Aliases[h.Key] {
			corpus, name := graph.CorpusOf(h.Key), resolve.Normalise(alias)
			key, class := graph.EntityKey(corpus, name), graph.Key(corpus, resolve.Class(name))
			if _, better := entities[key]; !better {
				entities[key] = h
			}
			if _, better := classes[class]; !better {
				classes[class] = h
			}
		}
	}
	for _, h := range n.Hits.Names {
		entities[h.Key] = h
	}
	var out []CandidateName
	for _, name := range names {
		h, ok := entities[name.Key]
		if !ok && !name.capital {
			h, ok = classes[graph.Key(graph.CorpusOf(name.Key), resolve.Class(graph.Local(name.Key)))]
		}
		if ok && !slices.ContainsFunc(out, func(o CandidateName) bool { return o.Key == h.Key }) {
			name.Key, name.typ = h.Key, h.Owner
			out = append(out, name)
		}
	}
	return out
}

// isName reports whether a run of words is written like a name: it begins with a
// capital, and not only because it opens the question, or it is an abbreviation.
func isName(words []string, at, size int) bool {
	first, _ := utf8.DecodeRuneInString(words[at])
	last, _ := utf8.DecodeRuneInString(words[at+size-1])
	return unicode.IsUpper(first) && unicode.IsUpper(last) && (at > 0 || size > 1 || len(words) == 1 || textproc.IsCapitals(words[at]))
}

// nameWords returns the words of a question without punctuation and possessive endings.
func nameWords(question string) []string {
	var words []string
	for field := range strings.FieldsSeq(question) {
		word := strings.TrimFunc(field, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		word = strings.TrimSuffix(strings.TrimSuffix(word, "'s"), "’s")
		if word != "" {
			words = append(words, word)
		}
		if len(words) == maxQuestionWords {
			break
		}
	}
	return words
}

// Names returns the entities of the graph that the question names with a capital
// letter, as written there. A name inside a longer one is left out.
func (n Candidates) Names() []Name { return distinctNames(n.named) }

// Topics returns the entities that the question names in small letters, as Names does.
func (n Candidates) Topics() []Name { return distinctNames(n.topics) }

func distinctNames(found []CandidateName) []Name {
	var out []Name
	for _, c := range found {
		if at := slices.IndexFunc(out, func(o Name) bool { return o.Text == c.Name }); at >= 0 {
			out[at].Keys = append(out[at].Keys, c.Key)
		} else if !slices.ContainsFunc(out, func(longer Name) bool { return strings.Contains(longer.Text, c.Name) }) {
			out = append(out, Name{c.Name, c.typ, []string{c.Key}})
		}
	}
	return out
}
