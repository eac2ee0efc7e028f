package index

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/leiden"
	"github.com/neorag/neorag/internal/stage/community"
	"github.com/neorag/neorag/internal/stage/report"
	"github.com/neorag/neorag/prompts"
)

// expectedReports are the reports that a run is expected to have written.
type expectedReports struct {
	all    int // with those that are written without a model
	calls  int // to the model
	tokens int // of the contexts of these
	out    int // of the answers
}

// add adds the report of a community with a context of that many tokens.
func (r *expectedReports) add(e *estimator, members, tokens int) {
	r.all++
	if e.leavesOut(members) {
		return
	}
	limit := e.Report.Limits().ContextTokens
	r.calls, r.tokens = r.calls+1, r.tokens+min(limit, tokens)
	r.out += report.TypicalTokens(members, min(limit, tokens))
}

// expectReports predicts the reports of a run: of all communities in a new corpus, else of the
// communities that have changed entities.
func (e *estimator) expectReports(ctx context.Context) (expectedReports, error) {
	switch {
	case e.WithoutReports:
		return expectedReports{}, nil
	case e.counts.Communities > 0:
		return e.rewrittenReports(ctx)
	}
	return e.newReports(ctx)
}

// modelDensity is how many more reports a graph of a model has than a graph of the rules, which find
// fewer entities and relationships in the same text. It was chosen on the first half of the recorded
// answers that TestEstimateOfReports reads, which checks it on the second.
const modelDensity = 2.2

// newReports clusters the expected relationships, since the number of communities and their sizes
// depend on the structure of the graph.
func (e *estimator) newReports(ctx context.Context) (r expectedReports, err error) {
	if len(e.edges) == 0 {
		return r, nil
	}
	var keys []string
	for _, key := range sortedKeys(e.nodes) {
		if !e.nodes[key].edge {
			keys = append(keys, key)
		}
	}
	snapshot, err := e.snapshot(keys) //nolint:contextcheck // it takes no time
	if err != nil {
		return r, err
	}
	found, _, err := community.Detect(ctx, e.Corpus, snapshot, nil, e.Community)
	if err != nil {
		return r, err
	}
	sizes := e.contextSizes(found)
	for i, k := range found {
		r.add(e, len(k.Members), sizes[i])
	}
	if e.Model != nil {
		r = r.scaled(int(modelDensity * float64(r.all)))
	}
	return r, nil
}

// recordFrame is the number of tokens of a record in a context in addition to the tokens of its texts.
const recordFrame = 6

// contextSizes returns the tokens of the records of communities: their entities with their
// claims, and the relationships between these.
func (e *estimator) contextSizes(communities []graph.Community) []int {
	sizes := make([]int, len(communities))
	limit := e.Resolve.Limits().MaxTokens
	places := map[int]map[string]int{} // of the community of an entity, by level
	for i, k := range communities {
		if places[k.Level] == nil {
			places[k.Level] = map[string]int{}
		}
		for _, key := range k.Members {
			places[k.Level][key] = i
			sizes[i] += min(e.nodes[key].tokens, limit) + recordFrame + e.claimsOf[key]
		}
	}
	for _, n := range e.nodes {
		if !n.edge {
			continue
		}
		for _, at := range places {
			from, inside := at[n.ends[0]]
			if to, both := at[n.ends[1]]; inside && both && from == to {
				sizes[from] += min(n.tokens, limit) + e.nodes[n.ends[0]].name + e.nodes[n.ends[1]].name + recordFrame
			}
		}
	}
	return sizes
}

// rewrittenReports reads the communities that have changed or marked entities, and measures their
// contexts as they are before the run.
func (e *estimator) rewrittenReports(ctx context.Context) (r expectedReports, err error) {
	c, err := e.store.Corpus(ctx, e.Corpus)
	if err != nil {
		return r, err
	}
	all, err := e.store.Communities(ctx, e.Corpus, c.Generation, true)
	if err != nil {
		return r, fmt.Errorf("read communities: %w", err)
	}
	redone := e.changed["report"] != "" || e.changed["cluster"] != ""
	var changed []graph.Community
	known := map[string]bool{}
	for _, k := range all {
		isChanged := redone
		for _, key := range k.Members {
			known[key] = true
			isChanged = isChanged || e.nodes[key] != nil
		}
		if isChanged {
			changed = append(changed, k)
		}
	}
	if marked := min(e.marks["report"], len(all)); marked > len(changed) {
		changed = all[:marked] // which ones are marked matters less than how many
	}
	added := 0
	for key, n := range e.nodes {
		if !n.edge && !known[key] {
			added++
		}
	}
	if added == len(known)+added || len(changed) == 0 && len(e.edges) > 0 {
		return e.newReports(ctx) // what is new forms separate communities
	}
	reader := e.store.ReportReader(e.Corpus, c.Generation)
	for k, err := range reader.Contexts(ctx, sampled(changed)) {
		if err != nil {
			return r, fmt.Errorf("read report contexts: %w", err)
		}
		in := report.Input{Community: k.Community, Entities: k.Entities, Relationships: k.Relationships, Claims: k.Claims}
		for _, child := range k.Children {
			in.Children = append(in.Children, report.Child{Report: child.Report, Label: child.Label, Members: child.Members})
		}
		r.add(e, len(k.Community.Members), report.Pack(in, e.Report, e.counter).Tokens)
	}
	return r.scaled(len(changed)), nil
}

// maxSampled is how many communities are read to measure their contexts.
const maxSampled = 200

// sampled returns communities at equal distances, at most maxSampled. They are sorted by level.
func sampled(all []graph.Community) []graph.Community {
	if len(all) <= maxSampled {
		return all
	}
	out := make([]graph.Community, maxSampled)
	for i := range out {
		out[i] = all[i*len(all)/maxSampled]
	}
	return out
}

// scaled returns what is expected of n reports, of which r is a sample.
func (r expectedReports) scaled(n int) expectedReports {
	if r.all == 0 || r.all == n {
		return r
	}
	scale := func(x int) int { return x * n / r.all }
	return expectedReports{all: n, calls: scale(r.calls), tokens: scale(r.tokens), out: scale(r.out)}
}

// snapshot returns the graph of the expected relationships.
func (e *estimator) snapshot(keys []string) (community.Snapshot, error) {
	index := make(map[string]uint32, len(keys))
	for i, key := range keys {
		index[key] = uint32(i)
	}
	b := leiden.NewBuilder(len(keys))
	for _, pair := range slices.SortedFunc(maps.Keys(e.edges), func(a, b [2]string) int { return slices.Compare(a[:], b[:]) }) {
		if err := b.Add(index[pair[0]], index[pair[1]], float64(e.edges[pair])); err != nil {
			return community.Snapshot{}, err
		}
	}
	g, err := b.Build()
	return community.Snapshot{Keys: keys, Graph: g}, err
}

// estimateReport assumes one call for each report.
func (e *estimator) estimateReport(r expectedReports) StageEstimate {
	size := e.promptTokens(prompts.Report)
	return StageEstimate{Name: "report", Calls: int64(r.calls), TokensIn: int64(r.calls*size + r.tokens), TokensOut: int64(r.out)}
}
