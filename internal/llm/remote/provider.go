package remote

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/neorag/neorag/internal/llm"
)

// Chat returns a chat model whose calls are jobs. context is the number of tokens that prompt and
// answer may have together, 0 if it is not known. Answers come in one piece.
func (q *Queue) Chat(m Model, context int) llm.Chat { return chat{remoteModel{q, m}, context} }

// Embedder returns an embedding model whose calls are jobs.
func (q *Queue) Embedder(name string) llm.Embedder {
	return embedder{remoteModel{q, Model{Name: name, Embeds: true}}}
}

type remoteModel struct {
	queue *Queue
	model Model
}

func (m remoteModel) Model() string { return m.model.Name }

// Fingerprint names the queue and the parameters: workers serve the model with these parameters only,
// and another queue may have another model of the same name.
func (m remoteModel) Fingerprint() string {
	return "queue " + m.queue.server + " " + m.model.Parameters
}

type chat struct {
	remoteModel

	context int
}

var (
	_ llm.Fingerprinter = chat{}
	_ llm.Parameterised = chat{}
	_ llm.Windowed      = chat{}
)

// Parameters returns the parameters that the workers add to calls.
func (c chat) Parameters() string { return c.model.Parameters }

// Context returns the number of tokens that was given.
func (c chat) Context(context.Context) int { return c.context }

// ContextAdvice names what raises it.
func (c chat) ContextAdvice() string { return "raise models.chat.context" }

// Chat has a worker make the call.
func (c chat) Chat(ctx context.Context, req llm.Request) (llm.Response, error) {
	deliver := req.Stream
	// The chain of the caller checks answers and asks for shorter ones: a worker that did too would double that.
	req.Stream, req.Valid, req.Shorten = nil, nil, false
	r, err := c.queue.call(ctx, c.model, job{Chat: &req})
	if err != nil {
		return llm.Response{}, err
	}
	if r.Failure != nil {
		return r.Chat, r.Failure.err()
	}
	if deliver != nil {
		deliver(r.Chat.Text)
	}
	return r.Chat, nil
}

type embedder struct{ remoteModel }

// Dimension is not known.
func (embedder) Dimension() int { return 0 }

// Embed has a worker embed the texts.
func (e embedder) Embed(ctx context.Context, texts []string) ([][]float32, llm.Usage, error) {
	if len(texts) == 0 {
		return nil, llm.Usage{}, nil
	}
	r, err := e.queue.call(ctx, e.model, job{Texts: texts})
	if err != nil {
		return nil, llm.Usage{}, err
	}
	if r.Failure != nil {
		return nil, r.Usage, r.Failure.err()
	}
	return unpackVectors(r.Vectors), r.Usage, nil
}

// call publishes a job and returns its first result. A job that the queue lost meanwhile is published again.
func (q *Queue) call(ctx context.Context, m Model, j job) (result, error) {
	body, err := pack(j)
	if err != nil {
		return result{}, err
	}
	if len(body) > maxJob {
		return result{}, tooLarge("the texts of a call have", len(body), maxJob)
	}
	id, answer := rand.Text(), make(chan []byte, 1)
	q.mu.Lock()
	q.waiting[id] = answer
	q.mu.Unlock()
	defer func() {
		q.mu.Lock()
		delete(q.waiting, id)
		q.mu.Unlock()
	}()
	message := &nats.Msg{Subject: m.jobs(), Data: body, Header: nats.Header{headerID: {id}, headerReply: {q.reply}}}
	b, err := (&pending{queue: q, model: m, job: message, answer: answer}).run(ctx)
	if err != nil {
		return result{}, err
	}
	var r result
	if err := unpack(b, &r); err != nil {
		return result{}, err
	}
	r.clean()
	return r, nil
}

// tooLarge refuses a call as a server refuses one that is too long: batches of texts are then halved.
func tooLarge(what string, n, most int) error {
	return &llm.Error{Status: http.StatusRequestEntityTooLarge, Message: fmt.Sprintf(
		"%s %d KiB, and the queue takes %d: use smaller chunks or budgets, or a model server without a queue", what, n>>10+1, most>>10)}
}

// receive answers a worker that asks whether a job is still wanted, or that sends the result of one. A
// result that nobody waits for is dropped.
func (q *Queue) receive(m *nats.Msg) {
	q.mu.Lock()
	answer, asked := q.waiting[m.Header.Get(headerID)]
	q.mu.Unlock()
	reply := replyUnasked
	if asked {
		reply = replyOK
		if len(m.Data) > 0 {
			select {
			case answer <- m.Data:
			default: // it has one already
			}
		}
	}
	_ = m.Respond([]byte(reply)) // a worker without a reply asks again
}

