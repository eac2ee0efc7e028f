package llm

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"

	"github.com/neorag/neorag/internal/llm/known"
	"github.com/neorag/neorag/internal/text/tokens"
)

// Batch bounds one call to an embedding server. Its zero value means the defaults, which
// most servers accept; smaller limits of a server are learnt from its refusals.
type Batch struct {
	Texts      int              // default 64
	Tokens     int              // default 8,000
	Concurrent int              // batches in flight, default 8; the limiter may allow fewer
	Count      func(string) int // counts tokens, default EstimateTokens
}

func (b Batch) withDefaults() Batch {
	b.Texts = int(positiveOr(int64(b.Texts), 64))
	b.Tokens = int(positiveOr(int64(b.Tokens), 8000))
	b.Concurrent = int(positiveOr(int64(b.Concurrent), 8))
	if b.Count == nil {
		b.Count = EstimateTokens
	}
	return b
}

// split splits texts into batches within the bounds. A text that exceeds them alone is
// a batch by itself, which the server may refuse.
func (b Batch) split(texts []string) [][]string {
	var all [][]string
	start, tokens := 0, 0
	for i, text := range texts {
		n := b.Count(text)
		if i > start && (i-start >= b.Texts || tokens+n > b.Tokens) {
			all = append(all, texts[start:i])
			start, tokens = i, 0
		}
		tokens += n
	}
	if start < len(texts) {
		all = append(all, texts[start:])
	}
	return all
}

// tokens returns the number of tokens of all texts.
func (b Batch) tokens(texts []string) int {
	n := 0
	for _, text := range texts {
		n += b.Count(text)
	}
	return n
}

// batchMemory is what a server has shown to accept and to refuse. Bounds that are learnt become
// part of what is known of the server.
type batchMemory struct {
	batch     Batch
	server    *known.Server
	splitting chan struct{} // held while a refused batch is split: other batches wait for what that shows

	mu       sync.Mutex
	accepted int // most texts that were accepted in one call
	refused  map[[sha256.Size]byte]error
}

func newBatchMemory(b Batch, server *known.Server) *batchMemory {
	return &batchMemory{batch: b, server: server, splitting: make(chan struct{}, 1), refused: map[[sha256.Size]byte]error{}}
}

// split splits texts by the bounds that are known.
func (m *batchMemory) split(texts []string) [][]string {
	return m.batch.within(m.server.Facts()).split(texts)
}

// within returns the batch with the bounds of a server, where these are smaller.
func (b Batch) within(f known.Facts) Batch {
	b.Texts = min(b.Texts, positiveOr(f.BatchTexts, b.Texts))
	b.Tokens = min(b.Tokens, positiveOr(f.BatchTokens, b.Tokens))
	return b
}

// accept records a call that the server accepted.
func (m *batchMemory) accept(texts []string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.accepted = max(m.accepted, len(texts))
}

// refuse records a text that the server refused alone, so that it is not sent again.
func (m *batchMemory) refuse(text string, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.refused[sha256.Sum256([]byte(text))] = err
}

// refusal returns why the server refused a text, nil if it did not.
func (m *batchMemory) refusal(text string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.refused) == 0 {
		return nil
	}
	return m.refused[sha256.Sum256([]byte(text))]
}

