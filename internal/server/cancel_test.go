package server

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/server/servertest"
	"github.com/neorag/neorag/internal/testkit/fakemodel"
	"github.com/neorag/neorag/prompts"
)

// TestCancelReachesTheModel closes the connection of a client while a model answers, on each route that asks one: the
// connection to the model is closed too, and nothing is left after 100 times. It runs alone, because it counts
// goroutines.
func TestCancelReachesTheModel(t *testing.T) { //nolint:paralleltest // it counts goroutines
	corpus := servertest.Sample(t, examples)
	writing, closed := make(chan struct{}), make(chan struct{})
	model := newModel(t, func(r llmtest.Request) llmtest.Reply {
		reply := fakemodel.Handler(r)
		if fakemodel.Task(r) == prompts.Answer {
			hold := func(ctx context.Context) {
				writing <- struct{}{}
				<-ctx.Done()
				closed <- struct{}{}
			}
			reply.Half, reply.Whole = hold, hold
		}
		return reply
	})
	h := httptest.NewServer(New(Options{Version: "test", Service: servertest.Service(t, model, corpus)}))
	defer h.Close()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	chat := `{"model":"neorag/` + corpus + `:basic","messages":[{"role":"user","content":"` + chatQuestion + `"}]`
	routes := []struct{ path, body string }{
		{"/api/v1/ask", `{"method":"basic","question":"` + chatQuestion + `"}`},
		{"/api/v1/ask/stream", `{"method":"basic","question":"` + chatQuestion + `"}`},
		{"/v1/chat/completions", chat + `}`},
		{"/v1/chat/completions", chat + `,"stream":true}`},
	}
	var before goleak.Option
	for i := range 104 {
		if i == 4 { // connections to Neo4j are open
			before = goleak.IgnoreCurrent()
		}
		route := routes[i%len(routes)]
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() {
			defer close(done)
			r, err := http.NewRequestWithContext(ctx, http.MethodPost, h.URL+route.path, strings.NewReader(route.body))
			if err != nil {
				t.Error(err)
				return
			}
			r.Header.Set("Content-Type", "application/json")
			response, err := client.Do(r)
			if err == nil {
				_, err = io.Copy(io.Discard, response.Body)
				_ = response.Body.Close()
			}
			if err == nil {
				t.Errorf("%s answered", route.path)
			}
		}()
		<-writing
		cancel()
		<-closed
		<-done
	}
	var err error
	for range 20 { // each waits a while for goroutines to end
		if err = goleak.Find(before); err == nil {
			return
		}
	}
	t.Error(err)
}
