package remote_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"go.uber.org/goleak"

	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/llm/openai"
	"github.com/neorag/neorag/internal/llm/remote"
	"github.com/neorag/neorag/internal/testkit/natstest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// quick retries without long waits.
var quick = llm.Retry{Attempts: 3, FirstWait: time.Millisecond, MaxWait: time.Millisecond}

const token = "a token of the tests"

// connect returns a queue on a server, with short times.
func connect(t testing.TB, s *natstest.Server, change func(*remote.Config)) *remote.Queue {
	t.Helper()
	c := remote.Config{URL: s.URL(), Token: token, AckWait: time.Minute, Check: 20 * time.Millisecond, NoteAfter: time.Hour, Grace: time.Minute}
	if change != nil {
		change(&c)
	}
	q, err := remote.New(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(q.Close)
	return q
}

// model returns a model server and chains of its chat and its embedding model.
func model(t *testing.T, o llmtest.Options) (*llmtest.Server, llm.Chat, *llm.BatchEmbedder) {
	t.Helper()
	s := llmtest.New(o)
	t.Cleanup(s.Close)
	client, err := openai.New(openai.Config{BaseURL: s.URL(), Model: "m", EmbeddingModel: "e"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	cache := &llm.Cache{Dir: filepath.Join(t.TempDir(), "cache")}
	return s, llm.New(llm.Config{Provider: client.Chat(), Retry: quick, Cache: cache}), llm.NewEmbedder(llm.EmbedConfig{Provider: client.Embedder(), Retry: quick, Cache: cache})
}

// services are the services of a worker with a chat and an embedding model.
func services(chat llm.Chat, embedder *llm.BatchEmbedder) []remote.Service {
	return []remote.Service{
		{Model: remote.Model{Name: "m"}, Chat: chat, Slots: 4},
		{Model: remote.Model{Name: "e", Embeds: true}, Embedder: embedder, Slots: 4},
	}
}

// work runs a worker until the returned function is called, which waits for its end.
func work(t testing.TB, q *remote.Queue, all []remote.Service) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- q.Work(ctx, all) }()
	stop = sync.OnceFunc(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("the worker: %v", err)
		}
	})
	t.Cleanup(stop)
	return stop
}

// ask is a request with a text.
func ask(text string) llm.Request {
	return llm.Request{Task: "answer", Messages: []llm.Message{{Role: "user", Content: text}}, MaxTokens: 10000}
}

// echo answers with the last message.
func echo(r llmtest.Request) llmtest.Reply { return llmtest.Reply{Text: "echo " + r.Last()} }

// askAll asks many questions at the same time, and checks the answers.
func askAll(t *testing.T, chat llm.Chat, n int) {
	t.Helper()
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() {
			text := fmt.Sprint("question ", i)
			if res, err := chat.Chat(t.Context(), ask(text)); err != nil || res.Text != "echo "+text {
				t.Errorf("%s: %q, %v", text, res.Text, err)
			}
		})
	}
	all.Wait()
}

