package index

import (
	"context"
	"strings"

	"github.com/neorag/neorag/internal/community"
	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/leiden"
	"github.com/neorag/neorag/prompts"
)

// stages turns the forecast into calls and tokens.
func (f *estimator) stages(ctx context.Context) ([]StageEstimate, error) {
	var out []StageEstimate
	reports, contextTokens, err := f.expectedReports(ctx)
	if err != nil {
		return nil, err
	}
	if f.options.Model != nil {
		extract, err := f.estimateExtract()
		if err != nil {
			return nil, err
		}
		describe, err := f.estimateDescribe()
		if err != nil {
			return nil, err
		}
		report, err := f.estimateReport(reports, contextTokens)
		if err != nil {
			return nil, err
		}
		out = append(out, extract, describe, report)
	}
	if _, ok := f.options.Embedder.(*ModelEmbedder); ok {
		out = append(out, f.estimateEmbed(reports))
	}
	return out, nil
}

// promptTokens counts the tokens of prompts without their material, with their schemas.
func (f *estimator) promptTokens(names ...string) (int, error) {
	n := 0
	for _, name := range names {
		p, err := f.options.Model.Prompts.Get(name)
		if err != nil {
			return 0, err
		}
		system, user := p.Render(nil)
		n += f.counter.Count(system) + f.counter.Count(user)
	}
	return n, nil
}

// estimateExtract: a question, and where gleanings are allowed whether something was
// missed: taken to be yes for entities, no for claims.
func (f *estimator) estimateExtract() (StageEstimate, error) {
	s := StageEstimate{Name: "extract"}
	m := f.modelExtractor
	gleanings := int64(m.Rounds())
	n := int64(f.chunks)
	first, err := f.promptTokens(prompts.Extract, prompts.FormatJSON)
	if err != nil {
		return s, err
	}
	ask, err := f.promptTokens(prompts.GleanAsk)
	if err != nil {
		return s, err
	}
	more, err := f.promptTokens(prompts.Glean)
	if err != nil {
		return s, err
	}
	claims, err := f.promptTokens(prompts.Claims, prompts.ClaimsJSON)
	if err != nil {
		return s, err
	}
	text, answer := int64(f.chunkTokens), int64(f.entityTokens)
	s.Calls = n * (1 + 2*gleanings)
	s.TokensIn = (1+2*gleanings)*(n*int64(first)+text) + 2*gleanings*(answer+n*int64(ask)) + gleanings*n*int64(more)
	s.TokensOut = answer + gleanings*(n+answer/8)
	if !m.WithoutClaims {
		looks := min(gleanings, 1)
		s.Calls += n * (1 + looks)
		s.TokensIn += (1+looks)*(n*int64(claims)+text) + looks*(int64(f.claimTokens)+n*int64(ask))
		s.TokensOut += int64(f.claimTokens) + n*looks
	}
	return s, nil
}

// estimateDescribe: one call where the descriptions of an entity or relationship go
// beyond the limits.
func (f *estimator) estimateDescribe() (StageEstimate, error) {
	s := StageEstimate{Name: "describe"}
	size, err := f.promptTokens(prompts.Summarise)
	if err != nil {
		return s, err
	}
	o := f.options.Resolve.Limits()
	tokens := 0
	for _, n := range f.nodes {
		if len(n.seen) > o.MaxFragments || n.tokens > o.MaxTokens {
			s.Calls++
			tokens += min(n.tokens, n.tokens*o.MaxDescriptions/max(1, len(n.seen)))
		}
	}
	if len(f.nodes) > 0 || f.changed["describe"] != "" || f.marks["describe"] > 0 {
		// Those that are there already, by the share of what is foreseen.
		share := 0.1
		if len(f.nodes) > 0 {
			share = float64(s.Calls) / float64(len(f.nodes))
		}
		there := f.marks["describe"]
		if f.changed["describe"] != "" {
			there = f.counts.Entities + f.counts.Relationships
		}
		extra := int64(share * float64(there))
		if s.Calls > 0 {
			tokens += int(extra) * tokens / int(s.Calls)
		} else {
			tokens += int(extra) * o.MaxTokens
		}
		s.Calls += extra
	}
	s.TokensIn = s.Calls*int64(size) + int64(tokens)
	s.TokensOut = s.Calls * int64(min(o.MaxTokens, 120))
	return s, nil
}

