package index

import (
	"context"
	"slices"

	"github.com/neorag/neorag/internal/store/neo4jstore"
)

const (
	checkRows     = 10_000 // rows read of each check
	checkExamples = 3
)

// A Problem is a rule about the graph that does not hold, with what breaks it.
type Problem struct {
	Check    string   `json:"check"`          // name of the saved query, without its folder
	Problem  string   `json:"problem"`        // in words, to be read after the count
	Count    int      `json:"count"`          // nodes, edges or stages
	More     bool     `json:"more,omitempty"` // there are more than count
	Examples []string `json:"examples"`       // names of some of them
	Advice   string   `json:"advice"`         // what makes it good

	rule rule
	rows []neo4jstore.CheckRow
}

// A rule must hold for every corpus that is not being indexed. A saved query finds what
// breaks it. Saved checks without a rule, such as duplicates, show weak results and not
// damage.
type rule struct {
	check   string
	problem string
	example string // column that names what is broken
	// repair notes what to repair; nil where nothing can be.
	repair func(corpus string, rows []neo4jstore.CheckRow, d *neo4jstore.Damage)
}

// What a problem can be repaired with.
const (
	adviceRepair = "run `neorag doctor --graph --repair`"
	adviceIndex  = "run `neorag index PATH...` again, with the same paths and options"
)

// CheckGraph looks for damage in the graph of a corpus. It only reads. While a run
// writes the corpus, it may find what that run is about to complete.
func CheckGraph(ctx context.Context, store *neo4jstore.Store, corpus string) ([]Problem, error) {
	counts, err := store.Counts(ctx, corpus)
	if err != nil {
		return nil, err
	}
	c, err := store.Corpus(ctx, corpus)
	if err != nil {
		return nil, err
	}
	var found []Problem
	for _, r := range rules {
		p, err := r.find(ctx, store, c, counts.Reports > 0)
		if err != nil {
			return found, err
		}
		if p.Count > 0 {
			found = append(found, p)
		}
	}
	return found, nil
}

// find runs the check of a rule over the whole corpus.
func (r rule) find(ctx context.Context, store *neo4jstore.Store, c neo4jstore.Corpus, hasReports bool) (Problem, error) {
	p := Problem{Check: r.check, Problem: r.problem, Examples: []string{}, Advice: adviceRepair, rule: r}
	rows, err := store.RunCheck(ctx, c.Name, r.check, checkRows)
	if err != nil {
		return p, err
	}
	for _, row := range rows {
		if r.allows(row, c.Mode, hasReports) {
			continue
		}
		p.rows = append(p.rows, row)
		if name := row.Text(r.example); name != "" && len(p.Examples) < checkExamples && !slices.Contains(p.Examples, name) {
			p.Examples = append(p.Examples, name)
		}
	}
	p.Count, p.More = len(p.rows), len(rows) >= checkRows
	return p, nil
}

// allows reports whether the graph may have what a check found: a model may change the
// words that it quotes, or write a report whose references all had to be removed, and a
// corpus may be indexed without reports.
func (r rule) allows(row neo4jstore.CheckRow, mode string, hasReports bool) bool {
	switch r.check {
	case "pending":
		return row.Whole("pending") == 0 || !hasReports && row.Text("stage") == "report"
	case "quotes":
		return mode != modeOffline
	case "reports":
		return !hasReports || mode != modeOffline && row.Text("problem") == "cites nothing"
	}
	return false
}