func TestRoundTrip(t *testing.T) {
	t.Parallel()
	s := natstest.New(t, token)
	server, chat, embedder := model(t, llmtest.Options{Handler: echo})
	work(t, connect(t, s, nil), services(chat, embedder))
	q := connect(t, s, nil)

	direct, err := chat.Chat(t.Context(), ask("a"))
	if err != nil {
		t.Fatal(err)
	}
	var pieces []string
	streamed := ask("b")
	streamed.Stream = func(piece string) { pieces = append(pieces, piece) }
	got, err := q.Chat(remote.Model{Name: "m"}, 0).Chat(t.Context(), streamed)
	if err != nil || got.Text != "echo b" || got.Finish != llm.FinishStop || !slices.Equal(pieces, []string{"echo b"}) {
		t.Errorf("%+v in pieces %q, %v", got, pieces, err)
	}
	if diff := cmp.Diff(direct.Usage, got.Usage, cmpopts.IgnoreFields(llm.Usage{}, "Cost")); diff != "" || got.Usage.Calls != 1 {
		t.Errorf("usage (-direct +queue):\n%s", diff)
	}
	again, err := q.Chat(remote.Model{Name: "m"}, 0).Chat(t.Context(), ask("b"))
	if err != nil || !again.Cached || again.Usage.Calls != 0 || again.Saved.Calls != 1 {
		t.Errorf("an answer of the worker's cache: %+v, %v", again, err)
	}

	var words strings.Builder // enough to be compressed
	for i := range 600 {
		fmt.Fprint(&words, "word ", i*i, " ")
	}
	long := words.String()
	vectors, used, err := q.Embedder("e").Embed(t.Context(), []string{"a", long})
	want, _, wantErr := embedder.Embed(t.Context(), []string{"a", long})
	if diff := cmp.Diff(want, vectors); diff != "" || err != nil || wantErr != nil || used.Calls != 1 {
		t.Errorf("vectors (-direct +queue), %v, %v, %+v:\n%s", err, wantErr, used, diff)
	}
	if res, err := q.Chat(remote.Model{Name: "m"}, 0).Chat(t.Context(), ask(long)); err != nil || res.Text != "echo "+strings.TrimSpace(long) {
		t.Errorf("a long text: %.60q, %v", res.Text, err)
	}
	if c := server.Counts(); c.Requests != 4 {
		t.Errorf("%d requests", c.Requests)
	}
}

// TestErrors gives the caller the errors that it would get from the model server, which it does not retry.
func TestErrors(t *testing.T) {
	t.Parallel()
	s := natstest.New(t, token)
	server, chat, embedder := model(t, llmtest.Options{Handler: echo})
	work(t, connect(t, s, func(c *remote.Config) { c.Worker = "gpu-3" }), services(chat, embedder))
	caller := llm.New(llm.Config{Provider: connect(t, s, nil).Chat(remote.Model{Name: "m"}, 0), Retry: quick})
	for _, c := range []struct {
		name     string
		reply    llmtest.Reply
		requests int
		is       error
	}{
		{"key", llmtest.Reply{Status: http.StatusUnauthorized, Message: "no"}, 1, nil},
		{"credit", llmtest.Reply{Status: http.StatusTooManyRequests, Message: "no", Code: "insufficient_quota"}, 1, llm.ErrNoCredit},
		{"too long", llmtest.Reply{Status: http.StatusBadRequest, Message: "maximum context length is 7 tokens", Code: "context_length_exceeded"}, 1, nil},
		{"failing", llmtest.Reply{Status: http.StatusInternalServerError, Message: "broken"}, quick.Attempts, nil},
		{"overloaded", llmtest.Reply{Status: http.StatusTooManyRequests, Message: "wait"}, quick.Attempts, nil},
		{"cut", llmtest.Reply{Text: "half an", Finish: "length"}, 1, llm.ErrTruncated},
		{"loop", llmtest.Reply{Text: strings.Repeat("It goes on and on and on without end. ", 300), Finish: "length"}, 1, llm.ErrLoop},
		{"empty", llmtest.Reply{Reasoning: "only thoughts"}, 2, llm.ErrInvalid},
	} {
		t.Run(c.name, func(t *testing.T) {
			try := func(chat llm.Chat) (llm.Response, error) {
				server.Reset()
				server.Enqueue(slices.Repeat([]llmtest.Reply{c.reply}, c.requests)...)
				res, err := chat.Chat(t.Context(), ask(c.name))
				if n := server.Counts().Requests; n != c.requests || err == nil {
					t.Errorf("%d requests, want %d, error %v", n, c.requests, err)
				}
				return res, err
			}
			direct, want := try(chat)
			res, err := try(caller)
			if c.is != nil && !errors.Is(err, c.is) {
				t.Errorf("%v is not %v", err, c.is)
			}
			if text := strings.TrimPrefix(err.Error(), "worker gpu-3: "); text != want.Error() {
				t.Errorf("error %q, direct %q", text, want)
			}
			wantCall, isCall := errors.AsType[*llm.Error](want)
			got, gotCall := errors.AsType[*llm.Error](err)
			if isCall != gotCall || isCall && (got.Status != wantCall.Status || got.ServerMessage != wantCall.ServerMessage || got.Retryable) {
				t.Errorf("%#v, direct %#v", got, wantCall)
			}
			if diff := cmp.Diff(direct.Usage, res.Usage); diff != "" {
				t.Errorf("usage (-direct +queue):\n%s", diff)
			}
		})
	}
}

