package llm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"sync"

	"github.com/neorag/neorag/internal/text/tokens"
)

// ErrTooLong means that a prompt does not fit into the context of the model, by the count of
// this program or by the server's. It is in an Error that refuses the content.
var ErrTooLong = errors.New("the prompt is too long for the model")

// A Windowed model knows how many tokens prompt and answer may have together.
type Windowed interface {
	// Context returns that number, 0 if it is not known. It may ask the server, briefly.
	Context(ctx context.Context) int
	// ContextAdvice names what raises it, for messages.
	ContextAdvice() string
}

// Room returns how many tokens a prompt for chat may have, by the count of package tokens, if
// there is to be room for an answer. It is 0 if the context of the model is not known.
func Room(ctx context.Context, chat Chat) int {
	if w, ok := chat.(interface{ room(context.Context) int }); ok {
		return w.room(ctx)
	}
	return 0
}

// ContextOf returns how many tokens a prompt for chat and its answer may have together, 0 if that
// is not known. It may ask the server, briefly.
func ContextOf(ctx context.Context, chat Chat) int {
	if w, ok := chat.(interface{ context(context.Context) int }); ok {
		return w.context(ctx)
	}
	return 0
}

const (
	// minReserve and reserveShare bound what a prompt leaves for the answer: a quarter of the
	// context, and at least 512 tokens, but no more than the answer may have.
	minReserve   = 512
	reserveShare = 4
	// minAnswer is the lowest limit of an answer that a call is made for.
	minAnswer = 256
	// messageTokens are the tokens that a server adds to a message, and promptTokens to a prompt.
	messageTokens = 8
	promptTokens  = 16
)

// roomOf returns the tokens of a prompt in a context, with an answer of at most limit tokens. The
// vocabularies of other models need up to a quarter more tokens for a text than the one that
// counts here.
func roomOf(context, limit int) int {
	if context <= 0 {
		return 0
	}
	reserve := min(limit, max(context/reserveShare, minReserve))
	return max(1, (context-reserve)*4/5)
}

// A windowedChat keeps prompt and answer of each call within the context of the model: it
// lowers the limit of the answer, and refuses a prompt that cannot fit. What a refusal of the
// server shows of the context counts for the same call already. It warns once if the server
// reports that it read much less than was sent.
type windowedChat struct {
	inner
	provider Windowed
	log      *slog.Logger

	mu     sync.Mutex
	noted  map[string]bool
	recent []string // the last prompts, for what servers may have cached of them
}

func newWindowedChat(chat, provider Chat, log *slog.Logger) Chat {
	w, ok := provider.(Windowed)
	if !ok {
		return chat
	}
	return &windowedChat{inner: chat, provider: w, log: cmp.Or(log, slog.New(slog.DiscardHandler)), noted: map[string]bool{}}
}

func (c *windowedChat) Chat(ctx context.Context, req Request) (Response, error) {
	window := c.provider.Context(ctx)
	sent, err := c.fit(ctx, req, window)
	if err != nil {
		return Response{}, err
	}
	prompt := req.prompt()
	if known, ok := ctx.Value(refusedKey{}).(*Error); ok && known.refused.prompt == prompt && known.refused.limit <= sent.MaxTokens {
		return Response{}, known
	}
	earlier := c.remember(prompt)
	res, err := c.inner.Chat(ctx, sent)
	if learnt := c.provider.Context(ctx); errors.Is(err, ErrTooLong) && learnt > 0 && learnt != window {
		spent := res.Usage
		shorter, fitErr := c.fit(ctx, req, learnt)
		if fitErr != nil {
			return res, fitErr
		}
		if shorter.MaxTokens < sent.MaxTokens {
			sent, window = shorter, learnt
			res, err = c.inner.Chat(ctx, sent)
			res.Usage = res.Usage.Add(spent)
		}
	}
	if err == nil {
		c.checkRead(ctx, prompt, earlier, res)
	}
	if refused, ok := errors.AsType[*Error](err); ok && errors.Is(err, ErrTooLong) {
		refused.refused = &refusedPrompt{prompt, sent.MaxTokens}
	}
	if cut, ok := errors.AsType[*AnswerError](err); ok && sent.MaxTokens < req.MaxTokens && cut.Reason == nil && errors.Is(err, ErrTruncated) {
		explained := *cut
		explained.Reason = fmt.Errorf("give the model more context than %d tokens (%s): only %d were left for the answer", window, c.provider.ContextAdvice(), sent.MaxTokens)
		return res, &explained
	}
	return res, err
}

// A refusedPrompt is a prompt with the limit of its answer that a server refused as too long.
type refusedPrompt struct {
	prompt string
	limit  int
}

type refusedKey struct{}

// Without returns a context in which the call that failed with err, because its prompt is too
// long, fails with err again without being made. Other calls are made.
func Without(ctx context.Context, err error) context.Context {
	if e, ok := errors.AsType[*Error](err); ok && e.refused != nil {
		return context.WithValue(ctx, refusedKey{}, e)
	}
	return ctx
}

// fit returns the request with a limit of the answer that fits into a context.
func (c *windowedChat) fit(ctx context.Context, req Request, window int) (Request, error) {
	if window <= 0 || req.maxInput()+int64(req.MaxTokens) <= int64(window) {
		return req, nil
	}
	own, most := req.promptTokens()
	if req.MaxTokens <= window-most {
		return req, nil
	}
	least := min(req.MaxTokens, minAnswer)
	if own+least > window {
		return req, &Error{Status: http.StatusBadRequest, Cause: ErrTooLong, Message: fmt.Sprintf(
			"the prompt has %d tokens or more, and the context of %s has %d for prompt and answer: use smaller chunks or budgets, or give the model more context (%s)",
			own, c.Model(), window, c.provider.ContextAdvice())}
	}
	lowered := max(window-most, least)
	if req.limitSetting != "" && c.first(req.limitSetting) {
		c.log.WarnContext(ctx, "a limit of answers is lowered, because prompt and answer must fit into the context of the model",
			"setting", req.limitSetting, "from", req.MaxTokens, "to", lowered, "context", window, "model", c.Model())
	}
	req.MaxTokens = lowered
	return req, nil
}

// first reports whether a subject was not noted before.
func (c *windowedChat) first(subject string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.noted[subject] {
		return false
	}
	c.noted[subject] = true
	return true
}

// promptTokens returns the tokens of a prompt by the count of package tokens, which few
// vocabularies need less than, and how many another vocabulary may need, with the schema.
func (r Request) promptTokens() (own, most int) {
	counter, err := tokens.Get("")
	if err != nil {
		return 0, 0
	}
	for _, m := range r.Messages {
		own += counter.Count(m.Content)
	}
	most = own
	if r.Schema != nil {
		most += counter.Count(string(r.Schema.JSON))
	}
	return own, most*5/4 + messageTokens*len(r.Messages) + promptTokens
}
