//go:build unix

package cli_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

// initialize is the first message of a client.
const initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}` + "\n"

// TestMCPProcess starts the command as clients do, and uses it until the client closes it.
func TestMCPProcess(t *testing.T) {
	t.Parallel()
	p := newProgram(t, neo4jtest.Server(t))
	p.ok("index", "--offline", "--quiet", letters(t))
	for _, version := range []string{"2025-06-18", "2026-07-28"} {
		cmd := exec.CommandContext(t.Context(), "neorag", "mcp", "--offline", "--show", p.corpus, "--log-level", "debug")
		for name, value := range p.env {
			cmd.Env = append(cmd.Env, name+"="+value)
		}
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), &mcp.CommandTransport{Command: cmd}, &mcp.ClientSessionOptions{ProtocolVersion: version})
		if err != nil {
			t.Fatalf("connect: %v\n%s", err, stderr.String())
		}
		result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "context", Arguments: map[string]any{"question": question}})
		if err != nil || result.IsError {
			t.Fatalf("context: %v, %+v", err, result)
		}
		if text, err := json.Marshal(result.Content); err != nil || !bytes.Contains(text, []byte("Tobias Reed")) {
			t.Errorf("context: %.500s, %v", text, err)
		}
		if err := session.Close(); err != nil {
			t.Errorf("the command ends with %v\n%s", err, stderr.String())
		}
		if !strings.Contains(stderr.String(), "server session connected") {
			t.Errorf("the log is not on standard error: %s", stderr.String())
		}
	}
}

// TestMCPInput gives the command lines that are not messages, and none: stdout has nothing but messages.
func TestMCPInput(t *testing.T) {
	t.Parallel()
	p := programOn(t, neo4jtest.Server(t), "none")
	for _, tt := range []struct {
		in, want string
		code     int
	}{
		{"", "", 0},
		{initialize, "", 0},
		{"hello\n", "a line is not an MCP message", 1},
		{initialize + "hello\n", "a line is not an MCP message", 1},
		{"<html>\n", "docs/agents.md", 1},
	} {
		file := filepath.Join(t.TempDir(), "in")
		if err := os.WriteFile(file, []byte(tt.in), 0o600); err != nil {
			t.Fatal(err)
		}
		in, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		o := p.startWith(in, "mcp", "--offline").wait()
		_ = in.Close()
		if o.code != tt.code || !strings.Contains(o.stderr, tt.want) || tt.code == 0 && o.stderr != "" {
			t.Errorf("%q: exit %d, want %d, %q\n%s", tt.in, o.code, tt.code, tt.want, o.stderr)
		}
		for line := range strings.Lines(o.stdout) {
			if !json.Valid([]byte(line)) || !strings.Contains(line, `"jsonrpc"`) {
				t.Errorf("%q: stdout has %q", tt.in, line)
			}
		}
	}
}

// TestMCPFullStdout lets the command write to where nothing can be written.
func TestMCPFullStdout(t *testing.T) {
	t.Parallel()
	p := programOn(t, neo4jtest.Server(t), "none")
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer func() { _ = full.Close() }()
	in, client, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _, _ = in.Close(), client.Close() }()
	if _, err := client.WriteString(initialize); err != nil {
		t.Fatal(err)
	}
	if o := p.startFiles(in, full, "mcp", "--offline").wait(); o.code != 1 || !strings.Contains(o.stderr, "no space left on device") {
		t.Errorf("exit %d, want 1\n%s", o.code, o.stderr)
	}
}

// TestMCPNeedsTrust refuses to run with a file that was found and chooses what is shown.
func TestMCPNeedsTrust(t *testing.T) {
	t.Parallel()
	p := programOn(t, neo4jtest.Server(t), "none")
	p.dir = folder(t, "found", map[string]string{"neorag.yaml": "serve:\n  corpora: [news]\n"})
	for _, command := range []string{"mcp", "serve"} {
		if o := p.run(command, "--offline"); o.code != 2 || !strings.Contains(o.stderr, "serve.corpora is ignored") {
			t.Errorf("%s: exit %d\n%s", command, o.code, o.stderr)
		}
	}
}