// A pending is a call that waits for the result of its job.
type pending struct {
	queue  *Queue
	model  Model
	job    *nats.Msg
	answer chan []byte

	stream   jetstream.Stream // nil before the first check
	sequence uint64           // of the job in the stream; 0: it is not there
	down     time.Time        // since when the connection is lost; zero if it is not
}

// run waits for the result.
func (p *pending) run(ctx context.Context) ([]byte, error) {
	begin := time.Now()
	tick := time.NewTicker(p.queue.config.Check)
	defer tick.Stop()
	if err := p.publish(ctx); err != nil {
		return nil, err
	}
	for {
		select {
		case b := <-p.answer:
			return b, nil
		case <-ctx.Done():
			return nil, fmt.Errorf("ask %s: %w", p.model.Name, ctx.Err())
		case <-tick.C:
		}
		if err := p.check(ctx); err != nil {
			return nil, err
		}
		if time.Since(begin) >= p.queue.config.NoteAfter {
			p.noteUnserved(ctx)
		}
	}
}

// publish puts the job into the stream. A queue that is full, or that does not answer, is tried again by check.
func (p *pending) publish(ctx context.Context) error {
	conn, js, err := p.queue.connect()
	if err != nil {
		return err
	}
	p.sequence = 0
	ack, err := js.PublishMsg(ctx, p.job)
	if errors.Is(err, jetstream.ErrNoStreamResponse) {
		if _, err = stream(ctx, js); err == nil {
			ack, err = js.PublishMsg(ctx, p.job)
		}
	}
	if errors.Is(err, nats.ErrMaxPayload) {
		return tooLarge("the texts of a call have", len(p.job.Data), int(conn.MaxPayload()))
	}
	if errors.Is(err, jetstream.ErrJetStreamNotEnabled) || errors.Is(err, jetstream.ErrJetStreamNotEnabledForAccount) {
		return p.queue.failure(err)
	}
	if err != nil {
		p.queue.config.Logger.DebugContext(ctx, "a job is not in the queue yet", "error", err)
		return nil
	}
	p.sequence = ack.Sequence
	return nil
}

// check publishes the job again if it is not in the stream.
func (p *pending) check(ctx context.Context) error {
	conn, js, err := p.queue.connect()
	if err != nil {
		return err
	}
	if !conn.IsConnected() {
		if p.down.IsZero() {
			p.down = time.Now()
		}
		if time.Since(p.down) > maxDown {
			return p.queue.failure(cmp.Or(conn.LastError(), nats.ErrDisconnected))
		}
		return nil
	}
	p.down = time.Time{}
	if p.sequence > 0 && !p.lost(ctx, js) {
		return nil
	}
	if len(p.answer) > 0 { // a job is removed from the stream after its result has come
		return nil
	}
	return p.publish(ctx)
}

// lost reports whether the stream does not have the job.
func (p *pending) lost(ctx context.Context, js jetstream.JetStream) bool {
	if p.stream != nil {
		switch stored, err := p.stream.GetMsg(ctx, p.sequence); {
		case err == nil:
			return stored.Header.Get(headerID) != p.job.Header.Get(headerID)
		case errors.Is(err, jetstream.ErrMsgNotFound):
			return true
		}
	}
	var err error
	p.stream, err = js.Stream(ctx, streamName)
	return errors.Is(err, jetstream.ErrStreamNotFound)
}

// noteUnserved logs once that no worker of the model is connected.
func (p *pending) noteUnserved(ctx context.Context) {
	q := p.queue
	q.mu.Lock()
	conn, noted := q.conn, q.noted[p.model.workers()]
	q.mu.Unlock()
	if noted || conn == nil {
		return
	}
	if _, err := conn.RequestWithContext(ctx, p.model.workers(), nil); !errors.Is(err, nats.ErrNoResponders) {
		return
	}
	q.mu.Lock()
	noted, q.noted[p.model.workers()] = q.noted[p.model.workers()], true
	q.mu.Unlock()
	if !noted {
		q.config.Logger.WarnContext(ctx, "calls wait in the queue, and no worker serves their model: start one next to a server that has it",
			"model", p.model.Name, "command", p.model.command(q.server))
	}
}

// command returns the command that serves a model.
func (m Model) command(server string) string {
	prefix := ""
	if m.Embeds {
		prefix = "embedding-"
	}
	words := []string{fmt.Sprintf("neorag work --queue %s --%sbase-url URL --%smodel %s", server, prefix, prefix, m.Name)}
	var parameters map[string]json.RawMessage
	_ = json.Unmarshal([]byte(m.Parameters), &parameters) // "" has none
	for _, name := range slices.Sorted(maps.Keys(parameters)) {
		words = append(words, "--parameter '"+name+"="+strings.ReplaceAll(string(parameters[name]), "'", `'\''`)+"'")
	}
	return strings.Join(words, " ")
}
