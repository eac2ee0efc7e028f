package llm

import "context"

// Parsed makes a call, refuses answers that parse cannot read, and returns what parse read.
func Parsed[T any](ctx context.Context, chat Chat, req Request, parse func(answer string) (T, error)) (T, error) {
	req.Valid = func(answer string) error { _, err := parse(answer); return err }
	res, err := chat.Chat(ctx, req)
	if err != nil {
		var none T
		return none, err
	}
	return parse(res.Text)
}
