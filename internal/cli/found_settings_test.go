//go:build unix

package cli_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/neorag/neorag/internal/cli"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

const secretWord = "canary-8813"

// A wiretap is a server that a planted file names. It accepts Bolt and keeps what it
// receives.
type wiretap struct {
	listener net.Listener
	mu       sync.Mutex
	received bytes.Buffer
	conns    sync.WaitGroup
}

func newWiretap(t *testing.T) *wiretap {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w := &wiretap{listener: l}
	w.conns.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			w.conns.Go(func() { w.serve(conn) })
		}
	})
	t.Cleanup(func() { _ = l.Close(); w.conns.Wait() })
	return w
}

// serve speaks as much Bolt 5.8 as a client needs to send its password, and refuses
// every request over HTTP.
func (w *wiretap) serve(conn net.Conn) {
	defer func() { _ = conn.Close() }()
	const hello = "\xb1\x70\xa2\x86server\x8cNeo4j/5.26.0\x8dconnection_id\x86bolt-1"
	buffer := make([]byte, 64<<10)
	for {
		n, err := conn.Read(buffer)
		w.mu.Lock()
		w.received.Write(buffer[:n])
		got := w.received.String()
		w.mu.Unlock()
		reply := "\x00" + string(rune(len(hello))) + hello + "\x00\x00"
		switch {
		case bytes.HasPrefix(buffer[:n], []byte{0x60, 0x60, 0xB0, 0x17}):
			reply = "\x00\x00\x08\x05"
		case bytes.HasPrefix(buffer[:n], []byte("POST ")):
			reply = "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n"
		case strings.Contains(got, secretWord):
			return
		}
		if _, werr := io.WriteString(conn, reply); err != nil || werr != nil {
			return
		}
	}
}

func (w *wiretap) address() string { return w.listener.Addr().String() }

// text returns what was received so far.
func (w *wiretap) text() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.received.String()
}

// runIn runs the program within this process, with a working directory.
func runIn(t *testing.T, dir string, env map[string]string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = cli.Main(context.WithoutCancel(t.Context()), cli.Env{
		Args: append([]string{"neorag"}, args...), Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Dir: dir,
		Getenv: func(name string) string { return env[name] },
	})
	return code, out.String(), errs.String()
}

// plantedState is a state file that names a server and, as the file of its password,
// another file.
func plantedState(address, passwordFile string) string {
	return fmt.Sprintf(`{"uri": "bolt://%s", "user": "neo4j", "password_file": %q, "mode": "docker", "ready": true}`, address, passwordFile)
}

// TestFoundSettings runs commands in a folder whose settings file was planted. The
// server that the file names must receive nothing, until the user trusts the file.
func TestFoundSettings(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, settings string
		env            map[string]string
		args           []string
		key            string // that is reported as ignored
	}{
		{"a local file as a password", "server: {data: data}\n", nil, []string{"status"}, "server.data"},
		{"a local file as a password, with JSON", "server: {data: data}\n", nil, []string{"status", "--json"}, "server.data"},
		{"a local file as a password, in doctor", "server: {data: data}\n", nil, []string{"doctor"}, "server.data"},
		{"the password of Neo4j", "neo4j: {uri: \"bolt://ADDRESS\"}\n", map[string]string{"NEO4J_PASSWORD": secretWord}, []string{"status"}, "neo4j.uri"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			env := map[string]string{"NEORAG_HOME": t.TempDir()}
			maps.Copy(env, tt.env)
			checkIgnored(t, tt.settings, env, tt.key, tt.args...)
		})
	}
}

// TestFoundModels does the same with commands that use models, for which they need a
// graph.
func TestFoundModels(t *testing.T) {
	t.Parallel()
	conn := neo4jtest.Server(t)
	for _, tt := range []struct{ name, settings, variable, key string }{
		{"a named key", "models: {chat: {base_url: \"http://ADDRESS/v1\", model: m, api_key_env: MISTRAL_API_KEY}}\n", "MISTRAL_API_KEY", "models.chat.api_key_env"},
		{"the key of neorag", "models: {chat: {base_url: \"http://ADDRESS/v1\", model: m}}\n", "NEORAG_API_KEY", "models.chat.base_url"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := newProgram(t, conn)
			p.env[tt.variable], p.env["NEORAG_CACHE"] = secretWord, t.TempDir()
			checkIgnored(t, tt.settings, p.env, tt.key, "index", letters(t))
		})
	}
}

