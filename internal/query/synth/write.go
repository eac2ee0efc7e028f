package synth

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/query/cite"
	"github.com/neorag/neorag/internal/stage/report"
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
	req := llm.Request{Task: TaskAnswer, Messages: messages(p, from.values)}
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
			d.Notes = append(d.Notes, cutNote(err, cut))
			err = nil
		}
	}
	if err != nil {
		return Draft{}, fmt.Errorf("%s: %w", from.prompt, err)
	}
	return support(d, res.Text, from), nil
}

// cutNote says why the text of an answer is not complete.
func cutNote(err error, cut *llm.AnswerError) string {
	if errors.Is(err, llm.ErrLoop) {
		return "The model repeated the end of this answer again and again, and the copies were removed: ask again, use another model, or set a penalty for repetition in its parameters."
	}
	return "The model cut this answer off at its token limit, so its end is missing: ask a narrower question, or " + cut.Advice() + "."
}

// support checks the citations of a final text.
func support(d Draft, answer string, from generation) Draft {
	answer, numbers, removed, listed := cite.CheckAnswer(answer, from.offered)
	if listed > 0 {
		d.Notes = append(d.Notes, fmt.Sprintf("A list of %d references that the model added was removed: only the references of this answer are checked.", listed))
	}
	titles := make(map[string]string, len(from.blocks))
	for _, b := range from.blocks {
		titles[b.Key] = b.Title
	}
	d.Generated, d.Text, d.Dangling = true, answer, d.Dangling+removed
	for _, ref := range numbers.List() {
		d.Records = append(d.Records, cite.Record{Reference: ref, Title: titles[ref.Key]})
	}
	return d
}
