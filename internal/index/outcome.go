package index

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/stage/resolve"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/text"
)

// An outcome collects what a run did.
type outcome struct {
	requested Options
	start     time.Time
	writer    *neo4jstore.Writer // nil before the run has the lease
	dropped   resolve.Dropped    // records that the graph cannot hold

	mu     sync.Mutex // guards the result and the counts of stages
	result Result
}

func newOutcome(requested Options) *outcome {
	return &outcome{requested: requested, start: requested.Clock(), result: Result{Corpus: requested.Corpus, Run: requested.Owner}}
}

// takeDiff copies the counts and failures of documents into the result.
func (o *outcome) takeDiff(d runDiff) {
	o.result.Documents = d.counts
	o.result.Failures = slices.Clone(d.failures)
}

// addNote adds a note for people to the result.
func (o *outcome) addNote(format string, args ...any) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.result.Notes = append(o.result.Notes, fmt.Sprintf(format, args...))
}

// change changes the result while stages run.
func (o *outcome) change(change func(*Result)) {
	o.mu.Lock()
	defer o.mu.Unlock()
	change(&o.result)
}

// takeUsage copies the calls, tokens and cost of models so far into the result.
func (o *outcome) takeUsage() {
	u := o.requested.Meter.Total()
	o.result.Calls, o.result.TokensIn, o.result.TokensOut, o.result.Cost = u.Calls, u.TokensIn, u.TokensOut, u.Cost
}

// finish completes and returns the result: totals, notes about dropped records, the exit code.
func (o *outcome) finish() Result {
	res := &o.result
	res.Seconds = o.requested.Clock().Sub(o.start).Seconds()
	o.takeUsage()
	if o.writer != nil {
		res.Writes = o.writer.Counters().Total()
	}
	for _, d := range []struct {
		n    int
		what string
	}{
		{o.dropped.SelfLoops, "relationships of an entity with itself"},
		{o.dropped.LongNames, "records with names of more than " + strconv.Itoa(resolve.MaxNameRunes) + " characters"},
		{o.dropped.EmptyNames, "records without a name"},
	} {
		if d.n > 0 {
			o.addNote("%d %s were left out", d.n, d.what)
		}
	}
	if res.Failures == nil {
		res.Failures = []Failure{}
	}
	if res.Stages == nil {
		res.Stages = []StageResult{}
	}
	res.Exit = res.exit(o.requested.AllowFailures)
	return *res
}

// finishWithoutProbe returns the result of a run whose embedding model could not be probed.
func (o *outcome) finishWithoutProbe(err error) (Result, error) {
	o.finish()
	if errors.Is(err, llm.ErrBudget) {
		o.result.Stopped, o.result.Exit = text.FirstLine(err.Error()), ExitFailedParts
		o.addNote("%s; nothing was done", o.result.Stopped)
		err = nil
	}
	return o.result, err
}
