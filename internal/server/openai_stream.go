package server

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/neorag/neorag/internal/server/service"
)

const (
	beatTime  = 10 * time.Second // after which a silent stream sends a comment
	writeTime = 30 * time.Second // that a client may take to receive an event
)

// stream writes an answer as server-sent events while it is made. Nothing is written before the first piece or the
// first sign of life, so that an error before that has a status.
func (c chatWriter) stream(ctx context.Context, w http.ResponseWriter, answer answerFunc) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	beat := cmp.Or(c.server.beat, beatTime)
	c.head.Object = "chat.completion.chunk"
	s := &chatStream{w: w, control: http.NewResponseController(w), head: c.head, role: c.head, gone: cancel, ticker: time.NewTicker(beat), beat: beat}
	s.role.Choices = []chunkChoice{{Delta: chatDelta{Role: "assistant"}}}
	defer func() { _ = s.control.SetWriteDeadline(time.Time{}) }() // of the next request of the connection
	var beats sync.WaitGroup
	done := make(chan struct{})
	beats.Go(func() { s.beats(done) })
	a, err := answer(ctx, service.Events{Stream: s.piece, OnRestart: s.restart})
	close(done)
	beats.Wait()
	switch {
	case err != nil && !s.begun:
		c.server.writeChatProblem(w, c.request, err)
		return
	case err != nil:
		s.send(chatProblem(c.server.problem(ctx, err)))
		return
	}
	if links := linksOf(c.request, a); len(links) > 0 {
		s.delta(chatDelta{Content: links.list(), Annotations: links.annotations(a.Answer, s.before)})
	}
	s.finish()
	if c.in.StreamOptions.IncludeUsage {
		usage := chatUsage(a.Usage)
		s.head.Choices, s.head.Usage = []chunkChoice{}, &usage
		s.send(s.head)
	}
	s.write("data: [DONE]\n\n")
}

// A chatStream sends events to a client. Until done is closed, beats runs concurrently with the others.
type chatStream struct {
	w       http.ResponseWriter
	control *http.ResponseController
	head    chatChunk
	role    chatChunk // the first event
	gone    func()    // is called when the client receives nothing any more
	ticker  *time.Ticker
	beat    time.Duration
	sent    int // characters
	before  int // characters before the answer, which are void

	mu    sync.Mutex
	begun bool
}

// piece sends a piece of the answer.
func (s *chatStream) piece(text string) {
	s.sent += utf8.RuneCountInString(text)
	s.delta(chatDelta{Content: text})
}

// restart separates the text so far, which is void, from what replaces it.
func (s *chatStream) restart(why string) {
	s.piece(restartsHead + why + restartsEnd)
	s.before = s.sent
}

// beats sends a comment whenever nothing was sent for a while, so that no proxy takes the connection for dead.
func (s *chatStream) beats(done <-chan struct{}) {
	defer s.ticker.Stop()
	for {
		select {
		case <-done:
			return
		case <-s.ticker.C:
			s.write(": the answer is being made\n\n")
		}
	}
}

func (s *chatStream) delta(d chatDelta) {
	s.head.Choices = []chunkChoice{{Delta: d}}
	s.send(s.head)
}

// finish ends the message.
func (s *chatStream) finish() {
	stop := "stop"
	s.head.Choices = []chunkChoice{{FinishReason: &stop}}
	s.send(s.head)
}

func (s *chatStream) send(v any) { s.write(eventOf(v)) }

// eventOf returns a value as a server-sent event.
func eventOf(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return "" // no value here fails
	}
	return "data: " + string(b) + "\n\n"
}

// write sends a text. The first is preceded by the head of the response and the role of the message.
func (s *chatStream) write(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.begun {
		s.begun = true
		s.w.Header().Set("Content-Type", "text/event-stream")
		s.w.Header().Set("X-Accel-Buffering", "no") // a proxy would hold the events back
		text = eventOf(s.role) + text
	}
	_ = s.control.SetWriteDeadline(time.Now().Add(writeTime)) // a writer without deadlines is one of a test
	_, err := io.WriteString(s.w, text)
	if err = errors.Join(err, s.control.Flush()); err != nil {
		s.gone()
	}
	s.ticker.Reset(s.beat)
}
