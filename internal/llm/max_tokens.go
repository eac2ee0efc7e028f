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

// WithMaxTokens returns chat with another token limit for requests without one. The
// error of an answer that the limit cut off says to raise the setting of that name.
func WithMaxTokens(chat Chat, limit int, setting string) Chat {
	return maxTokensChat{chat, limit, setting}
}

type maxTokensChat struct {
	inner
	limit   int
	setting string
}

func (c maxTokensChat) Chat(ctx context.Context, req Request) (Response, error) {
	if req.MaxTokens > 0 {
		return c.inner.Chat(ctx, req)
	}
	req.MaxTokens = c.limit
	res, err := c.inner.Chat(ctx, req)
	if cut, ok := errors.AsType[*AnswerError](err); ok && c.setting != "" && cut.Reason == nil && errors.Is(err, ErrTruncated) {
		explained := *cut
		explained.Reason = fmt.Errorf("raise %s, which is %d", c.setting, c.limit)
		return res, &explained
	}
	return res, err
}

// Parameters returns the fixed parameters of the provider; see Parameterised.
func (c maxTokensChat) Parameters() string { return Parameters(c.inner) }
