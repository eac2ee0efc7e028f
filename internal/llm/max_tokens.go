package llm

import (
	"context"
	"errors"
	"fmt"
)

// DefaultMaxTokens is the token limit of answers to requests without one. The longest
// answers, the records of a dense chunk, have about 2,000 tokens; the rest is for the
// reasoning that some models write first.
const DefaultMaxTokens = 8192

// An AnswerLimit is the token limit of answers to requests without one.
type AnswerLimit struct {
	Tokens  int
	Setting string // to raise it with; "" if there is none
	Chosen  bool   // by the user
}

// WithMaxTokens returns chat with another token limit for requests without one. The
// error of an answer that the limit cut off says to raise the setting.
func WithMaxTokens(chat Chat, limit AnswerLimit) Chat {
	return maxTokensChat{chat, limit}
}

type maxTokensChat struct {
	inner
	limit AnswerLimit
}

func (c maxTokensChat) Chat(ctx context.Context, req Request) (Response, error) {
	if req.MaxTokens > 0 {
		return c.inner.Chat(ctx, req)
	}
	req.MaxTokens = c.limit.Tokens
	if c.limit.Chosen {
		req.limitSetting = c.limit.Setting
	}
	res, err := c.inner.Chat(ctx, req)
	if cut, ok := errors.AsType[*AnswerError](err); ok && c.limit.Setting != "" && cut.Reason == nil && errors.Is(err, ErrTruncated) {
		explained := *cut
		explained.Reason = fmt.Errorf("raise %s, which is %d", c.limit.Setting, c.limit.Tokens)
		return res, &explained
	}
	return res, err
}

// Parameters returns the fixed parameters of the provider; see Parameterised.
func (c maxTokensChat) Parameters() string { return Parameters(c.inner) }

// context returns the context of the provider, 0 if it is not known.
func (c maxTokensChat) context(ctx context.Context) int { return ContextOf(ctx, c.inner) }

// room returns the tokens of a prompt that leaves room for the answer; see Room.
func (c maxTokensChat) room(ctx context.Context) int {
	return roomOf(c.context(ctx), c.limit.Tokens)
}
