package remote

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"golang.org/x/sync/errgroup"

	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/sys/panicerr"
	"github.com/neorag/neorag/internal/sys/wait"
)

// A Service serves the jobs of one model, by the chain of a chat or of an embedding model.
type Service struct {
	Model    Model
	Chat     llm.Chat           // nil for an embedding model
	Embedder *llm.BatchEmbedder // nil for a chat model
	// Slots are the calls that the chain makes at the same time. A quarter more jobs are fetched, and wait
	// for the chain, so that it need not wait for the queue.
	Slots   int
	Allowed func() int // how many of the slots the model server takes now; nil: all
}

// ahead returns how many jobs are fetched for a number of slots.
func ahead(slots int) int { return slots + slots/4 + 1 }

const (
	maxDelivered = 5  // workers that get a job
	maxAttempts  = 10 // to deliver a result
	maxID        = 64 // bytes of the id of a job
	answerTimes  = 5  // times Check, until a caller that does not answer is asked again
	pauseTimes   = 5  // times Check, between attempts to reach the model server
	// maxUnreachable is how long a worker gives jobs back, because its model server cannot be reached, until
	// it ends.
	maxUnreachable = 10 * time.Minute
	headerSpace    = 1 << 10
)

// Work serves jobs until the context ends, and then lets running calls end for a while. Jobs that
// have not ended by then are given back to the queue.
func (q *Queue) Work(ctx context.Context, services []Service) error {
	conn, js, err := q.connect()
	if err != nil {
		return err
	}
	if _, err := stream(ctx, js); err != nil {
		return q.failure(err)
	}
	calls, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	g, stop := errgroup.WithContext(ctx)
	defer context.AfterFunc(stop, func() {
		_ = wait.For(calls, q.config.Grace)
		cancel()
	})()
	for _, s := range services {
		present, err := conn.Subscribe(s.Model.workers(), func(m *nats.Msg) { _ = m.Respond(nil) })
		if err != nil {
			return q.failure(err)
		}
		defer func() { _ = present.Unsubscribe() }()
		reached := &reachable{}
		for i := range ahead(s.Slots) {
			g.Go(func() error {
				return (&slot{queue: q, conn: conn, js: js, service: s, number: i, reached: reached}).run(stop, calls)
			})
		}
	}
	return g.Wait()
}

// A reachable is whether the model server of a worker can be reached, as its slots find out.
type reachable struct {
	mu    sync.Mutex
	since time.Time // when it could not be reached first; zero after a call
}

// note notes whether a call reached the server.
func (r *reachable) note(reached bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if reached {
		r.since = time.Time{}
	} else if r.since.IsZero() {
		r.since = time.Now()
	}
}

// failing returns since when the server cannot be reached, and whether it cannot.
func (r *reachable) failing() (since time.Time, failing bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.since, !r.since.IsZero()
}

// A slot serves one job at a time.
type slot struct {
	queue   *Queue
	conn    *nats.Conn
	js      jetstream.JetStream
	service Service
	number  int
	reached *reachable // of all slots of the service
}

// run serves jobs until stop ends; calls are made with the other context.
func (s *slot) run(stop, calls context.Context) error {
	var jobs jetstream.Consumer
	for stop.Err() == nil {
		since, failing := s.reached.failing()
		if failing && time.Since(since) > maxUnreachable {
			return fmt.Errorf("the server of the model %s cannot be reached since %s: start it, and the worker again", s.service.Model.Name, since.Format(time.TimeOnly))
		}
		if s.number > 0 && failing || s.service.Allowed != nil && s.number >= ahead(s.service.Allowed()) {
			_ = wait.For(stop, s.queue.config.Check)
			continue
		}
		msg, err := s.next(stop, &jobs)
		switch {
		case s.conn.IsClosed():
			return s.queue.failure(errors.Join(s.conn.LastError(), err))
		case errors.Is(err, nats.ErrTimeout):
		case err != nil:
			s.queue.config.Logger.DebugContext(stop, "the queue gives no job", "error", err)
			jobs = nil // the stream may be a new one
			_ = wait.For(stop, s.queue.config.Check)
		case stop.Err() != nil:
			giveBack(msg)
		default:
			s.handle(stop, calls, msg)
		}
	}
	return nil
}

// next waits for a job, but not long. It does not end with the context: a job that comes then has to be given back.
func (s *slot) next(ctx context.Context, jobs *jetstream.Consumer) (jetstream.Msg, error) {
	if *jobs == nil {
		all, err := stream(ctx, s.js)
		if err != nil {
			return nil, err
		}
		*jobs, err = all.CreateOrUpdateConsumer(ctx, jetstream.ConsumerConfig{
			Durable: s.service.Model.subject(), FilterSubject: s.service.Model.jobs(), AckPolicy: jetstream.AckExplicitPolicy,
			AckWait: s.queue.config.AckWait, MaxAckPending: -1,
		})
		if err != nil {
			return nil, err
		}
	}
	return (*jobs).Next(jetstream.FetchMaxWait(2 * s.queue.config.Check))
}

