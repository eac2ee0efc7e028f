package query

import (
	"context"
	"errors"
	"fmt"

	"github.com/neorag/neorag/internal/llm"
)

// withRoom returns the request with contexts that the models can read in one call, if that is
// known, and a note of each setting that is lowered for it.
func (r Request) withRoom(ctx context.Context) (Request, []string) {
	if r.Options.Model == nil {
		return r, nil
	}
	var notes []string
	r.room = r.Options.Model.Room(ctx, r.Text)
	lower := func(setting string, tokens *int, standard int) {
		if r.room == 0 || *tokens <= r.room {
			return
		}
		if *tokens != standard {
			notes = append(notes, fmt.Sprintf("%s is lowered from %d to %d, because prompt and answer must fit into the context of the model.", setting, *tokens, r.room))
		}
		*tokens = r.room
	}
	lower("--map-tokens", &r.MapTokens, defaultMapTokens)
	lower("--reduce-tokens", &r.ReduceTokens, 0)
	return r, notes
}

// withinRoom returns the tokens of a context that the models can read.
func (r Request) withinRoom(tokens int) int {
	if r.room == 0 {
		return tokens
	}
	return min(tokens, r.room)
}

// answerInRoom answers by a method, and once more with smaller contexts if a refusal showed
// how many tokens the models read. A prompt that smaller contexts leave as it was is not sent again.
func (r Request) answerInRoom(ctx context.Context, m Method) (Answer, []string, error) {
	fitting, notes := r.withRoom(ctx)
	a, corrections, err := fitting.answer(ctx, m)
	if errors.Is(err, llm.ErrTooLong) && ctx.Err() == nil {
		again, lowered := r.withRoom(ctx)
		if again.room > 0 && (fitting.room == 0 || again.room < fitting.room) {
			notes = lowered
			a, corrections, err = again.answer(llm.Without(ctx, err), m)
		}
	}
	return a, append(notes, corrections...), err
}
