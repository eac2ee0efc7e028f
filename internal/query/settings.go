package query

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/neorag/neorag/internal/config"
)

// A Setting is a setting of questions that affects answers. Package config defines its type, bounds,
// default and flag.
type Setting struct {
	config.Key

	// set sets what it is about to a value that Key.Parse returned.
	set func(q *Question, value any) error
}

// shared are the settings of all methods: of those with methods, only the methods that name them as
// Method.Shared.
var shared = []struct {
	Setting

	all bool // it affects all methods
}{
	{Setting{of("level"), setLevel}, false},
	{Setting{of("seed"), converted(func(q *Question, n int) { q.Seed = uint64(n) })}, false},
	{Setting{of("map_tokens"), to(func(q *Question) *int { return &q.MapTokens })}, false},
	{Setting{of("reduce_tokens"), to(func(q *Question) *int { return &q.ReduceTokens })}, true},
	{Setting{of("answer_tokens"), to(func(q *Question) *int { return &q.AnswerTokens })}, true},
	{Setting{mapReduce, to(func(q *Question) *bool { return &q.MapReduce })}, false},
	{Setting{of("mode"), to(func(q *Question) *string { return &q.Mode })}, false}, // a variant names it as in light:low
	{Setting{of("cite"), converted(func(q *Question, what string) { q.CiteRecords = what == "records" })}, true},
	{Setting{of("check_quotes"), to(func(q *Question) *bool { return &q.CheckQuotes })}, true},
}

// mapReduce is only for evaluations.
var mapReduce = config.Key{Name: "map_reduce", Kind: config.Switch, Default: []string{"false"}}

// of returns the key query.NAME of the settings.
func of(name string) config.Key { return config.Find("query." + name).Key }

// to returns what sets a field to a value.
func to[T any](field func(*Question) *T) func(*Question, any) error {
	return converted(func(q *Question, value T) { *field(q) = value })
}

// converted returns what sets a field by a value of the setting's type.
func converted[T any](set func(*Question, T)) func(*Question, any) error {
	return func(q *Question, value any) error {
		set(q, value.(T))
		return nil
	}
}

func setLevel(q *Question, value any) (err error) {
	q.Level, err = ParseLevel(value.(string))
	return err
}

// OwnSetting returns a setting query.NAME of one method, which sets a field of the method's type
// Settings.
func OwnSetting[S, T any](method, name string, set func(*S, T)) Setting {
	return Setting{of(name), converted(func(q *Question, value T) {
		settings := SettingsOf[S](*q, method)
		set(&settings, value)
		q.SetOwn(method, settings)
	})}
}

// SetOwn sets the settings of a method: a value of the type Settings of its package.
func (q *Question) SetOwn(method string, settings any) {
	q.Own = maps.Clone(q.Own)
	if q.Own == nil {
		q.Own = map[string]any{}
	}
	q.Own[method] = settings
}

// SettingsOf returns the settings of a method, the zero value for its defaults.
func SettingsOf[S any](q Question, method string) S {
	settings, _ := q.Own[method].(S)
	return settings
}

// NewQuestion returns a question with the method and all else that the settings say.
func NewQuestion(settings *config.Config) (Question, error) {
	q := Question{Method: settings.Text("query.method")}
	var all []Setting
	for _, s := range shared {
		all = append(all, s.Setting)
	}
	for _, m := range Methods() {
		all = append(all, m.Settings...)
	}
	for _, s := range all {
		if s.Name == mapReduce.Name {
			continue
		}
		if value := settings.Parsed(s.Name); value != nil {
			if err := s.set(&q, value); err != nil {
				return q, err
			}
		}
	}
	return q, nil
}

// flag returns the name of the setting's flag, by which a variant names it.
func (s Setting) flag() string {
	return strings.ReplaceAll(strings.TrimPrefix(s.Name, "query."), "_", "-")
}

// settings returns the settings that affect the answers of a method, by name.
func (m Method) settings() []Setting {
	out := slices.Clone(m.Settings)
	for _, s := range shared {
		if s.all || slices.Contains(m.Shared, s.flag()) {
			out = append(out, s.Setting)
		}
	}
	slices.SortFunc(out, func(a, b Setting) int { return strings.Compare(a.flag(), b.flag()) })
	return out
}

// flagsOf returns the names of settings.
func flagsOf(settings []Setting) []string {
	names := make([]string, len(settings))
	for i, s := range settings {
		names[i] = s.flag()
	}
	return names
}

// read sets the field to a value of a variant, and returns the value as it is always written, ""
// for the default. A switch without a value is true.
func (s Setting) read(q *Question, text string) (string, error) {
	switch {
	case text == "" && s.Kind == config.Switch:
		text = "true"
	case text == "":
		return "", fmt.Errorf("give a value, as in %s=%s", s.flag(), cmp.Or(strings.Join(s.Default, ""), "1"))
	}
	value, err := s.Parse(text)
	if err != nil {
		return "", err
	}
	if err := s.set(q, value); err != nil {
		return "", err
	}
	canonical := fmt.Sprint(value)
	if s.Name == "query.level" {
		canonical = q.Level.canonical()
	}
	if canonical == strings.Join(s.Default, "") {
		canonical = ""
	}
	return canonical, nil
}

// canonical returns the level as a variant names it.
func (l Level) canonical() string {
	if l.Number() == leafLevel {
		return "leaf"
	}
	return strconv.Itoa(l.Number())
}
