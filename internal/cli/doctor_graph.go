package cli

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/text"
	"github.com/neorag/neorag/internal/ui/terminal"
)

// exampleRunes is the length of the name of an example.
const exampleRunes = 60

// graphFindings checks the graph of a corpus, and repairs it if that is asked for.
func graphFindings(ctx context.Context, env *environment, store *neo4jstore.Store, corpus string, o doctorOptions) ([]finding, error) {
	var result index.RepairResult
	var err error
	if o.repair {
		result, err = repairGraph(ctx, env, store, corpus, o.run)
	} else {
		result.Found, err = index.CheckGraph(ctx, store, corpus)
		result.Left = result.Found
	}
	if err != nil {
		return nil, err
	}
	name := "graph " + corpus
	if len(result.Found)+len(result.Left) == 0 {
		return []finding{{Check: name, OK: true, Corpus: corpus, Detail: "the graph is consistent"}}, nil
	}
	var out []finding
	for _, p := range result.Found {
		if !slices.ContainsFunc(result.Left, func(left index.Problem) bool { return left.Check == p.Check }) {
			out = append(out, finding{Check: name, OK: true, Corpus: corpus, Problem: &p, Repaired: true, Detail: "repaired: " + problemText(p)})
		}
	}
	for _, p := range result.Left {
		out = append(out, finding{Check: name, Corpus: corpus, Problem: &p, Detail: problemText(p), Hint: p.Advice})
	}
	return out, nil
}

func repairGraph(ctx context.Context, env *environment, store *neo4jstore.Store, corpus string, o index.Options) (index.RepairResult, error) {
	env.resumable.Store(true)
	o.Corpus, o.Logger, o.Observe = corpus, env.logger(), env.telemetry.Stage
	progress, update := newProgress(env)
	o.Progress = update
	defer progress.Close()
	indexer, err := index.New(store, o)
	if err != nil {
		return index.RepairResult{}, usageError(err)
	}
	return indexer.Repair(ctx)
}

// problemText says what is broken, how often, and names examples.
func problemText(p index.Problem) string {
	count := strconv.Itoa(p.Count)
	if p.More {
		count = "more than " + count
	}
	line := fmt.Sprintf("%s: %s %s", p.Check, count, p.Problem)
	if len(p.Examples) == 0 {
		return line
	}
	names := make([]string, len(p.Examples))
	for i, name := range p.Examples {
		names[i] = text.Shorten(terminal.OneLine(name), exampleRunes)
	}
	return line + ", such as " + strings.Join(names, "; ")
}
