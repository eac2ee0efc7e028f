package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/server/servertest"
)

// slowModel returns a model that takes five minutes, and a server that asks it.
func slowModel(t *testing.T, o Options) (*llmtest.Server, *Server) {
	t.Helper()
	model := llmtest.New(llmtest.Options{Latency: 5 * time.Minute})
	t.Cleanup(model.Close)
	o.Version, o.Service = "test", servertest.Service(t, model, servertest.Sample(t, examples))
	return model, New(o)
}

// TestSlowModel asks a model that takes five minutes: the result is the context of the question, by its method,
// or by another one where the method asks the model before it searches.
func TestSlowModel(t *testing.T) {
	t.Parallel()
	model, s := slowModel(t, Options{AnswerTime: 50 * time.Millisecond, ContextTime: 500 * time.Millisecond})
	onEach(t, func(t *testing.T, connect func(*testing.T, *Server) *sdk.ClientSession) {
		session := connect(t, s)
		_, byName := tools(t, session)
		for _, method := range []string{"basic", "auto", "hyde", "drift", "ppr"} {
			arguments := map[string]any{"question": partner, "method": method}
			text, result := call(t, session, "ask", arguments)
			if result.IsError {
				t.Errorf("%s: %s", method, text)
				continue
			}
			matches(t, byName["ask"], result)
			out, _ := ok[askOutput](t, session, "ask", arguments)
			if out.State != timeout || out.Answer != "" || !strings.Contains(out.Context, "Marley") || len(out.References) == 0 {
				t.Errorf("%s: state %s, a context of %d bytes, %d references", method, out.State, len(out.Context), len(out.References))
			}
			if !strings.Contains(text, "did not answer within") || !strings.Contains(text, "Marley") {
				t.Errorf("%s: %.300s", method, text)
			}
		}
	})
	t.Cleanup(func() { waitUntil(t, "the end of all calls of the model", func() bool { return running(model) == 0 }) })
}

// TestTimeOfCall searches by a method that asks the model first, which takes longer than a call may.
func TestTimeOfCall(t *testing.T) {
	t.Parallel()
	_, s := slowModel(t, Options{CallTime: 100 * time.Millisecond})
	text, result := call(t, overPipes(t, s, eras[1]), "context", map[string]any{"question": partner, "method": "hyde"})
	if !result.IsError || !strings.Contains(text, "took longer than 100ms") || !strings.Contains(text, "What to do: ") {
		t.Errorf("context: %s", text)
	}
}

// running returns how many requests a model is answering.
func running(model *llmtest.Server) int {
	model.Reset()
	return model.Counts().Peak
}

// TestCancelReachesTheModel cancels calls in each way that clients have: the call of the model ends.
func TestCancelReachesTheModel(t *testing.T) {
	t.Parallel()
	arguments := map[string]any{"question": partner, "method": "basic"}
	// cancelled starts a call, and cancels it when the model has it.
	cancelled := func(t *testing.T, model *llmtest.Server, start func(ctx context.Context) error, cancel func()) {
		t.Helper()
		ended := make(chan error, 1)
		ctx, stop := context.WithCancel(t.Context())
		go func() { ended <- start(ctx) }()
		waitUntil(t, "a call of the model", func() bool { return model.Counts().Chats > 0 })
		if cancel == nil {
			cancel = stop
		}
		cancel()
		waitUntil(t, "the end of the call of the model", func() bool { return running(model) == 0 })
		stop()
		if err := <-ended; err == nil {
			t.Error("the call has an answer")
		}
	}
	ask := func(session *sdk.ClientSession) func(context.Context) error {
		return func(ctx context.Context) error {
			result, err := session.CallTool(ctx, &sdk.CallToolParams{Name: "ask", Arguments: arguments})
			if err == nil && result.IsError { // the server may still say so
				err = errors.New("the call failed")
			}
			return err
		}
	}
	for _, era := range eras {
		t.Run("notification on stdio "+era, func(t *testing.T) {
			t.Parallel()
			model, s := slowModel(t, Options{})
			cancelled(t, model, ask(overPipes(t, s, era)), nil)
		})
		t.Run("closed HTTP connection "+era, func(t *testing.T) {
			t.Parallel()
			model, s := slowModel(t, Options{})
			address := serve(t, s)
			cancelled(t, model, func(ctx context.Context) error { return post(ctx, address, era, "ask", arguments) }, nil)
		})
		t.Run("end of the server "+era, func(t *testing.T) {
			t.Parallel()
			model, s := slowModel(t, Options{})
			ctx, end := context.WithCancel(t.Context())
			in, toServer := io.Pipe()
			fromServer, out := io.Pipe()
			ended := make(chan error, 1)
			go func() { ended <- s.Run(ctx, in, out) }()
			session := connect(t, &sdk.IOTransport{Reader: fromServer, Writer: toServer}, era)
			cancelled(t, model, ask(session), end)
			if err := <-ended; err != nil {
				t.Errorf("Run: %v", err)
			}
			_ = session.Close()
		})
		t.Run("end of the client "+era, func(t *testing.T) {
			t.Parallel()
			model, s := slowModel(t, Options{})
			in, toServer := io.Pipe()
			fromServer, out := io.Pipe()
			ended := make(chan error, 1)
			go func() { ended <- s.Run(t.Context(), in, out) }()
			session := connect(t, &sdk.IOTransport{Reader: fromServer, Writer: toServer}, era)
			cancelled(t, model, ask(session), func() { _ = toServer.Close() })
			if err := <-ended; err != nil {
				t.Errorf("Run: %v", err)
			}
			_ = session.Close()
		})
	}
}

// post calls a tool by one request.
func post(ctx context.Context, address, era, tool string, arguments map[string]any) error {
	params := map[string]any{"name": tool, "arguments": arguments}
	if era == eras[1] {
		params["_meta"] = map[string]any{
			sdk.MetaKeyProtocolVersion: era, sdk.MetaKeyClientInfo: map[string]any{"name": "test", "version": "1"}, sdk.MetaKeyClientCapabilities: map[string]any{},
		}
	}
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
	if err != nil {
		return err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, address+"/mcp", bytes.NewReader(body))
	if err != nil {
		return err
	}
	for name, value := range map[string]string{
		"Content-Type": "application/json", "Accept": "application/json, text/event-stream", "Mcp-Protocol-Version": era, "Mcp-Method": "tools/call", "Mcp-Name": tool,
	} {
		r.Header.Set(name, value)
	}
	response, err := withToken{}.RoundTrip(r)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	_, err = io.Copy(io.Discard, response.Body)
	return err
}
