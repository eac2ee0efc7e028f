package query

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/neorag/neorag/internal/config"
)

// A questionSetting is a field of a Question that affects answers. Package config defines its type,
// bounds and default.
type questionSetting struct {
	config.Key

	methods []string // that it affects; nil means all
	// set sets the field to a value that Key.Parse returned.
	set func(q *Question, value any) error
}

// chunkMethods rank chunks, and answer from the best.
var chunkMethods = []string{"basic", "d2q", "d2q--", "fused", "hyde", "linear", "mini", "ppr", "qcg", "rq"}

var questionSettings = []questionSetting{
	{of("level"), []string{"global", "local", "auto"}, setLevel},
	{of("dynamic"), []string{"global", "auto"}, to(func(q *Question) *bool { return &q.Dynamic })},
	{of("seed"), []string{"global", "text", "drift", "auto"}, converted(func(q *Question, n int) { q.Seed = uint64(n) })},
	{of("map_tokens"), append([]string{"global", "text", "drift", "auto"}, chunkMethods...), to(func(q *Question) *int { return &q.MapTokens })},
	{of("reduce_tokens"), nil, to(func(q *Question) *int { return &q.ReduceTokens })},
	{of("answer_tokens"), nil, to(func(q *Question) *int { return &q.AnswerTokens })},
	{mapReduce, chunkMethods, to(func(q *Question) *bool { return &q.MapReduce })},
	{of("max_calls"), []string{"global", "drift", "auto"}, to(func(q *Question) *int { return &q.MaxCalls })},
	{of("max_tokens"), []string{"drift", "light"}, to(func(q *Question) *int { return &q.MaxTokens })},
	{of("route"), []string{"auto"}, converted(func(q *Question, means string) { q.RouteByModel = means == "model" })},
	{of("mode"), []string{}, to(func(q *Question) *string { return &q.Mode })}, // a variant names it as in light:low
	{of("cite"), nil, converted(func(q *Question, what string) { q.CiteRecords = what == "records" })},
	{of("check_quotes"), nil, to(func(q *Question) *bool { return &q.CheckQuotes })},
	{of("no_sources"), []string{"light"}, to(func(q *Question) *bool { return &q.NoSources })},
	{of("passages"), []string{"hyde", "drift"}, to(func(q *Question) *int { return &q.Passages })},
	{of("budget"), []string{"lazy"}, to(func(q *Question) *int { return &q.Budget })},
	{of("pairs"), []string{"qcg"}, to(func(q *Question) *int { return &q.Pairs })},
	{of("gamma"), []string{"qcg"}, to(func(q *Question) *float64 { return &q.Gamma })},
	{of("hops"), []string{"qcg"}, converted(setHops)},
	{of("neighbours"), []string{"qcg"}, to(func(q *Question) *int { return &q.Neighbours })},
	{of("top"), []string{"qcg"}, to(func(q *Question) *int { return &q.TopChunks })},
	{of("node"), []string{"qcg"}, to(func(q *Question) *string { return &q.Node })},
	{of("spread"), []string{"local"}, to(func(q *Question) *bool { return &q.PageRank })},
	{of("diversity"), []string{"local"}, to(func(q *Question) *float64 { return &q.Diversity })},
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

func setHops(q *Question, n int) {
	q.Hops = n
	if n == 0 {
		q.Hops = -1 // none; 0 would mean the default
	}
}

// NewQuestion returns a question with the method and all else that the settings say.
func NewQuestion(settings *config.Config) (Question, error) {
	q := Question{Method: settings.Text("query.method")}
	for _, s := range questionSettings {
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
func (s questionSetting) flag() string {
	return strings.ReplaceAll(strings.TrimPrefix(s.Name, "query."), "_", "-")
}

func (s questionSetting) affects(method string) bool {
	return s.methods == nil || slices.Contains(s.methods, method)
}

// settingsOf returns the names of the settings that affect a method.
func settingsOf(method string) []string {
	var names []string
	for _, s := range questionSettings {
		if s.affects(method) {
			names = append(names, s.flag())
		}
	}
	return names
}

// read sets the field to a value of a variant, and returns the value as it is always written, ""
// for the default. A switch without a value is true.
func (s questionSetting) read(q *Question, text string) (string, error) {
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
