package query

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/neorag/neorag/internal/query/expand"
)

// A variantSetting is a field of a Question that affects answers, by the name of its flag.
type variantSetting struct {
	name     string
	methods  []string // that it affects; nil means all
	standard string   // the default, which a variant does not name; "" if it depends on the method
	// set sets the field and returns the value as it is always written.
	set func(q *Question, value string) (canonical string, err error)
}

// chunkMethods rank chunks, and answer from the best.
var chunkMethods = []string{"basic", "d2q", "d2q--", "fused", "hyde", "linear", "mini", "ppr", "qcg", "rq"}

var variantSettings = []variantSetting{
	{"level", []string{"global", "local", "auto"}, "2", setLevel},
	{"dynamic", []string{"global", "auto"}, "false", switched(func(q *Question) *bool { return &q.Dynamic })},
	{"seed", []string{"global", "text", "drift", "auto"}, "0", setSeed},
	{"map-tokens", append([]string{"global", "text", "drift", "auto"}, chunkMethods...), "8000", counted(1, maxSetting, func(q *Question) *int { return &q.MapTokens })},
	{"reduce-tokens", nil, "", counted(1, maxSetting, func(q *Question) *int { return &q.ReduceTokens })},
	{"answer-tokens", nil, "400", counted(1, maxSetting, func(q *Question) *int { return &q.AnswerTokens })},
	{"map-reduce", chunkMethods, "false", switched(func(q *Question) *bool { return &q.MapReduce })},
	{"max-calls", []string{"global", "drift", "auto"}, "", counted(1, maxSetting, func(q *Question) *int { return &q.MaxCalls })},
	{"max-tokens", []string{"drift", "light"}, "", counted(1, maxSetting, func(q *Question) *int { return &q.MaxTokens })},
	{"route", []string{"auto"}, "rules", setRoute},
	{"cite", nil, "sentences", setCite},
	{"check-quotes", nil, "false", switched(func(q *Question) *bool { return &q.CheckQuotes })},
	{"no-sources", []string{"light"}, "false", switched(func(q *Question) *bool { return &q.NoSources })},
	{"passages", []string{"hyde", "drift"}, "1", counted(1, expand.MaxPassages, func(q *Question) *int { return &q.Passages })},
	{"budget", []string{"lazy"}, "100", counted(1, maxSetting, func(q *Question) *int { return &q.Budget })},
	{"pairs", []string{"qcg"}, "", counted(1, maxSetting, func(q *Question) *int { return &q.Pairs })},
	{"gamma", []string{"qcg"}, "", number(0.01, 2, func(q *Question) *float64 { return &q.Gamma })},
	{"hops", []string{"qcg"}, "1", setHops},
	{"neighbours", []string{"qcg"}, "0", counted(0, maxSetting, func(q *Question) *int { return &q.Neighbours })},
	{"top", []string{"qcg"}, "5", counted(1, maxSetting, func(q *Question) *int { return &q.TopChunks })},
	{"node", []string{"qcg"}, "pair", setNode},
	{"spread", []string{"local"}, "false", switched(func(q *Question) *bool { return &q.PageRank })},
	{"diversity", []string{"local"}, "0", number(0, 1, func(q *Question) *float64 { return &q.Diversity })},
}

// maxSetting is the largest value of a count.
const maxSetting = 10_000_000

func (s variantSetting) affects(method string) bool {
	return s.methods == nil || slices.Contains(s.methods, method)
}

// settingsOf returns the names of the settings that affect a method.
func settingsOf(method string) []string {
	var names []string
	for _, s := range variantSettings {
		if s.affects(method) {
			names = append(names, s.name)
		}
	}
	return names
}

func setLevel(q *Question, value string) (string, error) {
	level, err := ParseLevel(value)
	if err == nil && !level.set {
		err = errors.New("give a level, such as level=0")
	}
	if err != nil {
		return "", err
	}
	q.Level = level
	if level.Number() == leafLevel {
		return "leaf", nil
	}
	return strconv.Itoa(level.Number()), nil
}

func setSeed(q *Question, value string) (_ string, err error) {
	if q.Seed, err = strconv.ParseUint(value, 10, 64); err != nil {
		return "", fmt.Errorf("%q is not a whole number from 0", value)
	}
	return strconv.FormatUint(q.Seed, 10), nil
}

func setRoute(q *Question, value string) (string, error) {
	q.RouteByModel = value == "model"
	return value, oneOf(value, "rules", "model")
}

func setCite(q *Question, value string) (string, error) {
	q.CiteRecords = value == "records"
	return value, oneOf(value, "sentences", "records")
}

func setNode(q *Question, value string) (string, error) {
	q.Node = value
	return value, oneOf(value, "pair", "query", "answer", "sentence")
}

func setHops(q *Question, value string) (string, error) {
	canonical, err := counted(0, 2, func(q *Question) *int { return &q.Hops })(q, value)
	if q.Hops == 0 {
		q.Hops = -1 // none; 0 would mean the default
	}
	return canonical, err
}

// counted returns what sets a field to a whole number from low to high.
func counted(low, high int, field func(*Question) *int) func(*Question, string) (string, error) {
	return func(q *Question, value string) (string, error) {
		n, err := strconv.Atoi(value)
		if err != nil || n < low || n > high {
			return "", fmt.Errorf("%q is not a whole number from %d to %d", value, low, high)
		}
		*field(q) = n
		return strconv.Itoa(n), nil
	}
}

// number returns what sets a field to a number from low to high.
func number(low, high float64, field func(*Question) *float64) func(*Question, string) (string, error) {
	return func(q *Question, value string) (string, error) {
		x, err := strconv.ParseFloat(value, 64)
		if err != nil || !(x >= low && x <= high) {
			return "", fmt.Errorf("%q is not a number from %g to %g", value, low, high)
		}
		*field(q) = x
		return strconv.FormatFloat(x, 'g', -1, 64), nil
	}
}

// switched returns what sets a field to true or false. A setting without a value is true.
func switched(field func(*Question) *bool) func(*Question, string) (string, error) {
	return func(q *Question, value string) (string, error) {
		*field(q) = value != "false"
		return strconv.FormatBool(value != "false"), oneOf(value, "true", "false", "")
	}
}

func oneOf(value string, allowed ...string) error {
	if !slices.Contains(allowed, value) {
		return fmt.Errorf("%q is not one of %v", value, allowed)
	}
	return nil
}
