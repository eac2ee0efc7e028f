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
func connect(tb testing.TB, s *natstest.Server, change func(*remote.Config)) *remote.Queue {
	tb.Helper()
	c := remote.Config{URL: s.URL(), Token: token, AckWait: time.Minute, Check: 20 * time.Millisecond, NoteAfter: time.Hour, Grace: time.Minute}
	if change != nil {
		change(&c)
	}
	q, err := remote.New(c)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(q.Close)
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
func work(tb testing.TB, q *remote.Queue, all []remote.Service) (stop func()) {
	tb.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- q.Work(ctx, all) }()
	stop = sync.OnceFunc(func() {
		cancel()
		if err := <-ended; err != nil {
			tb.Errorf("the worker: %v", err)
		}
	})
	tb.Cleanup(stop)
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
		if (err == nil) != (want != "") || err == nil && q.Server() != want {
			t.Errorf("%q: %v, want %q", address, err, want)
		}
		if queue := strings.HasPrefix(address, "nats:") || strings.HasPrefix(address, "tls:"); remote.IsAddress(address) != queue {
			t.Errorf("IsAddress(%q) is %t", address, !queue)
		}
	}
}
