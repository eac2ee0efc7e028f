// Package llmtest is an HTTP server on loopback with the OpenAI protocol, for tests: chat
// completions, plain and streamed, and embeddings, with faults on demand. Tests choose
// what it answers; it contains no prompts.
package llmtest

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/neorag/neorag/internal/sys/wait"
)

// Options configure a server. The zero value answers "ok" to every chat request and
// embeds into 64 dimensions.
type Options struct {
	// Handler answers chat requests. It must be safe for concurrent use.
	Handler func(Request) Reply
	// Fault, unless nil, is called before Handler for requests of either kind. A
	// reply that is not nil replaces the answer.
	Fault func(Request) *Reply
	// Latency is the delay before each answer.
	Latency time.Duration
	// MaxConcurrent, unless 0, is how many concurrent requests are accepted; others get
	// status 429 with RetryAfter.
	MaxConcurrent int
	RetryAfter    time.Duration
	// Key, unless empty, is required in each request.
	Key string
	// Refuse lists parameters of the body that get status 400. "json_schema" and
	// "json_object" refer to values of response_format.
	Refuse []string
	// Dimension of vectors, default 64. FloatsOnly ignores encoding_format,
	// NoDimensions ignores dimensions.
	Dimension    int
	FloatsOnly   bool
	NoDimensions bool
	// Context refuses chat requests whose prompt and answer together may have more tokens.
	Context int
	// Owner is what the list of models, which has one named m, says of their owner.
	Owner string
	// NoUsage omits usage from every answer.
	NoUsage bool
	// Header is added to every answer.
	Header http.Header
	// InMemory serves only clients that use Transport.
	InMemory bool
}

// A Server serves requests until it is closed.
type Server struct {
	options Options
	http    *http.Server
	address string
	memory  *memoryListener // nil without InMemory
	served  chan struct{}

	mu        sync.Mutex
	requests  []Request
	queue     []Reply
	running   int
	peak      int
	refusals  int
	bodies    int
	bodyBytes int64
}

// New starts a server. Like httptest it panics if it cannot listen on loopback.
func New(o Options) *Server {
	if o.Handler == nil {
		o.Handler = func(Request) Reply { return Reply{Text: "ok"} }
	}
	if o.Dimension == 0 {
		o.Dimension = 64
	}
	s := &Server{options: o, served: make(chan struct{})}
	var l net.Listener
	if o.InMemory {
		s.memory = newMemoryListener()
		l = s.memory
	} else {
		var err error
		var listen net.ListenConfig
		if l, err = listen.Listen(context.Background(), "tcp", "127.0.0.1:0"); err != nil {
			panic("llmtest: " + err.Error())
		}
	}
	s.address = l.Addr().String()
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/chat/completions", s.serve)
	mux.HandleFunc("POST /v1/embeddings", s.serve)
	mux.HandleFunc("POST /v1/rerank", s.serve) // only Body and other faults
	mux.HandleFunc("GET /v1/models", func(w http.ResponseWriter, _ *http.Request) {
		models := []any{}
		if s.options.Owner != "" {
			models = append(models, map[string]any{"id": "m", "owned_by": s.options.Owner})
		}
		writeJSON(w, http.StatusOK, map[string]any{"object": "list", "data": models})
	})
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) { refuse(w, http.StatusNotFound, "no such path", "", "") })
	s.http = &http.Server{Handler: mux, ReadHeaderTimeout: time.Minute}
	go func() {
		defer close(s.served)
		_ = s.http.Serve(l) // ends with Close
	}()
	return s
}

// URL returns the server's base URL.
func (s *Server) URL() string { return "http://" + s.address + "/v1" }

// Close stops the server and closes every connection.
func (s *Server) Close() {
	_ = s.http.Close()
	<-s.served
}

// Enqueue adds replies for the next requests, of either kind. They have precedence over
// all options, and may be faults.
func (s *Server) Enqueue(replies ...Reply) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.queue = append(s.queue, replies...)
}

// Requests returns all requests so far, in order of arrival.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.requests...)
}