// expectedReports counts the communities that the foreseen relationships form, and the
// tokens of all their contexts.
func (f *estimator) expectedReports(ctx context.Context) (n, contextTokens int, err error) {
	if f.options.WithoutReports {
		return 0, 0, nil
	}
	var keys []string
	for _, key := range sortedKeys(f.nodes) {
		if !f.nodes[key].edge {
			keys = append(keys, key)
		}
	}
	limit := f.options.Report.Limits().ContextTokens
	if len(f.edges) > 0 {
		found, err := f.communities(ctx, keys)
		if err != nil {
			return 0, 0, err
		}
		perEntity := 0
		for _, node := range f.nodes {
			perEntity += node.tokens + recordTokens
		}
		for _, k := range found {
			n++
			contextTokens += min(limit, len(k.Members)*perEntity/max(1, len(keys)))
		}
	}
	marked := f.marks["report"]
	if f.changed["report"] != "" || f.changed["cluster"] != "" {
		marked = f.counts.Communities
	}
	if f.counts.Communities > 0 {
		// Each entity that changes has its communities reported anew.
		marked = max(marked, min(f.counts.Communities, len(keys)))
		if n == 0 && marked > 0 {
			contextTokens = limit / 4
			return marked, contextTokens * marked, nil
		}
		contextTokens += contextTokens / max(1, n) * marked
		n += marked
	}
	return n, contextTokens, nil
}

func (f *estimator) communities(ctx context.Context, keys []string) ([]graph.Community, error) {
	snapshot, err := f.snapshot(keys) //nolint:contextcheck // it takes no time
	if err != nil {
		return nil, err
	}
	found, _, err := community.Detect(ctx, f.options.Corpus, snapshot, nil, f.options.Community)
	return found, err
}

// snapshot is the graph of the foreseen relationships.
func (f *estimator) snapshot(keys []string) (community.Snapshot, error) {
	place := make(map[string]uint32, len(keys))
	for i, key := range keys {
		place[key] = uint32(i)
	}
	b := leiden.NewBuilder(len(keys))
	pairs := map[string][2]string{}
	for pair := range f.edges {
		pairs[strings.Join(pair[:], "\x00")] = pair
	}
	for _, name := range sortedKeys(pairs) {
		pair := pairs[name]
		if err := b.Add(place[pair[0]], place[pair[1]], float64(f.edges[pair])); err != nil {
			return community.Snapshot{}, err
		}
	}
	g, err := b.Build()
	return community.Snapshot{Keys: keys, Graph: g}, err
}

func (f *estimator) estimateReport(reports, contextTokens int) (StageEstimate, error) {
	s := StageEstimate{Name: "report", Calls: int64(reports)}
	size, err := f.promptTokens(prompts.Report)
	if err != nil {
		return s, err
	}
	s.TokensIn = int64(reports*size + contextTokens)
	s.TokensOut = int64(reports * 400)
	return s, nil
}

// estimateEmbed: texts in batches; each kind begins a batch of its own.
func (f *estimator) estimateEmbed(reports int) StageEstimate {
	s := StageEstimate{Name: "embed"}
	entities, relationships, tokens := 0, 0, f.newTokens
	limit := f.options.Resolve.Limits().MaxTokens
	for _, n := range f.nodes {
		if n.edge {
			relationships++
		} else {
			entities++
		}
		tokens += min(n.tokens, limit)
	}
	there := f.marks["embed"]
	if f.changed["embed"] != "" {
		there = f.counts.Chunks + f.counts.Entities + f.counts.Relationships + f.counts.Reports
	}
	tokens += there*100 + reports*400
	for _, n := range []int{f.newTexts, entities, relationships, reports, there} {
		s.Calls += int64((n + embedBatch - 1) / embedBatch)
	}
	byTokens := int64(tokens / 8000) // a batch has as many at most
	s.Calls = max(s.Calls, byTokens)
	if s.Calls > 0 && f.options.Embedder.Dimension() == 0 && f.counts.Chunks == 0 {
		s.Calls++ // the dimension is asked for
	}
	s.TokensIn = int64(tokens)
	return s
}
