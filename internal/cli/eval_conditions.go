package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/eval/evalrun"
	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/query/synth"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// A labelled variant is a method with settings, and its short name in tables, "" for none.
type labelled struct {
	query.Variant

	label string
}

// conditionSets are conditions that papers compare, by the name for --conditions.
var conditionSets = map[string][][2]string{
	// GraphRAG, section 4.1.2. The prompts are the same for all six: points are noted first, also
	// of the chunks that a search found.
	"graphrag": {
		{"C0", "global level=0"},
		{"C1", "global level=1"},
		{"C2", "global level=2"},
		{"C3", "global level=3"},
		{"TS", "text"},
		{"SS", "basic:vectors map-reduce=true"},
	},
}

// withoutVectors replaces a variant of a set on a corpus without vectors of a model.
var withoutVectors = map[string]string{"basic:vectors map-reduce=true": "basic map-reduce=true"}

// parseVariants reads methods with settings, each once.
func parseVariants(texts []string) ([]labelled, error) {
	var out []labelled
	for _, text := range texts {
		v, err := query.ParseVariant(text)
		if err != nil {
			return nil, usage("--methods: %v", err)
		}
		if !slices.ContainsFunc(out, func(o labelled) bool { return variantName(o.Variant) == variantName(v) }) {
			out = append(out, labelled{Variant: v})
		}
	}
	return out, nil
}

func variantName(v query.Variant) string {
	return evalrun.Condition{Method: v.Method, Settings: v.Settings}.Variant()
}

// conditionSet returns the variants of a set.
func conditionSet(name string, vectors bool) ([]labelled, error) {
	var out []labelled
	for _, c := range conditionSets[name] {
		text := c[1]
		if other := withoutVectors[text]; other != "" && !vectors {
			text = other
		}
		v, err := query.ParseVariant(text)
		if err != nil {
			return nil, fmt.Errorf("conditions %s: %w", name, err)
		}
		out = append(out, labelled{v, c[0]})
	}
	return out, nil
}

// hasVectors reports whether all corpora can be searched by vectors of a model.
func hasVectors(ctx context.Context, store *neo4jstore.Store, m *models, corpora []string) (bool, error) {
	for _, name := range corpora {
		corpus, err := store.Corpus(ctx, name)
		if err != nil {
			return false, err
		}
		if m == nil || index.EmbedderModel(corpus.Embedder) == "" {
			return false, nil
		}
	}
	return true, nil
}

// conditionsOf returns the conditions under which variants answer now.
func conditionsOf(ctx context.Context, store *neo4jstore.Store, m *models, corpora []string, variants []labelled) ([]evalrun.Condition, error) {
	state, err := stateOf(ctx, store, corpora, func(neo4jstore.DocumentState) {})
	if err != nil {
		return nil, err
	}
	base, err := m.condition()
	if err != nil {
		return nil, err
	}
	base.Corpus, base.State = strings.Join(corpora, ","), state[:16]
	out := make([]evalrun.Condition, len(variants))
	for i, v := range variants {
		out[i] = base
		out[i].Method, out[i].Settings, out[i].Label = v.Method, v.Settings, v.label
	}
	return out, nil
}

// condition returns what all conditions have in common: the version, and models and prompts if
// there are any.
func (m *models) condition() (c evalrun.Condition, err error) {
	c.Version = currentBuild().name()
	if !m.hasChat() {
		return c, nil
	}
	c.Model, err = m.answering()
	c.Prompts = m.prompts.Fingerprint(query.PromptNames()...)
	return c, err
}

// answering names the models that answer questions.
func (m *models) answering() (string, error) {
	chats, err := m.chatsOf(queryUse.Tasks)
	if err != nil {
		return "", err
	}
	a, b := llm.Identity(chats[synth.TaskAnswer]), llm.Identity(chats[synth.TaskMap])
	if a == b {
		return a, nil
	}
	return a + ", " + b + " to read", nil
}

// selectConditions returns the conditions with some names: a label, a method with settings, or the
// first characters of a key. Without names it returns all with an answer.
func selectConditions(f *evalrun.Folder, names []string) ([]evalrun.Condition, error) {
	answered := map[string]bool{}
	for _, a := range f.Answers.All() {
		answered[a.Condition] = true
	}
	all := slices.DeleteFunc(f.Conditions.All(), func(c evalrun.Condition) bool { return !answered[c.Key()] })
	if len(names) == 0 {
		return all, nil
	}
	var out []evalrun.Condition
	for _, name := range names {
		found := slices.DeleteFunc(slices.Clone(all), func(c evalrun.Condition) bool {
			return c.Name() != name && c.Variant() != name && (len(name) < 6 || !strings.HasPrefix(c.Key(), name))
		})
		var known []string
		for _, c := range all {
			known = append(known, fmt.Sprintf("%s (%s)", c.Name(), c.Key()[:8]))
		}
		switch {
		case len(found) == 0:
			return nil, usage("no condition %q in this evaluation: choose from %s", name, strings.Join(known, ", "))
		case len(found) > 1:
			return nil, usage("several conditions are named %q: give the key of one, from %s", name, strings.Join(known, ", "))
		}
		if !slices.ContainsFunc(out, func(c evalrun.Condition) bool { return c.Key() == found[0].Key() }) {
			out = append(out, found[0])
		}
	}
	return out, nil
}

// shownNames returns the names of conditions, with a part of the key for those that share a name.
func shownNames(conditions []evalrun.Condition) map[string]string {
	count := map[string]int{}
	for _, c := range conditions {
		count[c.Name()]++
	}
	names := map[string]string{}
	for _, c := range conditions {
		name := c.Name()
		if count[name] > 1 {
			name += " (" + c.Key()[:8] + ")"
		}
		names[c.Key()] = name
	}
	return names
}