// TestTextError blames the same text through a queue as without one.
func TestTextError(t *testing.T) {
	t.Parallel()
	s := natstest.New(t, token)
	_, chat, embedder := model(t, llmtest.Options{Fault: func(r llmtest.Request) *llmtest.Reply {
		if slices.Contains(r.Input, "bad") {
			return &llmtest.Reply{Status: http.StatusBadRequest, Message: "no"}
		}
		return nil
	}})
	work(t, connect(t, s, nil), services(chat, embedder))
	caller := llm.NewEmbedder(llm.EmbedConfig{Provider: connect(t, s, nil).Embedder("e"), Retry: quick})
	_, _, err := caller.Embed(t.Context(), []string{"a", "b", "bad", "c"})
	if bad, ok := errors.AsType[*llm.TextError](err); !ok || bad.Index != 2 {
		t.Errorf("%v", err)
	}
}

// TestTwoWorkers: both work, each model has its own jobs, and no call is made twice.
func TestTwoWorkers(t *testing.T) {
	t.Parallel()
	s := natstest.New(t, token)
	both := make(chan struct{}, 1000)
	var servers []*llmtest.Server
	var once [2]sync.Once
	var met sync.WaitGroup
	met.Add(2)
	for i := range 2 {
		server, chat, embedder := model(t, llmtest.Options{Handler: func(r llmtest.Request) llmtest.Reply {
			once[i].Do(met.Done)
			met.Wait() // until the other one has a job too
			both <- struct{}{}
			return echo(r)
		}})
		work(t, connect(t, s, nil), services(chat, embedder))
		servers = append(servers, server)
	}
	askAll(t, connect(t, s, nil).Chat(remote.Model{Name: "m"}, 0), 40)
	if n := len(servers[0].Requests()) + len(servers[1].Requests()); n != 40 {
		t.Errorf("%d calls for 40 jobs", n)
	}
}

// TestKilledWorker takes a worker away that has jobs: another one makes its calls.
func TestKilledWorker(t *testing.T) {
	t.Parallel()
	s := natstest.New(t, token)
	short := func(c *remote.Config) { c.AckWait = 300 * time.Millisecond }
	held, release := make(chan struct{}, 10), make(chan struct{})
	defer close(release)
	_, chat, embedder := model(t, llmtest.Options{Handler: func(llmtest.Request) llmtest.Reply {
		held <- struct{}{}
		<-release
		return llmtest.Reply{Text: "too late"}
	}})
	dying := connect(t, s, short)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- dying.Work(ctx, services(chat, embedder)) }()

	answered := make(chan struct{})
	go func() {
		defer close(answered)
		askAll(t, connect(t, s, nil).Chat(remote.Model{Name: "m"}, 0), 4)
	}()
	for range 4 {
		<-held
	}
	dying.Close() // neither a heartbeat nor a result gets through
	_, other, embedder := model(t, llmtest.Options{Handler: echo})
	work(t, connect(t, s, short), services(other, embedder))
	<-answered
	cancel()
	for range 4 {
		release <- struct{}{}
	}
	<-ended // with an error, since its connection is closed
}

