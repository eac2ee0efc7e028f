package synth

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/query/rank"
	"github.com/neorag/neorag/internal/query/route"
	"github.com/neorag/neorag/internal/sys/parallel"
	"github.com/neorag/neorag/internal/text/textproc"
)

// Extractive answers without a model, by the sentences that are most relevant to
// the question.
type Extractive struct {
	Concurrency int // windows that are scored at the same time
}

var _ Synthesizer = Extractive{}

// MapReduce scores the sentences window by window, and answers with the best sentences of
// all windows.
func (x Extractive) MapReduce(ctx context.Context, r Request, blocks []Block) (Draft, error) {
	d := draftOf(blocks)
	windows := windowsOf(blocks, r.MapTokens)
	question := textproc.ReadQuestion(r.Question)
	scored, err := parallel.Map(ctx, x.Concurrency, windows, func(ctx context.Context, window []int) ([]Sentence, error) {
		var all []Sentence
		for _, at := range window {
			all = append(all, blocks[at].Sentences()...)
		}
		Score(question, all)
		return slices.DeleteFunc(all, func(s Sentence) bool { return s.Score <= 0 }), ctx.Err()
	})
	if err != nil {
		return Draft{}, fmt.Errorf("map: %w", err)
	}
	d.Items = Summarize(r, slices.Concat(scored...))
	return d, nil
}

// windowsOf packs blocks into windows of at most budget tokens, as places in blocks.
func windowsOf(blocks []Block, budget int) [][]int {
	tokens := make([]int, len(blocks))
	for i, b := range blocks {
		tokens[i] = b.Tokens
	}
	return rank.Windows(tokens, budget)
}

// Answer answers with the best sentences. For a question about the corpus as a whole the weight of
// their blocks decides; another one is a question for one fact.
func (Extractive) Answer(_ context.Context, r Request, blocks []Block) (Draft, error) {
	d := draftOf(blocks)
	q := textproc.ReadQuestion(r.Question)
	if !route.IsOverview(q) {
		if d.Items = items(answerFact(r, blocks)); len(d.Items) == 0 {
			d.Closest, d.Sections = closest(blocks)
		}
		return d, nil
	}
	var all []Sentence
	for i := range blocks {
		all = append(all, blocks[i].Sentences()...)
	}
	all = slices.DeleteFunc(all, func(s Sentence) bool { return textproc.IsTimeLine(s.Text) })
	Score(q, all)
	for i := range all {
		all[i].Score *= all[i].weight
	}
	d.Items = items(Select(all, r.AnswerTokens, maxPerTarget))
	return d, nil
}

// shownSections is how many headings of the closest source are shown.
const shownSections = 3

// closest returns the title of the first source and some of its headings, none if there is no source.
func closest(blocks []Block) (title string, sections []string) {
	for i := range blocks {
		b := &blocks[i]
		if b.Kind != graph.KindChunk {
			continue
		}
		for _, path := range b.Chunk.Place.Headings {
			section := strings.TrimSpace(path[strings.LastIndex(path, headingSeparator)+1:])
			if strings.Contains(path, headingSeparator) && len(sections) < shownSections && !slices.Contains(sections, section) {
				sections = append(sections, section)
			}
		}
		return b.Title, sections
	}
	return "", nil
}
