package synth

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/query/cite"
	"github.com/neorag/neorag/internal/query/rank"
	"github.com/neorag/neorag/internal/stage/report"
	"github.com/neorag/neorag/internal/text"
	"github.com/neorag/neorag/internal/text/tokens"
	"github.com/neorag/neorag/prompts"
)

// A Reading is a window of blocks with the points that a model found in them.
type Reading struct {
	Answer string // of the model, as JSON; without a model empty
	Blocks []Block

	prompt windowPrompt
	most   int // of the points that are read, the best ones; 0 for all
}

// Points returns the points of a reading, best first, without citations.
func (r Reading) Points() []string {
	found, _ := r.points(&report.Numbers{})
	slices.SortStableFunc(found, func(a, b point) int { return cmp.Compare(b.score, a.score) })
	out := make([]string, len(found))
	for i, p := range found {
		out[i] = cite.StripNumbers(p.text)
	}
	return out
}

// points returns the points of a reading that help, with their citations checked. removed counts
// citations that were not offered.
func (r Reading) points(numbers *report.Numbers) (found []point, removed int) {
	return checkPoints(r.Answer, r.prompt.offered, numbers, r.most)
}

// Read asks a model for the points in blocks, with the prompt of the call, which may ask
// for more. c.Valid checks the answer, except for the points, which Read checks. Read
// sets the values of the prompt for the context and the kinds of its records.
func (g Generative) Read(ctx context.Context, c Call, blocks []Block) (Reading, error) {
	p, err := g.newWindowPrompt(blocks)
	if err != nil {
		return Reading{}, err
	}
	c.Values["context"] = p.text
	maps.Copy(c.Values, p.values)
	valid := c.Valid
	c.Valid = func(answer string) error {
		if _, err := parsePoints(answer); err != nil {
			return err
		}
		return valid(answer)
	}
	answer, err := g.Model.AskJSON(ctx, c)
	if err != nil {
		return Reading{}, err
	}
	return Reading{Answer: answer, Blocks: blocks, prompt: p}, nil
}

// Reduce writes an answer from the best points of all readings that fit into a
// window, each once. With citedOnly, points that cite nothing are left out. Notes say how many
// points were left out.
// Without points the draft is empty.
func (g Generative) Reduce(ctx context.Context, r Request, readings []Reading, citedOnly bool) (Draft, error) {
	var d Draft
	var numbers report.Numbers
	var points []point
	var blocks []Block
	uncited := 0
	for _, reading := range readings {
		found, removed := reading.points(&numbers)
		d.Dangling += removed
		for _, p := range found {
			if citedOnly && !cite.HasNumbers(p.text) {
				uncited++
				continue
			}
			points = append(points, p)
		}
		blocks = append(blocks, reading.Blocks...)
	}
	if uncited > 0 {
		d.Notes = append(d.Notes, fmt.Sprintf("Of %d points, %d without a reference were left out.", uncited+len(points), uncited))
	}
	if len(points) == 0 {
		return d, nil
	}
	refs := numbers.List()
	points = dedupPoints(points)
	kept, err := packPoints(points, refs, r.ReduceTokens)
	if err != nil {
		return Draft{}, err
	}
	if left := len(points) - len(kept); left > 0 {
		d.Notes = append(d.Notes, fmt.Sprintf("The %d least helpful of %d points had no room in the prompt of the answer: ask with a larger --reduce-tokens.", left, len(points)))
	}
	values, err := g.kindValues(blocks)
	if err != nil {
		return Draft{}, err
	}
	values["question"], values["points"] = r.Question, strings.Join(kept, "\n\n")
	return g.write(ctx, r, d, generation{prompts.Reduce, values, cite.Offered(refs), blocks})
}

// packPoints returns the best points that fit into a number of tokens, each a line of a prompt, so
// that no part of a point looks like another one.
func packPoints(points []point, refs []graph.Reference, budget int) ([]string, error) {
	counter, err := tokens.Get("")
	if err != nil {
		return nil, err
	}
	lines := make([]string, len(points))
	counts := make([]int, len(points))
	for i, p := range points {
		lines[i] = fmt.Sprintf("Score %.0f: %s", p.score, cite.ToData(text.OneLine(p.text), refs))
		counts[i] = counter.Count(lines[i])
	}
	var kept []string
	for _, i := range rank.Pack(counts, budget).Kept {
		kept = append(kept, lines[i])
	}
	return kept, nil
}
