package index

import (
	"context"
	"slices"

	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// repairRounds bounds how often Repair checks and repairs: a repair can reveal damage
// that another one hid, and a check reads a limited number of rows.
const repairRounds = 4

// A RepairResult is what a repair found and what it left.
type RepairResult struct {
	Found  []Problem `json:"found"`
	Left   []Problem `json:"left"`
	Writes int64     `json:"writes"`
}

// Repair checks the graph, deletes orphaned nodes and edges, marks what is damaged, and
// runs the stages that rebuild it from the texts and mentions in the graph. It reads
// no document and calls no model: the stages run only for a corpus that was made without
// a model, with the same options. Otherwise the marks remain, and the next Run does the
// work. Left says what to do about each problem that remains.
func (x *Indexer) Repair(ctx context.Context) (RepairResult, error) {
	var out RepairResult
	corpus := x.requested.Corpus
	found, err := CheckGraph(ctx, x.store, corpus)
	if out.Found, out.Left = found, found; err != nil || len(found) == 0 {
		return out, err
	}
	o := newOutcome(x.requested)
	err = x.withWriter(ctx, func(ctx context.Context, writer *neo4jstore.Writer, _ bool) error {
		o.writer = writer
		// Before it had the lease, another run may have changed what the check saw.
		if out.Left, err = CheckGraph(ctx, x.store, corpus); err != nil || len(out.Left) == 0 {
			return err
		}
		for range repairRounds {
			before := out.Left
			again, err := x.repair(ctx, o, before)
			if err != nil {
				return err
			}
			if out.Left, err = CheckGraph(ctx, x.store, corpus); err != nil {
				return err
			}
			if len(out.Left) == 0 || !again || equalProblems(before, out.Left) {
				break
			}
		}
		r, err := x.plannedRun(ctx, o)
		if err != nil {
			return err
		}
		return r.recordRun(ctx)
	})
	out.Writes = o.finish().Writes
	if err != nil {
		return out, err
	}
	return out, x.advise(ctx, out.Left)
}

// equalProblems reports whether a repair changed nothing that the checks see.
func equalProblems(a, b []Problem) bool {
	return slices.EqualFunc(a, b, func(a, b Problem) bool { return a.Check == b.Check && a.Count == b.Count })
}

// repair marks what is damaged, and runs the stages if they need no model. It reports
// whether they ran.
func (x *Indexer) repair(ctx context.Context, o *outcome, problems []Problem) (ran bool, err error) {
	var d neo4jstore.Damage
	for _, p := range problems {
		if p.rule.repair != nil {
			p.rule.repair(x.requested.Corpus, p.rows, &d)
		}
	}
	if err := o.writer.Repair(ctx, &d); err != nil {
		return false, err
	}
	r, err := x.plannedRun(ctx, o)
	if err != nil || !r.makesAgain() {
		return false, err
	}
	return true, r.schedule(ctx, stageSpecs[1:])
}

// plannedRun returns a run over the documents in the graph.
func (x *Indexer) plannedRun(ctx context.Context, o *outcome) (*run, error) {
	c, err := x.store.Corpus(ctx, x.requested.Corpus)
	if err != nil {
		return nil, err
	}
	e, err := plan(x.requested, c)
	if err != nil {
		return nil, err
	}
	r := newRun(x.store, e, o)
	r.diff.corpus = c
	return r, nil
}

// makesAgain reports whether the stages would make the graph of the corpus as it was:
// without a model, and with the same options.
func (r *run) makesAgain() bool {
	c := r.diff.corpus
	return c.Mode == modeOffline && r.mode == modeOffline && len(r.settingsDiff(c)) == 0
}

// advise says for each problem that is left what to do.
func (x *Indexer) advise(ctx context.Context, left []Problem) error {
	if len(left) == 0 {
		return nil
	}
	r, err := x.plannedRun(ctx, nil)
	if err != nil {
		return err
	}
	c := r.diff.corpus
	for i := range left {
		switch p := &left[i]; {
		case p.Check == "incomplete" || p.Check == "order":
			p.Advice = "the documents are marked to be read again: " + adviceIndex
		case p.Check == "failed":
			p.Advice = "the reasons say what failed; when it is solved, " + adviceIndex
		case c.Mode != modeOffline:
			p.Advice = "it is marked, and a model regenerates it: " + adviceIndex
		case !r.makesAgain():
			p.Advice = "it is marked; this corpus was made with other options: " + adviceIndex
		default:
			p.Advice = "it cannot be repaired: `neorag remove --corpus " + c.Name + "`, then index again"
		}
	}
	return nil
}
