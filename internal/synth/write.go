package synth

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/neorag/neorag/internal/cite"
	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/report"
	"github.com/neorag/neorag/prompts"
)

// A generation is what a final text is written from.
type generation struct {
	prompt  string
	values  prompts.Values
	offered map[report.Local]string
	blocks  []Block
}

// write asks for the final text and checks its citations. A text that the model
// cut off is returned with a note; it is never cached.
func (g Generative) write(ctx context.Context, r Request, d Draft, from generation) (Draft, error) {
	p, err := g.Model.Prompts.Get(from.prompt)
	if err != nil {
		return Draft{}, err
	}
	stage := "answering"
	if from.prompt == prompts.Reduce {
		stage = "reducing"
	}
	r.progress(stage, 0, 0)
	system, user := p.Render(from.values)
	req := llm.Request{Task: TaskAnswer, Messages: []llm.Message{{Role: "system", Content: system}, {Role: "user", Content: user}}}
	var stream *cite.Stream
	if r.Stream != nil {
		stream = cite.NewStream(from.offered, r.Stream)
		req.Stream = stream.Write
		defer stream.Close()
	}
	res, err := g.Model.Answer.Chat(ctx, req)
	if cut, ok := errors.AsType[*llm.AnswerError](err); ok && errors.Is(err, llm.ErrTruncated) {
		// The text so far is paid for, and shown already where it is streamed.
		if stream != nil {
			stream.CutOff()
		}
		if res.Text = cite.TrimOpen(cut.Text); strings.TrimSpace(res.Text) != "" {
			err = nil
			d.Notes = append(d.Notes, "The model cut this answer off at its token limit, so its end is missing: ask a narrower question, or "+cut.Advice()+".")
		}
	}
	if err != nil {
		return Draft{}, fmt.Errorf("%s: %w", from.prompt, err)
	}
	return g.support(ctx, d, res.Text, from)
}

// support checks the citations of a final text and finds the statements behind them.
func (g Generative) support(ctx context.Context, d Draft, answer string, from generation) (Draft, error) {
	answer, numbers, removed := cite.CheckAnswer(answer, from.offered)
	refs := numbers.List()
	byKey := make(map[string]*Block, len(from.blocks))
	for i := range from.blocks {
		byKey[from.blocks[i].Key] = &from.blocks[i]
	}
	if err := g.readStatements(ctx, refs, byKey); err != nil {
		return Draft{}, err
	}
	d.Generated, d.Text, d.Dangling = true, answer, d.Dangling+removed
	d.Statements = cite.Supports(answer, refs, func(key string) (cite.Source, bool) {
		b, ok := byKey[key]
		if !ok {
			return cite.Source{}, false
		}
		return b.source(), true
	})
	return d, nil
}

// readStatements reads the statements of cited reports of which only the text was read.
func (g Generative) readStatements(ctx context.Context, refs []graph.Reference, byKey map[string]*Block) error {
	var unread []string
	for _, ref := range refs {
		if b := byKey[ref.Key]; b != nil && b.Kind == graph.KindReport && len(b.Statements()) == 0 {
			unread = append(unread, ref.Key)
		}
	}
	if len(unread) == 0 {
		return nil
	}
	reports, err := g.Reports.ReportTexts(ctx, unread)
	if err != nil {
		return err
	}
	for _, r := range reports {
		byKey[r.Key].statements = cite.ReportStatements(r)
	}
	return nil
}
