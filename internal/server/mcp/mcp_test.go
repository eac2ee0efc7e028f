package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/neorag/neorag/internal/server"
	"github.com/neorag/neorag/internal/server/servertest"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

func TestMain(m *testing.M) { neo4jtest.Main(m) }

var examples = filepath.Join("..", "..", "..", "examples")

const testToken = "a-token-of-the-tests-of-mcp"

// eras are a version of the protocol with a handshake and one without.
var eras = []string{"2025-06-18", "2026-07-28"}

// A connection is how a client reaches a server.
type connection struct {
	name    string
	connect func(t *testing.T, s *Server, version string) *sdk.ClientSession
}

var connections = []connection{{"stdio", overPipes}, {"http", overHTTP}}

// overPipes connects a client to a server that reads a pipe.
func overPipes(t *testing.T, s *Server, version string) *sdk.ClientSession {
	t.Helper()
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- s.Run(context.WithoutCancel(t.Context()), in, out) }()
	session := connect(t, &sdk.IOTransport{Reader: fromServer, Writer: toServer}, version)
	t.Cleanup(func() {
		_ = session.Close()
		if err := <-ended; err != nil {
			t.Errorf("Run: %v", err)
		}
	})
	return session
}

// overHTTP connects a client to a server behind its fence.
func overHTTP(t *testing.T, s *Server, version string) *sdk.ClientSession {
	t.Helper()
	session := connect(t, &sdk.StreamableClientTransport{Endpoint: serve(t, s) + "/mcp", HTTPClient: &http.Client{Transport: withToken{}}}, version)
	t.Cleanup(func() { _ = session.Close() })
	return session
}

// serve serves MCP and the other routes, and returns the address.
func serve(t *testing.T, s *Server) string {
	t.Helper()
	h := httptest.NewServer(server.New(server.Options{Version: "test", Service: s.Service, MCP: s.Handler(), Fence: server.Fence{Token: testToken}}))
	t.Cleanup(h.Close)
	return h.URL
}

type withToken struct{}

func (withToken) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+testToken)
	return http.DefaultTransport.RoundTrip(r)
}

func connect(t *testing.T, transport sdk.Transport, version string) *sdk.ClientSession {
	t.Helper()
	session, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), transport, &sdk.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatal(err)
	}
	if got := session.InitializeResult().ProtocolVersion; got != version {
		t.Fatalf("the version is %s, want %s", got, version)
	}
	return session
}

// onEach runs a test over every connection in every era.
func onEach(t *testing.T, test func(t *testing.T, connect func(*testing.T, *Server) *sdk.ClientSession)) {
	t.Helper()
	for _, c := range connections {
		for _, era := range eras {
			t.Run(c.name+" "+era, func(t *testing.T) {
				t.Parallel()
				test(t, func(t *testing.T, s *Server) *sdk.ClientSession { t.Helper(); return c.connect(t, s, era) })
			})
		}
	}
}

// sample returns a server over the sample, with the default limits.
func sample(t *testing.T) (s *Server, corpus string) {
	t.Helper()
	corpus = servertest.Sample(t, examples)
	return New(Options{Version: "test", Service: servertest.Service(t, nil, corpus)}), corpus
}

// call calls a tool, and returns the text of its result.
func call(t *testing.T, session *sdk.ClientSession, tool string, arguments map[string]any) (text string, result *sdk.CallToolResult) {
	t.Helper()
	result, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		t.Fatalf("%s %v: %v", tool, arguments, err)
	}
	if len(result.Content) != 1 {
		t.Fatalf("%s %v: %d contents, want 1", tool, arguments, len(result.Content))
	}
	return result.Content[0].(*sdk.TextContent).Text, result //nolint:forcetypeassert // fails the test
}

