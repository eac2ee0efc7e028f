package evalreport

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/eval/evalrun"
	"github.com/neorag/neorag/internal/eval/score"
)

// ErrNoCondition means that no condition has the name that was given.
var ErrNoCondition = errors.New("no condition is named")

// A view is an evaluation as a report reads it: cells by condition and question.
type view struct {
	questions  []evalrun.Question
	conditions []Condition
	answers    [][]cell         // by condition and question
	places     map[string]place // by the key of an answer, also of one that is missing
	failed     map[string]bool  // keys of the cells that failed
	searches   []Condition      // of retrieval
	records    score.Records
	folder     *evalrun.Folder
}

// A place is the indexes of a condition and a question.
type place struct{ condition, question int }

// A cell is an answer that was made, failed or is missing.
type cell struct {
	key    string
	answer *evalrun.Answer // nil unless it was made
	failed bool
}

// asked reports whether an answer was made or failed.
func (c cell) asked() bool { return c.answer != nil || c.failed }

// A Condition is how questions were answered, with the number of answers.
type Condition struct {
	Name      string            `json:"name"` // different for each condition of a report
	Key       string            `json:"key"`
	Condition evalrun.Condition `json:"condition"`
	Answers   int               `json:"answers"`
	Failed    int               `json:"failed"`
	Missing   int               `json:"missing"` // questions that were not asked yet
	Older     int               `json:"older"`   // conditions of the same name and corpus that are not shown
}

// newView reads a folder. Of the conditions with the same name and corpus it shows the one that was
// added last, or all.
func newView(f *evalrun.Folder, all bool) *view {
	records := score.Read(f)
	v := &view{questions: records.Questions, places: map[string]place{}, failed: records.Failed, records: records, folder: f}
	answering := slices.DeleteFunc(f.Conditions.All(), func(c evalrun.Condition) bool { return c.Search })
	searching := slices.DeleteFunc(f.Conditions.All(), func(c evalrun.Condition) bool { return !c.Search })
	v.conditions, v.searches = chooseConditions(answering, all), chooseConditions(searching, all)
	for i := range v.conditions {
		c := &v.conditions[i]
		cells := make([]cell, len(v.questions))
		for j, q := range v.questions {
			key := evalrun.AnswerKey(c.Key, q.Key())
			v.places[key] = place{i, j}
			cells[j] = cell{key: key, failed: v.failed[key]}
			switch answer, ok := f.Answers.Get(key); {
			case ok:
				cells[j].answer = &answer
				c.Answers++
			case cells[j].failed:
				c.Failed++
			default:
				c.Missing++
			}
		}
		v.answers = append(v.answers, cells)
	}
	return v
}

// chooseConditions returns the conditions that are shown, in the order in which their names occur.
func chooseConditions(list []evalrun.Condition, all bool) []Condition {
	var order []string
	groups := map[string][]evalrun.Condition{}
	corpora := map[string]bool{}
	for _, c := range list {
		id := c.Name() + "\x00" + c.Corpus
		if groups[id] == nil {
			order = append(order, id)
		}
		groups[id] = append(groups[id], c)
		corpora[c.Corpus] = true
	}
	var out []Condition
	for _, id := range order {
		group := groups[id]
		shown := group
		if !all {
			shown = group[len(group)-1:]
		}
		for _, c := range shown {
			name := c.Name()
			var parts []string
			if len(corpora) > 1 {
				parts = append(parts, "corpus "+c.Corpus)
			}
			if all {
				parts = append(parts, differing(c, group)...)
			}
			if len(parts) > 0 {
				name += " (" + strings.Join(parts, ", ") + ")"
			}
			out = append(out, Condition{Name: name, Key: c.Key(), Condition: c, Older: len(group) - len(shown)})
		}
	}
	return out
}

// differing returns what distinguishes a condition from others of the same name and corpus.
func differing(c evalrun.Condition, group []evalrun.Condition) []string {
	var out []string
	for _, field := range []struct {
		name string
		of   func(evalrun.Condition) string
	}{
		{"", evalrun.Condition.Variant}, // of the same label
		{"state", func(c evalrun.Condition) string { return abbreviated(c.State) }},
		{"model", func(c evalrun.Condition) string { return c.Model }},
		{"prompts", func(c evalrun.Condition) string { return abbreviated(c.Prompts) }},
		{"version", func(c evalrun.Condition) string { return c.Version }},
	} {
		own := field.of(c)
		if slices.ContainsFunc(group, func(other evalrun.Condition) bool { return field.of(other) != own }) {
			out = append(out, strings.TrimSpace(field.name+" "+own))
		}
	}
	return out
}

// abbreviated returns the beginning of a fingerprint.
func abbreviated(fingerprint string) string { return fingerprint[:min(8, len(fingerprint))] }

// notes returns sentences about conditions that are incomplete or not shown.
func (v *view) notes() []string {
	var out []string
	for _, c := range v.conditions {
		if c.Failed > 0 || c.Missing > 0 {
			out = append(out, fmt.Sprintf("%s: of %d questions %d failed and %d are missing.", c.Name, len(v.questions), c.Failed, c.Missing))
		}
		out = append(out, notEmpty(c.olderNote())...)
	}
	return out
}

// olderNote is a sentence about the conditions that are not shown, "" without any.
func (c Condition) olderNote() string {
	if c.Older == 0 {
		return ""
	}
	return fmt.Sprintf("%s: %d older with another state of the corpus, model, prompts or version; --all shows each.", c.Name, c.Older)
}

// against returns the condition that others are compared with: the named one, or the first.
func (v *view) against(name string) (string, error) {
	if name == "" && len(v.conditions) > 0 {
		return v.conditions[0].Name, nil
	}
	if name == "" || len(v.conditions)+len(v.searches) == 0 {
		return "", nil
	}
	var names []string
	for _, c := range slices.Concat(v.conditions, v.searches) {
		if c.Name == name {
			return name, nil
		}
		if !slices.Contains(names, c.Name) {
			names = append(names, c.Name)
		}
	}
	return "", fmt.Errorf("%w %q; there are: %s", ErrNoCondition, name, strings.Join(names, ", "))
}