// Counts are numbers of requests.
type Counts struct {
	Requests int // of both kinds
	Chats    int
	Embeds   int
	Refusals int // status 429 because of MaxConcurrent
	Peak     int // most requests accepted concurrently

	Bodies    int   // replies with a Body that were begun
	BodyBytes int64 // bytes of them that were sent
}

// Counts returns the counts since the server was started or reset.
func (s *Server) Counts() Counts {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := Counts{Requests: len(s.requests), Refusals: s.refusals, Peak: s.peak, Bodies: s.bodies, BodyBytes: s.bodyBytes}
	for _, r := range s.requests {
		if r.Embeds() {
			c.Embeds++
		}
	}
	c.Chats = c.Requests - c.Embeds
	return c
}

// Reset clears requests and counts.
func (s *Server) Reset() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests, s.refusals, s.peak, s.bodies, s.bodyBytes = nil, 0, s.running, 0, 0
}

// serve answers one request.
func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client went away
	}
	req, err := parse(r, body)
	if err != nil {
		refuse(w, http.StatusBadRequest, err.Error(), "", "invalid_request_error")
		return
	}
	reply, queued, accepted := s.enter(&req)
	if !accepted {
		w.Header().Set("Retry-After", strconv.FormatFloat(s.options.RetryAfter.Seconds(), 'f', -1, 64))
		refuse(w, http.StatusTooManyRequests, "too many concurrent requests", "", "rate_limit_exceeded")
		return
	}
	defer s.leave()
	for name, values := range s.options.Header {
		w.Header()[http.CanonicalHeaderKey(name)] = values
	}
	if !queued && s.options.Fault != nil {
		if fault := s.options.Fault(req); fault != nil {
			reply, queued = *fault, true
		}
	}
	if wait.For(r.Context(), s.options.Latency+reply.Delay) != nil {
		return
	}
	switch {
	case queued && (reply.failed() || reply.Body != nil):
	case s.options.Key != "" && r.Header.Get("Authorization") != "Bearer "+s.options.Key:
		reply = Reply{Status: http.StatusUnauthorized, Message: "Incorrect API key provided: " + r.Header.Get("Authorization")}
	case s.refused(req) != "":
		name := s.refused(req)
		reply = Reply{Status: http.StatusBadRequest, Message: "Unsupported parameter: '" + name + "' is not supported with this model.", Param: name}
	case s.tooLong(req) != nil:
		reply = *s.tooLong(req)
	case req.Embeds():
		s.embed(w, req)
		return
	case !queued:
		reply = s.options.Handler(req)
		if wait.For(r.Context(), reply.Delay) != nil {
			return
		}
	}
	if reply.Body != nil {
		s.sendBody(w, r, reply.Status, *reply.Body)
		return
	}
	s.answer(r.Context(), w, req, reply)
}

// enter records a request and reports whether it is accepted. queued reports whether
// reply is from the queue.
func (s *Server) enter(req *Request) (reply Reply, queued, accepted bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	req.N, req.At = len(s.requests)+1, time.Now()
	req.Refused = s.options.MaxConcurrent > 0 && s.running >= s.options.MaxConcurrent
	s.requests = append(s.requests, *req)
	if req.Refused {
		s.refusals++
		return Reply{}, false, false
	}
	s.running++
	s.peak = max(s.peak, s.running)
	if len(s.queue) > 0 {
		reply, s.queue = s.queue[0], s.queue[1:]
		return reply, true, true
	}
	return Reply{}, false, true
}

func (s *Server) leave() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.running--
}

// refused returns a parameter of the request that is in Options.Refuse, "" if none is.
func (s *Server) refused(req Request) string {
	for _, name := range s.options.Refuse {
		if name == req.Format || req.has(name) {
			return name
		}
	}
	return ""
}

func refuse(w http.ResponseWriter, status int, message, param, code string) {
	writeJSON(w, status, map[string]any{"error": map[string]any{"message": message, "type": code, "param": param, "code": code}})
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	b, err := json.Marshal(v)
	if err != nil {
		b, status = []byte(`{"error":{"message":"llmtest cannot write its answer"}}`), http.StatusInternalServerError
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(b) // an error means that the client went away
}

var errShape = errors.New("the body is not a request")
