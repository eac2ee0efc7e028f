package index

import (
	"cmp"
	"context"

	"github.com/neorag/neorag/internal/stage/extract"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/prompts"
)

// stages turns what was gathered into calls and tokens of each stage.
func (e *estimator) stages(ctx context.Context) ([]StageEstimate, error) {
	var out []StageEstimate
	reports, err := e.expectReports(ctx)
	if err != nil {
		return nil, err
	}
	if e.Model != nil {
		out = append(out, e.estimateExtract())
		if e.asksNames() {
			names, err := e.estimateNames(ctx)
			if err != nil {
				return nil, err
			}
			out = append(out, names)
		}
		out = append(out, e.estimateDescribe(), e.estimateReport(reports))
		if e.has(neo4jstore.ArtifactQueries) {
			out = append(out, e.estimateQueries())
		}
	}
	if _, ok := e.Embedder.(*ModelEmbedder); ok {
		embed, err := e.estimateEmbed(ctx, reports.all)
		if err != nil {
			return nil, err
		}
		out = append(out, embed)
	}
	return out, e.err
}

// promptTokens counts the tokens of prompts without their values.
func (e *estimator) promptTokens(names ...string) int {
	n := 0
	for _, name := range names {
		p, err := e.Model.Prompts.Get(name)
		if err != nil {
			e.err = cmp.Or(e.err, err)
			return 0
		}
		system, user := p.Render(nil)
		n += e.counter.Count(system) + e.counter.Count(user)
	}
	return n
}

// estimateExtract assumes that each gleaning asks once more for the whole chunk, and finds
// an eighth of the records; gleanings of claims find nothing.
func (e *estimator) estimateExtract() StageEstimate {
	s := StageEstimate{Name: "extract"}
	m := e.extractor
	ask, list, step := e.promptTokens(prompts.GleanAsk, prompts.Glean), e.promptTokens(prompts.GleanList), e.promptTokens(prompts.ClaimsStep)
	add := func(prompt, format string, more, answer, rounds, found int) {
		n, round := int64(e.chunks), int64(e.chunks)*int64(e.promptTokens(prompt, format)+more)+int64(e.chunkTokens)
		asked, calls := int64(list), int64(1)
		if m.Gleaning == extract.GleanAsk {
			asked, calls = int64(ask), 1+int64(found)
		}
		gleanings := int64(rounds)
		s.Calls += n * (1 + gleanings*calls)
		s.TokensIn += round + gleanings*calls*(round+int64(answer)) + gleanings*n*asked
		s.TokensOut += int64(answer) + gleanings*(int64(found*answer/8)+emptyAnswer*n)
	}
	rounds := m.Rounds()
	if m.ClaimMode() == extract.ClaimsJoint {
		add(prompts.Extract, prompts.JointJSON, step, e.entityTokens+e.claimTokens, rounds, 1)
		return s
	}
	if m.ClaimMode() == extract.ClaimsSeparate {
		add(prompts.Claims, prompts.ClaimsJSON, step, e.claimTokens, min(rounds, 1), 0)
	}
	add(prompts.Extract, prompts.FormatJSON, 0, e.entityTokens, rounds, 1)
	return s
}

// emptyAnswer is the number of tokens of an answer without records.
const emptyAnswer = 10

// estimateDescribe assumes one call for each entity or relationship whose descriptions
// exceed the limits.
func (e *estimator) estimateDescribe() StageEstimate {
	s := StageEstimate{Name: "describe"}
	size := e.promptTokens(prompts.Summarise)
	o := e.Resolve.Limits()
	tokens := 0
	for _, n := range e.nodes {
		if len(n.seen) > o.MaxFragments || n.tokens > o.MaxTokens {
			s.Calls++
			tokens += min(n.tokens, n.tokens*o.MaxDescriptions/max(1, len(n.seen)))
		}
	}
	if len(e.nodes) > 0 || e.changed["describe"] != "" || e.marks["describe"] > 0 {
		// Of the nodes in the graph the same share as of the expected ones.
		share := 0.1
		if len(e.nodes) > 0 {
			share = float64(s.Calls) / float64(len(e.nodes))
		}
		existing := e.marks["describe"]
		if e.changed["describe"] != "" {
			existing = e.counts.Entities + e.counts.Relationships
		}
		extra := int64(share * float64(existing))
		if s.Calls > 0 {
			tokens += int(extra) * tokens / int(s.Calls)
		} else {
			tokens += int(extra) * o.MaxTokens
		}
		s.Calls += extra
	}
	s.TokensIn = s.Calls*int64(size) + int64(tokens)
	s.TokensOut = s.Calls * int64(min(o.MaxTokens, 120))
	return s
}

// estimateEmbed assumes batches of texts, with separate batches for each kind.
func (e *estimator) estimateEmbed(ctx context.Context, reports int) (StageEstimate, error) {
	s := StageEstimate{Name: "embed"}
	entities, relationships, tokens := 0, 0, e.newTokens
	limit := e.Resolve.Limits().MaxTokens
	for _, n := range e.nodes {
		if n.edge {
			relationships++
		} else {
			entities++
		}
		tokens += min(n.tokens, limit)
	}
	existing := e.marks["embed"]
	if e.changed["embed"] != "" {
		existing = e.counts.Chunks + e.counts.Entities + e.counts.Relationships + e.counts.Reports + e.counts.Sentences
	}
	sentences, sentenceTokens, err := e.expectedSentences(ctx)
	if err != nil {
		return s, err
	}
	names := e.expectedNames()
	tokens += sentenceTokens + nameTokens*names
	tokens += existing*100 + reports*400
	for _, n := range []int{e.newTexts, entities, relationships, reports, sentences, names, existing} {
		s.Calls += int64((n + embedBatch - 1) / embedBatch)
	}
	if pairs := e.expectedPairs(); pairs > 0 {
		texts := pairs + 2*e.queryChunks()
		s.Calls += int64((texts + embedBatch - 1) / embedBatch)
		tokens += pairs*pairTokens*3 + 2*e.queryChunkTokens()
	}
	byTokens := int64(tokens / 8000) // the most tokens of a batch
	s.Calls = max(s.Calls, byTokens)
	if s.Calls > 0 && e.Embedder.Dimension() == 0 && e.counts.Chunks == 0 {
		s.Calls++ // for the dimension
	}
	s.TokensIn = int64(tokens)
	return s, nil
}