// ok calls a tool, which must succeed, and decodes its value.
func ok[T any](t *testing.T, session *sdk.ClientSession, tool string, arguments map[string]any) (value T, text string) {
	t.Helper()
	text, result := call(t, session, tool, arguments)
	if result.IsError {
		t.Fatalf("%s %v: %s", tool, arguments, text)
	}
	if err := json.Unmarshal(encode(t, result.StructuredContent), &value); err != nil {
		t.Fatal(err)
	}
	return value, text
}

func encode(t *testing.T, v any) []byte {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// matches fails if the value of a result is not what its tool advertises.
func matches(t *testing.T, tool *sdk.Tool, result *sdk.CallToolResult) {
	t.Helper()
	schema := &jsonschema.Schema{}
	if err := json.Unmarshal(encode(t, tool.OutputSchema), schema); err != nil {
		t.Fatal(err)
	}
	eachSchema(schema, func(s *jsonschema.Schema) {
		if s.Type == "object" {
			s.AdditionalProperties = &jsonschema.Schema{Not: &jsonschema.Schema{}} // nothing that is not advertised
		}
	})
	resolved, err := schema.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := resolved.Validate(result.StructuredContent); err != nil {
		t.Errorf("%s: the result does not match its schema: %v\n%.500s", tool.Name, err, encode(t, result.StructuredContent))
	}
	if raw := encode(t, result.StructuredContent); bytes.Contains(raw, []byte(":null")) {
		t.Errorf("%s: the result has a null: %.500s", tool.Name, raw)
	}
}

// tools returns the list of tools, by name.
func tools(t *testing.T, session *sdk.ClientSession) (list *sdk.ListToolsResult, byName map[string]*sdk.Tool) {
	t.Helper()
	list, err := session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	byName = map[string]*sdk.Tool{}
	for _, tool := range list.Tools {
		byName[tool.Name] = tool
	}
	return list, byName
}

// waitUntil waits until something has happened.
func waitUntil(t *testing.T, what string, happened func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !happened(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s did not happen", what)
		}
	}
}

// TestLineThatIsNotAMessage ends a server by a line that is not a message.
func TestLineThatIsNotAMessage(t *testing.T) {
	t.Parallel()
	for name, line := range map[string]string{
		"text": "hello", "half a message": `{"jsonrpc":"2.0",`, "other JSON": `{"a":1}`, "a number": "1", "an empty batch": "[]", "two in a line": `{"jsonrpc":"2.0","id":1,"method":"ping"} {}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, _ := sample(t)
			var out bytes.Buffer
			err := s.Run(t.Context(), io.NopCloser(strings.NewReader(line+"\n")), nopCloser{&out})
			if !errors.Is(err, ErrMessage) {
				t.Errorf("Run: %v", err)
			}
			if out.Len() > 0 && !json.Valid(out.Bytes()) {
				t.Errorf("it writes %q", out.String())
			}
		})
	}
}

// TestEnd ends a server by the end of its input, and by its context.
func TestEnd(t *testing.T) {
	t.Parallel()
	s, _ := sample(t)
	if err := s.Run(t.Context(), io.NopCloser(strings.NewReader("\n")), nopCloser{io.Discard}); err != nil {
		t.Errorf("Run at the end of its input: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	in, _ := io.Pipe()
	if err := s.Run(ctx, in, nopCloser{io.Discard}); err != nil {
		t.Errorf("Run at the end of its context: %v", err)
	}
}

// TestOutputThatIsClosed ends a server whose client reads no more.
func TestOutputThatIsClosed(t *testing.T) {
	t.Parallel()
	s, _ := sample(t)
	in, client := io.Pipe()
	broken := errors.New("no space")
	go func() {
		_, _ = io.WriteString(client, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`+"\n")
	}()
	if err := s.Run(t.Context(), in, failing{broken}); !errors.Is(err, broken) || errors.Is(err, ErrMessage) {
		t.Errorf("Run: %v, want %v", err, broken)
	}
}

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }
func (failing) Close() error                { return nil }