// checkIgnored runs a command in a folder with a planted settings file, in which
// ADDRESS is a server that must receive nothing, and a planted data folder.
func checkIgnored(t *testing.T, settings string, env map[string]string, key string, args ...string) {
	t.Helper()
	tap := newWiretap(t)
	dir := folder(t, "clone", map[string]string{"neorag.yaml": strings.ReplaceAll(settings, "ADDRESS", tap.address())})
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.Mkdir(filepath.Join(dir, "data"), 0o700); err != nil {
		t.Fatal(err)
	}
	for path, text := range map[string]string{secret: secretWord, filepath.Join(dir, "data", "server.json"): plantedState(tap.address(), secret)} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	_, stdout, stderr := runIn(t, dir, env, args...)
	if got := tap.text(); got != "" {
		t.Errorf("the server of the planted file received %d bytes, the canary in them: %v", len(got), strings.Contains(got, secretWord))
	}
	for _, want := range []string{key, "neorag.yaml:1", "neorag trust"} {
		if !strings.Contains(stderr, want) {
			t.Errorf("stderr has no %q:\n%s", want, stderr)
		}
	}
	if n := strings.Count(stderr, key+" ("); n != 1 {
		t.Errorf("stderr reports %s %d times:\n%s", key, n, stderr)
	}
	if args[0] != "doctor" && strings.Contains(stdout, "neorag trust") {
		t.Errorf("stdout has the warning:\n%s", stdout)
	}
}

// TestHostileNames checks that names of a planted file reach no terminal as they are.
func TestHostileNames(t *testing.T) {
	t.Parallel()
	dir := folder(t, "clone\x1b[31m\nred", map[string]string{"neorag.yaml": "neo4j: {uri: \"bolt://a\\e[31m\\nb\"}\n"})
	env := map[string]string{"NEORAG_HOME": t.TempDir()}
	for _, args := range [][]string{{"status"}, {"doctor"}, {"trust", "--show"}, {"trust"}, {"trust", "--revoke"}, {"trust", "--json"}, {"index", "docs"}} {
		env["NEORAG_HOME"] = t.TempDir()
		_, stdout, stderr := runIn(t, dir, env, args...)
		if all := stdout + stderr; strings.Contains(all, "\x1b") || strings.Contains(all, "\nred") || strings.Contains(all, "\nb") {
			t.Errorf("neorag %q prints %q", args, all)
		}
	}
}

// TestNamedSettings checks that a file that the user names or trusts is obeyed, which
// also shows that the wiretap of TestFoundSettings can receive something.
func TestNamedSettings(t *testing.T) {
	t.Parallel()
	for name, prepare := range map[string]func(t *testing.T, dir string, env map[string]string) []string{
		"by the flag": func(_ *testing.T, dir string, _ map[string]string) []string {
			return []string{"status", "--config", filepath.Join(dir, "neorag.yaml")}
		},
		"by the variable": func(_ *testing.T, dir string, env map[string]string) []string {
			env["NEORAG_CONFIG"] = filepath.Join(dir, "neorag.yaml")
			return []string{"status"}
		},
		"trusted": func(t *testing.T, dir string, env map[string]string) []string {
			if code, out, errs := runIn(t, dir, env, "trust"); code != 0 || !strings.Contains(out, "neo4j.uri") {
				t.Fatalf("trust: exit %d\n%s%s", code, out, errs)
			}
			return []string{"status"}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tap := newWiretap(t)
			dir := folder(t, "own", map[string]string{"neorag.yaml": "neo4j: {uri: \"bolt://" + tap.address() + "\"}\n"})
			env := map[string]string{"NEORAG_HOME": t.TempDir(), "NEO4J_PASSWORD": secretWord}
			args := prepare(t, dir, env)
			_, _, stderr := runIn(t, dir, env, args...)
			if !strings.Contains(tap.text(), secretWord) || strings.Contains(stderr, "neorag trust") {
				t.Errorf("the server of the settings was not used:\n%s", stderr)
			}
		})
	}
}
