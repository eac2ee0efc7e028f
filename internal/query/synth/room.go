package synth

import (
	"context"

	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/text/tokens"
)

const (
	// promptTokens is more than any prompt of an answer has without question and records: its
	// text, and the schema of the answer for servers that read it in the prompt.
	promptTokens = 700
	// leastRoom is the room for records in a context that is too small for the prompt.
	leastRoom = 100
)

// Room returns how many tokens of records both models can read in one call about a question;
// 0 if their context is not known.
func (m *Model) Room(ctx context.Context, question string) int {
	room := 0
	for _, chat := range []llm.Chat{m.Map, m.Answer} {
		if n := llm.Room(ctx, chat); n > 0 && (room == 0 || n < room) {
			room = n
		}
	}
	counter, err := tokens.Get("")
	if room == 0 || err != nil {
		return 0
	}
	return max(leastRoom, room-promptTokens-counter.Count(question))
}
