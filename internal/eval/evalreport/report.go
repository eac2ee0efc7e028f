// Package evalreport computes what an evaluation shows, from its folder: the tables of the papers
// with their statistics, costs, and what became better or worse since another evaluation. It reads
// the records alone, and calls no model.
package evalreport

import (
	"cmp"
	"slices"

	"github.com/neorag/neorag/internal/eval/evalrun"
)

// Options choose what is shown.
type Options struct {
	// All shows each condition. Otherwise, of conditions that only differ in the state of the
	// corpus, the model, the prompts or the version, the one that was added last is shown.
	All bool
	// Against is the condition that others are compared with in LightRAG's table, and whose win
	// rates are compared between evaluations; "" for the first one.
	Against string
}

// A Report is what an evaluation shows, as `eval report --json` prints it.
type Report struct {
	Questions  int             `json:"questions"`
	Conditions []Condition     `json:"conditions"`
	Against    string          `json:"against"` // name of the condition that others are compared with; empty without conditions
	Pairs      []ConditionPair `json:"pairs"`
	Accuracy   []Accuracy      `json:"accuracy"`
	Claims     []ClaimCount    `json:"claims"`
	Evidence   []Evidence      `json:"evidence"`
	Quoted     []Quoted        `json:"quoted"`    // evidence of answers, measured without a judge
	Retrieval  []Retrieval     `json:"retrieval"` // how searches rank the documents with the answers
	Costs      []Cost          `json:"costs"`
	Spent      []Spent         `json:"spent"` // what the records of the whole folder cost
	Agreement  []Agreement     `json:"agreement"`
	Failures   []Failure       `json:"failures"`

	notes []string // about conditions
	types []string // of questions
}

// A Failure is an error that kept cells from being made.
type Failure struct {
	Kind  string `json:"kind"` // name of a file of the folder
	Error string `json:"error"`
	Cells int    `json:"cells"`
}

// Make computes the report on a folder.
func Make(f *evalrun.Folder, o Options) (Report, error) {
	v := newView(f, o.All)
	against, err := v.against(o.Against)
	if err != nil {
		return Report{}, err
	}
	r := Report{
		Questions: len(v.questions), Conditions: list(v.conditions), Against: against, Pairs: list(v.pairs()), Accuracy: list(v.accuracies()), Claims: list(v.claims()),
		Evidence: list(v.evidence()), Quoted: list(v.quoted()), Retrieval: list(v.retrieval(o.Against)), Costs: list(v.costs()), Spent: list(v.spent()), Failures: list(v.failures()), notes: v.notes(), types: v.types(),
	}
	r.Agreement = list(v.agreements(r.Pairs, r.Claims))
	return r, nil
}

// list returns an empty slice for nil, which JSON shows as a list.
func list[T any](of []T) []T { return append([]T{}, of...) }

// failures counts the cells of the whole folder that failed, by kind and error.
func (v *view) failures() []Failure {
	counts := map[Failure]int{}
	for _, f := range v.folder.Failures() {
		counts[Failure{Kind: f.Kind, Error: f.Error}]++
	}
	var out []Failure
	for f, n := range counts {
		f.Cells = n
		out = append(out, f)
	}
	slices.SortFunc(out, func(a, b Failure) int { return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Error, b.Error)) })
	return out
}
