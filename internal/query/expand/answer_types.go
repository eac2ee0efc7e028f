package expand

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/neorag/neorag/internal/text/textproc"
	"github.com/neorag/neorag/prompts"
)

// TaskAnswerTypes is the task by which calls that ask for the types of an answer are counted.
const TaskAnswerTypes = "answer-types"

const (
	// MaxEntities is how many entities of a question are searched for.
	MaxEntities = 5
	maxTypes    = 3
	entityBytes = 200
)

// An AnswerType is what a question asks about: the types of entities that may answer it, and
// the entities that it names (MiniRAG, section 3.2).
type AnswerType struct {
	Types    []string `json:"types"`    // of entities that may answer the question
	Entities []string `json:"entities"` // that the question names
	By       string   `json:"by"`       // model or rules
}

// AnswerTypes has a model choose at most three types of a pool, and name at most five entities
// of a question, by one call. Types that are not in the pool are left out.
func AnswerTypes(ctx context.Context, ask prompts.Asker, question string, pool []string) (AnswerType, error) {
	return prompts.Ask(ctx, ask, prompts.AnswerTypes, prompts.Values{"question": question, "types": strings.Join(pool, "\n")}, func(answer string) (AnswerType, error) { return parseAnswerTypes(answer, pool) })
}

func parseAnswerTypes(answer string, pool []string) (AnswerType, error) {
	var raw struct{ Types, Entities []string }
	if err := json.Unmarshal([]byte(answer), &raw); err != nil {
		return AnswerType{}, fmt.Errorf("the types are not of the form asked for: %w", err)
	}
	out := AnswerType{Types: []string{}, Entities: clean(raw.Entities, MaxEntities, entityBytes), By: "model"}
	for _, t := range clean(raw.Types, len(raw.Types), entityBytes) {
		if t = strings.ToLower(t); slices.Contains(pool, t) && len(out.Types) < maxTypes {
			out.Types = append(out.Types, t)
		}
	}
	return out, nil
}

// asked are the types that words of a question ask for.
var asked = map[string][]string{
	"who": {"person", "organization"}, "whose": {"person"}, "whom": {"person"},
	"where": {"location", "place", "city", "country"}, "when": {"date", "event"},
}

// AnswerTypesByRules chooses types of a pool without a model, by the first word of the question that
// gives any: a word such as "who" gives the types that it asks for, and the name of a type gives
// this type.
func AnswerTypesByRules(question string, pool []string) []string {
	for word := range strings.FieldsFuncSeq(strings.ToLower(question), func(r rune) bool { return !unicode.IsLetter(r) }) {
		out := []string{}
		for _, t := range pool {
			terms := textproc.Terms(word)
			if named := len(terms) > 0 && slices.Equal(terms, textproc.Terms(t)); (named || slices.Contains(asked[word], t)) && len(out) < maxTypes {
				out = append(out, t)
			}
		}
		if len(out) > 0 {
			return out
		}
	}
	return []string{}
}