// TestStoppedWorker: a worker that is told to stop gives back the jobs that it does not end.
func TestStoppedWorker(t *testing.T) {
	t.Parallel()
	for name, grace := range map[string]time.Duration{"ends its calls": time.Minute, "gives back": time.Millisecond} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := natstest.New(t, token)
			held, release := make(chan struct{}, 10), make(chan struct{})
			server, chat, embedder := model(t, llmtest.Options{Handler: func(r llmtest.Request) llmtest.Reply {
				held <- struct{}{}
				<-release
				return echo(r)
			}})
			stop := work(t, connect(t, s, func(c *remote.Config) { c.Grace = grace }), services(chat, embedder))
			answered, stopped := make(chan struct{}), make(chan struct{})
			go func() {
				defer close(answered)
				askAll(t, connect(t, s, nil).Chat(remote.Model{Name: "m"}, 0), 2)
			}()
			<-held
			<-held
			go func() {
				defer close(stopped)
				stop()
			}()
			if grace == time.Minute {
				close(release)
				<-answered
				<-stopped
				if n := len(server.Requests()); n != 2 {
					t.Errorf("%d calls", n)
				}
				return
			}
			<-stopped // although the model does not answer
			close(release)
			other, chat, embedder := model(t, llmtest.Options{Handler: echo})
			work(t, connect(t, s, nil), services(chat, embedder))
			<-answered
			if n := len(other.Requests()); n != 2 {
				t.Errorf("%d calls of the other worker", n)
			}
		})
	}
}

// TestLostJobs deletes the stream, or restarts the server, while jobs wait.
func TestLostJobs(t *testing.T) {
	t.Parallel()
	for name, lose := range map[string]func(*testing.T, *natstest.Server) error{
		"stream deleted": func(t *testing.T, s *natstest.Server) error {
			t.Helper()
			n, err := s.DeleteStreams(t.Context())
			if n != 1 {
				t.Errorf("%d streams", n)
			}
			return err
		},
		"restarted": func(_ *testing.T, s *natstest.Server) error { return s.Restart(false) },
		"replaced":  func(_ *testing.T, s *natstest.Server) error { return s.Restart(true) },
	} {
		for _, working := range []bool{false, true} {
			t.Run(fmt.Sprint(name, " while calls are made: ", working), func(t *testing.T) {
				t.Parallel()
				s := natstest.New(t, token)
				held, release := make(chan struct{}, 100), make(chan struct{})
				server, chat, embedder := model(t, llmtest.Options{Handler: func(r llmtest.Request) llmtest.Reply {
					held <- struct{}{}
					<-release
					return echo(r)
				}})
				start := func() { work(t, connect(t, s, nil), services(chat, embedder)) }
				answered := make(chan struct{})
				go func() {
					defer close(answered)
					askAll(t, connect(t, s, nil).Chat(remote.Model{Name: "m"}, 0), 4)
				}()
				if working {
					start()
					for range 4 {
						<-held
					}
				} else {
					waitForJobs(t, s, 4)
				}
				if err := lose(t, s); err != nil {
					t.Fatal(err)
				}
				close(release)
				if !working {
					waitForJobs(t, s, 4) // published again
					start()
				}
				<-answered
				// The worker makes no call a second time: the first answer is in its cache, or the job is not wanted any more.
				if n := len(server.Requests()); n != 4 {
					t.Errorf("%d calls", n)
				}
			})
		}
	}
}

// waitForJobs waits until the stream has that many jobs.
func waitForJobs(t *testing.T, s *natstest.Server, want uint64) {
	t.Helper()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for range tick.C {
		conn, js, err := s.Connect()
		if err != nil {
			continue
		}
		stream, err := js.Stream(t.Context(), "NEORAG_JOBS")
		conn.Close()
		if err == nil && stream.CachedInfo().State.Msgs == want {
			return
		}
		if t.Context().Err() != nil {
			t.Fatal("the jobs do not come")
		}
	}
}

// A logged collects log messages.
type logged struct {
	slog.Handler

	lines chan string
}

func (l logged) Handle(_ context.Context, r slog.Record) error {
	line := r.Message
	r.Attrs(func(a slog.Attr) bool { line += " " + a.String(); return true })
	l.lines <- line
	return nil
}
func (logged) Enabled(_ context.Context, level slog.Level) bool { return level >= slog.LevelWarn }
func (l logged) WithAttrs([]slog.Attr) slog.Handler             { return l }

