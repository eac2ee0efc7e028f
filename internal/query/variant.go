package query

import (
	"fmt"
	"slices"
	"strings"

	"github.com/neorag/neorag/prompts"
)

// A Variant is a method with settings, as an evaluation compares it with others.
type Variant struct {
	Method   string            // may have a mode or paths, as in light:low or basic:vectors
	Settings map[string]string // that differ from their defaults, by name; nil for none
	question Question
}

// ParseVariant reads a method and its settings, such as "global level=0" or "basic:vectors".
// The settings are the settings of `neorag query`, by the names of its flags. A setting that does not
// affect the method is an error.
func ParseVariant(text string) (Variant, error) {
	name, rest, _ := strings.Cut(strings.TrimSpace(text), " ")
	v := Variant{Method: name, question: Question{Method: name}.withVariant()}
	m, known := methods[v.question.Method]
	if !known {
		return v, fmt.Errorf("%w %q: choose one of %s", ErrUnknownMethod, name, strings.Join(MethodNames(), ", "))
	}
	if err := m.checkVariant(v.question, name); err != nil {
		return v, err
	}
	settings := m.settings()
	for part := range strings.FieldsSeq(rest) {
		key, value, _ := strings.Cut(part, "=")
		at := slices.IndexFunc(settings, func(s Setting) bool { return s.flag() == key })
		if at < 0 {
			return v, fmt.Errorf("setting %q of the method %s: choose from %s", key, m.Name, strings.Join(flagsOf(settings), ", "))
		}
		canonical, err := settings[at].read(&v.question, value)
		if err != nil {
			return v, fmt.Errorf("setting %s of the method %s: %w", key, m.Name, err)
		}
		if canonical == "" {
			continue
		}
		if v.Settings == nil {
			v.Settings = map[string]string{}
		}
		v.Settings[key] = canonical
	}
	return v, nil
}

// checkVariant returns an error if the method has no such mode or path.
func (m Method) checkVariant(q Question, name string) error {
	if q.Mode != "" && !slices.Contains(m.Modes, q.Mode) {
		return fmt.Errorf("%w %q: the method %s has no mode %q", ErrUnknownMethod, name, m.Name, q.Mode)
	}
	return m.checkPaths(q.Paths)
}

// Ask returns the question with the method and the settings of the variant.
func (v Variant) Ask(question string) Question {
	q := v.question
	q.Text = question
	return q
}

// sharedPrompts are the prompts that answers of more than one method depend on.
var sharedPrompts = []string{
	prompts.Map, prompts.Reduce, prompts.Answer, prompts.Local, prompts.Rewrite,
	prompts.CiteSentences, prompts.CiteRecords, prompts.CheckQuotes,
}

// PromptNames returns the names of the prompts that answers depend on.
func PromptNames() []string {
	names := slices.Clone(sharedPrompts)
	for _, m := range Methods() {
		names = append(names, m.Prompts...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}
