package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/text"
)

// printIndex prints what a run did and what the corpus contains now.
func printIndex(ctx context.Context, env *environment, store *neo4jstore.Store, r index.Result) error {
	if env.json {
		return env.printJSON(r)
	}
	if r.Writes == 0 {
		env.printf("Nothing to do: %d documents are unchanged; nothing was written.\n", r.Documents.Unchanged)
	}
	printDone(env, r)
	status, err := readStatus(ctx, store, r.Corpus, statusOptions{})
	if errors.Is(err, neo4jstore.ErrNoCorpus) {
		return nil
	}
	if err != nil {
		env.note("The run is complete, but the counts of the corpus cannot be read: %s", text.FirstLine(err.Error()))
		return nil
	}
	status.Failed = slices.DeleteFunc(status.Failed, func(f FailedItem) bool { return f.Stage == "source" }) // the run named them
	status.Skipped = nil
	printStatus(env, status)
	return nil
}

// printDone prints what a run did, which is nothing if it had nothing to do.
func printDone(env *environment, r index.Result) {
	if d := r.Documents; r.Writes > 0 {
		env.printf("Documents: %d added, %d changed, %d moved, %d removed, %d unchanged, %d failed; %d writes in %.1f s\n",
			d.Added, d.Changed, d.Moved, d.Removed, d.Unchanged, d.Failed, r.Writes, r.Seconds)
	}
	if c := r.Communities; c != (index.CommunityCounts{}) {
		found := ""
		if c.Fresh && c.Kept+c.Changed+c.Gone > 0 {
			found = ", found as in a new corpus"
		}
		env.printf("Communities: %d kept, %d changed, %d new, %d gone%s; reports: %d kept, %d rewritten\n",
			c.Kept, c.Changed, c.New, c.Gone, found, r.Reports.Kept, r.Reports.Rewritten)
	} else if r.Reports.Rewritten > 0 {
		env.printf("Reports: %d kept, %d rewritten\n", r.Reports.Kept, r.Reports.Rewritten)
	}
	if c := r.Reports; c.DroppedFindings > 0 || c.DroppedReferences > 0 {
		env.printf("Left out of the model's reports: %d findings without room, %d references that are invalid, or beyond five in one citation\n", c.DroppedFindings, c.DroppedReferences)
	}
	printUsage(env, r)
}

// printUsage prints the model usage of a run, its failures and its notes.
func printUsage(env *environment, r index.Result) {
	if r.Calls > 0 {
		share := ""
		if s := r.Rebuild; s != nil {
			share = fmt.Sprintf("; about %.1f %% of the calls and %.1f %% of the tokens of a new corpus", 100*s.Calls, 100*s.Tokens)
		}
		env.printf("Models: %d calls, %d tokens in, %d tokens out%s%s\n", r.Calls, r.TokensIn, r.TokensOut, env.costText(r.Cost), share)
	}
	for _, f := range r.Failures {
		fmt.Fprintf(env.messages(), "failed: %s: %s: %s\n", f.Stage, f.Key, f.Reason)
	}
	for _, n := range r.Notes {
		if r.Stopped != "" && strings.HasPrefix(n, r.Stopped) {
			fmt.Fprintln(env.messages(), n) // even with --quiet: it explains the exit code 3
			continue
		}
		env.note("%s", n)
	}
}

// estimateIndex prints the model calls that a run would make and their cost.
func estimateIndex(ctx context.Context, env *environment, m *models, indexer *index.Indexer, paths []string) error {
	p, err := m.prices()
	if err != nil {
		return err
	}
	pricing, err := m.pricing()
	if err != nil {
		return err
	}
	e, err := indexer.Estimate(ctx, paths, p)
	if err != nil {
		return indexError(err)
	}
	e.PriceDate = env.priceDate
	if env.json {
		return env.printJSON(e)
	}
	d := e.Documents
	env.printf("Nothing was written and no model was called.\nDocuments: %d to add, %d changed, %d to remove, %d unchanged; %d chunks to extract\n", d.Added, d.Changed, d.Removed, d.Unchanged, e.Chunks)
	if e.Sentences > 0 {
		env.printf("Sentences: about %d to make\n", e.Sentences)
	}
	if e.Pairs > 0 {
		env.printf("Question-answer pairs: at most %d to make\n", e.Pairs)
	}
	if e.Names > 0 {
		env.printf("Synonyms: about %d names to embed\n", e.Names)
	}
	if len(e.Stages) > 0 {
		env.printf("%-9s %9s %12s %12s %11s %9s\n", "stage", "calls", "tokens in", "tokens out", "cost", "time")
	}
	for _, s := range e.Stages {
		env.printf("%-9s %9d %12d %12d %11.4f %9s\n", s.Name, s.Calls, s.TokensIn, s.TokensOut, s.Cost, wholeSeconds(s.Seconds))
	}
	env.printf("%-9s %9d %12d %12d %11.4f %9s\n", "all", e.Calls, e.TokensIn, e.TokensOut, e.Cost, wholeSeconds(e.Seconds))
	for _, n := range e.Notes {
		env.note("%s", n)
	}
	if e.Calls > 0 {
		pricing.note(env)
	}
	return nil
}

func wholeSeconds(s float64) string { return (time.Duration(s) * time.Second).String() }