// TestUnserved: jobs of a model wait if the workers have another model or other parameters, and the log names
// the command that serves them.
func TestUnserved(t *testing.T) {
	t.Parallel()
	s := natstest.New(t, token)
	server, chat, embedder := model(t, llmtest.Options{Handler: echo})
	work(t, connect(t, s, nil), services(chat, embedder))
	log := logged{slog.DiscardHandler, make(chan string, 10)}
	q := connect(t, s, func(c *remote.Config) { c.NoteAfter, c.Logger = time.Millisecond, slog.New(log) })
	for m, want := range map[remote.Model]string{
		{Name: "other"}: "--base-url URL --model other",
		{Name: "m", Parameters: `{"stop":["it's"],"top_p":0.9}`}: `--model m --parameter 'stop=["it'\''s"]' --parameter 'top_p=0.9'`,
		{Name: "m", Embeds: true}:                                "--embedding-base-url URL --embedding-model m",
	} {
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() {
			var err error
			if m.Embeds {
				_, _, err = q.Embedder(m.Name).Embed(ctx, []string{"a"})
			} else {
				_, err = q.Chat(m, 0).Chat(ctx, ask("a"))
			}
			ended <- err
		}()
		line := <-log.lines
		cancel()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("%+v: %v", m, err)
		}
		if !strings.Contains(line, "neorag work --queue "+s.URL()+" ") || !strings.HasSuffix(line, want) || strings.Contains(line, token) {
			t.Errorf("log of %+v: %s", m, line)
		}
	}
	if n := len(server.Requests()); n != 0 {
		t.Errorf("%d calls", n)
	}
	if _, err := q.Chat(remote.Model{Name: "m"}, 0).Chat(t.Context(), ask("a")); err != nil || len(log.lines) > 0 {
		t.Errorf("a model that is served: %v, %d lines", err, len(log.lines))
	}
}

// TestWrongToken refuses the token without showing it, to a caller and to a worker.
func TestWrongToken(t *testing.T) {
	t.Parallel()
	s := natstest.New(t, token)
	for wrong, want := range map[string]string{"": "requires a token", "a wrong token": "rejects the token"} {
		q := connect(t, s, func(c *remote.Config) { c.Token = wrong })
		_, err := q.Chat(remote.Model{Name: "m"}, 0).Chat(t.Context(), ask("a"))
		workErr := q.Work(t.Context(), nil)
		for _, err := range []error{err, workErr} {
			if !llm.IsFatal(err) || !strings.Contains(err.Error(), want) || wrong != "" && strings.Contains(err.Error(), wrong) {
				t.Errorf("%q: %v", wrong, err)
			}
		}
	}
}

// TestNoServer fails as without a model server.
func TestNoServer(t *testing.T) {
	t.Parallel()
	s := natstest.New(t, token)
	q := connect(t, s, nil)
	s.Stop()
	_, err := q.Chat(remote.Model{Name: "m"}, 0).Chat(t.Context(), ask("a"))
	if call, ok := errors.AsType[*llm.Error](err); !ok || !call.Retryable || !llm.IsUnreachable(err) {
		t.Errorf("%v", err)
	}
}

func TestAddress(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"nats://Queue": "nats://queue:4222", "tls://q.example:443/": "tls://q.example:443", "nats://[::1]:99": "nats://[::1]:99",
		"nats://user@host": "", "nats://token:x@host": "", "nats://": "", "nats://a,b": "", "nats://a/path": "", "nats://a?x=1": "", "http://a": "", "": "",
	} {
		q, err := remote.New(remote.Config{URL: address})
		if got := ""; err == nil {
			if got = q.Server(); got != want {
				t.Errorf("%q is %q, want %q", address, got, want)
			}
		} else if want != "" {
			t.Errorf("%q: %v", address, err)
		}
		if queue := strings.HasPrefix(address, "nats:") || strings.HasPrefix(address, "tls:"); remote.IsAddress(address) != queue {
			t.Errorf("IsAddress(%q) is %t", address, !queue)
		}
	}
}