// learn lowers a bound after the server refused a batch and accepted both of its halves.
// The bound is on tokens if the server says so, or if it accepted as many texts
// before, else on texts.
func (m *batchMemory) learn(refused []string, half int, err error) {
	e, ok := errors.AsType[*Error](err)
	if !ok {
		return // an answer without some vectors says nothing about the size
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	message := strings.ToLower(e.ServerMessage)
	if strings.Contains(message, "token") || e.Status == http.StatusRequestEntityTooLarge && !strings.Contains(message, "batch") || len(refused) <= m.accepted {
		tokens := max(m.batch.tokens(refused[:half]), m.batch.tokens(refused[half:]))
		m.server.Learn(func(f *known.Facts) { f.BatchTokens = min(tokens, positiveOr(f.BatchTokens, tokens)) })
		return
	}
	texts := len(refused) - half
	m.server.Learn(func(f *known.Facts) { f.BatchTexts = min(texts, positiveOr(f.BatchTexts, texts)) })
}

// embed requests the vectors of a batch. A batch that the server refuses is halved until
// the offending text is alone.
func (j *embedJob) embed(ctx context.Context, texts []string) error {
	return j.each(ctx, j.memory.split(texts), j.embedPiece)
}

// each embeds batches one after another and returns the first error. After a TextError it
// continues, so that the vectors of the other texts are cached.
func (j *embedJob) each(ctx context.Context, batches [][]string, embed func(context.Context, []string) error) error {
	var first error
	for _, texts := range batches {
		err := embed(ctx, texts)
		if first == nil {
			first = err
		}
		if err != nil && !isTextError(err) {
			break
		}
	}
	return first
}

// embedPiece embeds a batch within the known bounds. If the server fails, although it works for
// another text, the batch is refused too.
func (j *embedJob) embedPiece(ctx context.Context, texts []string) error {
	err := j.request(ctx, texts, true)
	if isServerFailure(err) && (len(texts) == 1 || !j.works(ctx)) {
		if err = j.request(ctx, texts, false); isServerFailure(err) && !j.works(ctx) {
			return err
		}
	}
	if !refusesTexts(err) {
		return err
	}
	select {
	case j.memory.splitting <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-j.memory.splitting }()
	if pieces := j.memory.split(texts); len(pieces) > 1 { // another batch showed the bound meanwhile
		return j.each(ctx, pieces, j.embedOrHalve)
	}
	return j.halve(ctx, texts, err)
}

// embedOrHalve embeds a batch while its caller holds memory.splitting.
func (j *embedJob) embedOrHalve(ctx context.Context, texts []string) error {
	err := j.request(ctx, texts, true)
	if refusesTexts(err) {
		return j.halve(ctx, texts, err)
	}
	return err
}

// halve embeds the halves of a batch that the server refused with an error. A text is blamed for a
// failure of the server only if the server works.
func (j *embedJob) halve(ctx context.Context, texts []string, err error) error {
	if len(texts) == 1 {
		if isServerFailure(err) && !j.works(ctx) {
			return err
		}
		j.memory.refuse(texts[0], err)
		return &TextError{Index: j.places[texts[0]][0], Err: err}
	}
	half := len(texts) / 2
	first := j.embedOrHalve(ctx, texts[:half])
	if first != nil && !isTextError(first) {
		return first
	}
	second := j.each(ctx, j.memory.split(texts[half:]), j.embedOrHalve)
	if first == nil && second == nil {
		j.memory.learn(texts, half, err)
	}
	return cmp.Or(first, second)
}

// works reports whether the server embeds a text that it has no reason to refuse.
func (j *embedJob) works(ctx context.Context) bool {
	vectors, used, err := j.next.embed(ctx, []string{probeText}, true)
	j.count(used)
	return err == nil && len(vectors) == 1
}

func isTextError(err error) bool {
	_, ok := errors.AsType[*TextError](err)
	return ok
}

// refusesTexts reports whether a call may have failed because of its content.
func refusesTexts(err error) bool {
	if isServerFailure(err) {
		return true
	}
	var e *Error
	return !isTextError(err) && errors.As(err, &e) && e.RefusesContent()
}

// A serverFailure is a call that a server could not complete, or that it answered with something else
// than vectors. One text can be the cause: some servers fail if a model makes no numbers of it.
type serverFailure struct{ error }

// Unwrap returns the error of the call.
func (f serverFailure) Unwrap() error { return f.error }

func isServerFailure(err error) bool {
	_, ok := errors.AsType[serverFailure](err)
	return ok && !isTextError(err)
}

// asServerFailure marks errors that are failures of the server.
func asServerFailure(ctx context.Context, err error) error {
	if ctx.Err() != nil || errors.Is(err, ErrBudget) {
		return err
	}
	if e, ok := errors.AsType[*Error](err); ok && (e.Status != http.StatusOK && e.Status < http.StatusInternalServerError || e.overloaded()) {
		return err
	}
	return serverFailure{err}
}

func (j *embedJob) count(used Usage) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.used = j.used.Add(used)
}

// request requests the vectors of a batch and keeps them. brief means that a failure of the server is
// returned soon.
func (j *embedJob) request(ctx context.Context, texts []string, brief bool) error {
	vectors, used, err := j.next.embed(ctx, j.beginnings(texts), brief)
	if err == nil && used.TokensIn == 0 {
		used.TokensIn = estimateTexts(texts) // the server does not report it
	}
	j.count(used)
	if err == nil && len(vectors) != len(texts) {
		err = fmt.Errorf("embed: the server sent %d vectors for %d texts", len(vectors), len(texts))
	}
	if err != nil {
		return asServerFailure(ctx, err)
	}
	j.memory.accept(texts)
	var first error
	for i, vector := range vectors {
		if vector, err = normalise(vector); err != nil {
			first = cmp.Or(first, error(&TextError{Index: j.places[texts[i]][0], Err: err}))
			continue
		}
		j.store(texts[i], vector) // it is paid for, even if its length differs from the others
		first = cmp.Or(first, j.place(texts[i], vector, true))
	}
	return first
}

// beginnings returns texts of which the model reads all: of a text that is longer than its
// context, the beginning. Other vocabularies than the one that counts may need a quarter more
// tokens.
func (v *BatchEmbedder) beginnings(texts []string) []string {
	counter, err := tokens.Get("")
	if v.context <= 0 || err != nil {
		return texts
	}
	out := make([]string, len(texts))
	for i, text := range texts {
		if out[i] = text; len(text) > v.context*4/5 { // a token has at least a byte
			out[i] = counter.Cut(text, v.context*4/5)
		}
	}
	return out
}
