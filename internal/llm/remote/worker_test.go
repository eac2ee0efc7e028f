package remote_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/llm/openai"
	"github.com/neorag/neorag/internal/llm/remote"
	"github.com/neorag/neorag/internal/testkit/natstest"
)

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
	if err := <-ended; err == nil {
		t.Error("the worker whose connection was closed ended without an error")
	}
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

// A closedGate is a network that refuses connections until it is open.
type closedGate struct {
	open    atomic.Bool
	refused chan struct{}
}

func (g *closedGate) RoundTrip(r *http.Request) (*http.Response, error) {
	if !g.open.Load() {
		select {
		case g.refused <- struct{}{}:
		default:
		}
		return nil, errors.New("connection refused")
	}
	return http.DefaultTransport.RoundTrip(r)
}

// TestUnreachableModel: a worker whose model server cannot be reached gives jobs back, more often than a worker may
// fail, and serves them when the server is there.
func TestUnreachableModel(t *testing.T) {
	t.Parallel()
	s := natstest.New(t, token)
	server := llmtest.New(llmtest.Options{Handler: echo})
	defer server.Close()
	gate := &closedGate{refused: make(chan struct{})}
	client, err := openai.New(openai.Config{BaseURL: server.URL(), Model: "m", Transport: gate})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	defer http.DefaultTransport.(*http.Transport).CloseIdleConnections()
	chat := llm.New(llm.Config{Provider: client.Chat(), Retry: llm.Retry{Attempts: 1}})
	work(t, connect(t, s, nil), []remote.Service{{Model: remote.Model{Name: "m"}, Chat: chat, Slots: 4}})
	answered := make(chan struct{})
	go func() {
		defer close(answered)
		askAll(t, connect(t, s, nil).Chat(remote.Model{Name: "m"}, 0), 2)
	}()
	for range 16 {
		<-gate.refused
	}
	gate.open.Store(true)
	<-answered
	if n := len(server.Requests()); n != 2 {
		t.Errorf("%d calls", n)
	}
}