// handle serves one job, and acknowledges it when its result has arrived.
func (s *slot) handle(stop, calls context.Context, msg jetstream.Msg) {
	id, reply := msg.Headers().Get(headerID), msg.Headers().Get(headerReply)
	if id == "" || len(id) > maxID || !strings.HasPrefix(reply, inbox) || strings.ContainsAny(reply, "*> \t\r\n") {
		_ = msg.Term()
		return
	}
	ended := make(chan struct{})
	var beats errgroup.Group
	beats.Go(func() error {
		tick := time.NewTicker(s.queue.config.AckWait / 3)
		defer tick.Stop()
		for {
			select {
			case <-ended:
				return nil
			case <-tick.C:
				_ = msg.InProgress()
			}
		}
	})
	defer func() { _ = beats.Wait() }()
	defer close(ended)
	if !s.wanted(calls, id, reply) {
		_ = msg.Ack()
		return
	}
	r, err := s.result(calls, msg)
	if !llm.IsUnreachable(err) {
		s.reached.note(true)
	}
	switch {
	case calls.Err() != nil:
		giveBack(msg)
	case llm.IsUnreachable(err) && r.Chat.Usage.Calls+r.Usage.Calls == 0:
		s.queue.config.Logger.WarnContext(calls, "a job is given back, because the model server cannot be reached", "model", s.service.Model.Name, "error", err)
		s.reached.note(false)
		giveBack(msg)
		_ = wait.For(stop, pauseTimes*s.queue.config.Check)
	case s.deliver(calls, id, reply, r):
		_ = msg.Ack()
	default:
		_ = msg.Nak()
	}
}

// giveBack takes a job out of the queue, so that its caller publishes it again: after a Nak, this worker would
// count among those that got the job and did not end it, each time that one of its slots gets it.
func giveBack(msg jetstream.Msg) { _ = msg.Term() }

// wanted asks whether somebody waits for a job: a call can have ended, or has its result already.
func (s *slot) wanted(ctx context.Context, id, reply string) bool {
	answer, err := s.request(ctx, id, reply, nil)
	return !errors.Is(err, nats.ErrNoResponders) && (err != nil || string(answer.Data) == replyOK)
}

func (s *slot) request(ctx context.Context, id, reply string, body []byte) (*nats.Msg, error) {
	ctx, cancel := context.WithTimeout(ctx, answerTimes*s.queue.config.Check)
	defer cancel()
	return s.conn.RequestMsgWithContext(ctx, &nats.Msg{Subject: reply, Header: nats.Header{headerID: {id}}, Data: body})
}

// deliver sends a result until it has arrived, or nobody is there to receive it.
func (s *slot) deliver(ctx context.Context, id, reply string, r result) bool {
	body, err := pack(r)
	if most := int(s.conn.MaxPayload()) - headerSpace; err == nil && len(body) > most {
		what := "the answer of the model has"
		if s.service.Embedder != nil {
			what = "the vectors of the texts have"
		}
		body, err = pack(result{Chat: llm.Response{Usage: r.Chat.Usage}, Usage: r.Usage, Failure: failureOf(tooLarge(what, len(body), most), "")})
	}
	if err != nil {
		return false
	}
	for attempt := range maxAttempts {
		_, err := s.request(ctx, id, reply, body)
		if err == nil || attempt > 0 && errors.Is(err, nats.ErrNoResponders) { // the first time, the caller may just connect again
			return true
		}
		if wait.For(ctx, s.queue.config.Check) != nil || s.conn.IsClosed() {
			return false
		}
	}
	return false
}

// result makes the call of a job.
func (s *slot) result(ctx context.Context, msg jetstream.Msg) (r result, err error) {
	if meta, metaErr := msg.Metadata(); metaErr == nil && meta.NumDelivered > maxDelivered {
		err = fmt.Errorf("%d workers got this call and did not end it", maxDelivered)
	} else {
		err = panicerr.Catch(func() (err error) {
			r, err = s.call(ctx, msg.Data())
			return err
		})
	}
	if err != nil {
		r.Failure = failureOf(err, s.queue.config.Worker)
	}
	return r, err
}

// call makes the call of a job.
func (s *slot) call(ctx context.Context, body []byte) (r result, err error) {
	var j job
	if err := unpack(body, &j); err != nil {
		return r, err
	}
	if s.service.Embedder == nil {
		if j.Chat == nil {
			return r, errors.New("the job has no request")
		}
		r.Chat, err = s.service.Chat.Chat(ctx, *j.Chat)
		return r, err
	}
	vectors, used, err := s.service.Embedder.Embed(ctx, j.Texts)
	r.Usage = used
	if errors.Is(err, llm.ErrDimension) { // the caller compares the vectors with its own
		if _, err = s.service.Embedder.Probe(ctx); err == nil {
			vectors, used, err = s.service.Embedder.Embed(ctx, j.Texts)
			r.Usage = r.Usage.Add(used)
		}
	}
	r.Vectors = packVectors(vectors)
	return r, err
}
