package localneo4j

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/testkit/testcorpora"
)

// options returns options for a server that is stopped when the test ends. Without
// Java or jars, and with -short, the test is skipped.
func options(t *testing.T) Options {
	t.Helper()
	if testing.Short() {
		t.Skip("starts a Neo4j, which tests with -short do not")
	}
	o := Options{Data: t.TempDir(), Throwaway: true, NoFetch: true, Mode: Java, HTTPPort: NoHTTP, Progress: func(s string) { t.Log(s) }}
	full, err := o.complete()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := full.java(t.Context()); err != nil {
		testcorpora.Missing(t, "neo4j", err.Error())
	}
	if _, err := full.jars(t.Context()); err != nil {
		testcorpora.Missing(t, "neo4j", err.Error())
	}
	t.Cleanup(func() {
		if _, err := Down(context.Background(), o); err != nil {
			t.Error(err)
		}
	})
	return o
}

func up(t *testing.T, o Options) (Server, bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	begin := time.Now()
	s, started, err := Up(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("up after %v", time.Since(begin).Round(10*time.Millisecond))
	return s, started
}

func down(t *testing.T, o Options) {
	t.Helper()
	begin := time.Now()
	ran, err := Down(t.Context(), o)
	if err != nil || !ran {
		t.Fatalf("Down = %v, %v, want it stopped", ran, err)
	}
	t.Logf("down after %v", time.Since(begin).Round(10*time.Millisecond))
}

// run runs a statement over HTTP and returns the body of the response.
func run(t *testing.T, s Server, statement string) string {
	t.Helper()
	password, err := Password(s)
	if err != nil {
		t.Fatal(err)
	}
	body := strings.NewReader(`{"statement": "` + statement + `"}`)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.HTTP+"/db/neo4j/query/v2", body)
	if err != nil {
		t.Fatal(err)
	}
	req.SetBasicAuth(s.User, password)
	req.Header.Set("Content-Type", "application/json")
	return send(t, req)
}

func send(t *testing.T, req *http.Request) string {
	t.Helper()
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	b, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode >= 300 {
		t.Fatalf("%s: %s %v: %s", req.URL, resp.Status, err, b)
	}
	return string(b)
}

// TestServer uses one server for all its steps, because a start takes seconds.
func TestServer(t *testing.T) {
	o := options(t)
	o.HTTPPort = 0
	first := upTogether(t, o)
	t.Run("up again", func(t *testing.T) {
		again, started := up(t, o)
		if started {
			t.Error("a running server was started again")
		}
		if diff := cmp.Diff(first, again); diff != "" {
			t.Errorf("up again (-first +again):\n%s", diff)
		}
	})
	t.Run("find", func(t *testing.T) {
		found, err := Find(o.Data)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(first, found); diff != "" {
			t.Errorf("Find (-up +found):\n%s", diff)
		}
	})
	t.Run("password", func(t *testing.T) {
		info, err := os.Stat(first.PasswordFile)
		if err != nil {
			t.Fatal(err)
		}
		if runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
			t.Errorf("mode of %s = %v, want 0600", first.PasswordFile, info.Mode())
		}
		run(t, first, "CREATE (:Kept {n: 1})")
	})
	t.Run("no file is read", func(t *testing.T) { loadsNoFile(t, o.Data, first) })
	t.Run("browser", func(t *testing.T) {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, first.HTTP+"/browser/", nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := send(t, req); !strings.Contains(got, "Neo4j Browser") {
			t.Errorf("/browser/ is not Neo4j Browser: %.200s", got)
		}
	})
	t.Run("loopback only", func(t *testing.T) { loopbackOnly(t, first) })
	t.Run("port of another neo4j", func(t *testing.T) {
		other := options(t)
		other.BoltPort = portOf(t, first)
		_, _, err := Up(t.Context(), other)
		if !errors.Is(err, ErrPortInUse) || !strings.Contains(err.Error(), "another Neo4j") || !strings.Contains(err.Error(), "--bolt-port") {
			t.Errorf("Up on the port of a server = %v", err)
		}
	})
	t.Run("data of another neo4j", func(t *testing.T) { dataInUse(t, o) })
	t.Run("crash", func(t *testing.T) { crash(t, o, first) })
	t.Run("down", func(t *testing.T) {
		down(t, o)
		if ran, err := Down(t.Context(), o); ran || err != nil {
			t.Errorf("Down again = %v, %v, want nothing to do", ran, err)
		}
		if _, err := Find(o.Data); !errors.Is(err, ErrNotRunning) {
			t.Errorf("Find after Down = %v, want %v", err, ErrNotRunning)
		}
	})
}

// loadsNoFile checks that a statement reads no file, neither of the user nor of the
// folder for imports.
func loadsNoFile(t *testing.T, data string, s Server) {
	const canary = "canary-5512"
	outside := filepath.Join(t.TempDir(), "secret.csv")
	for _, path := range []string{outside, filepath.Join(data, "import", "secret.csv")} {
		if err := os.WriteFile(path, []byte(canary+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	password, err := Password(s)
	if err != nil {
		t.Fatal(err)
	}
	for _, address := range []string{"file://" + outside, "file:///secret.csv", "file:///../../../../../../.." + outside} {
		statement := `{"statement": "LOAD CSV FROM '` + address + `' AS line RETURN line"}`
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.HTTP+"/db/neo4j/query/v2", strings.NewReader(statement))
		if err != nil {
			t.Fatal(err)
		}
		req.SetBasicAuth(s.User, password)
		req.Header.Set("Content-Type", "application/json")
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		if err := errors.Join(err, resp.Body.Close()); err != nil {
			t.Fatal(err)
		}
		if text := string(body); strings.Contains(text, canary) || !strings.Contains(text, "errors") || !strings.Contains(text, "allow_csv_import_from_file_urls") {
			t.Errorf("LOAD CSV FROM %s: %s", address, text)
		}
	}
}

// upTogether calls Up concurrently: one of the calls starts the server.
func upTogether(t *testing.T, o Options) Server {
	t.Helper()
	o.Progress = nil
	var wg sync.WaitGroup
	servers, begun := make([]Server, 3), make([]bool, 3)
	for i := range servers {
		wg.Go(func() { servers[i], begun[i], _ = Up(t.Context(), o) })
	}
	wg.Wait()
	n := 0
	for i, s := range servers {
		if s.PID == 0 || s != servers[0] {
			t.Fatalf("server %d = %+v, want %+v", i, s, servers[0])
		}
		if begun[i] {
			n++
		}
	}
	if n != 1 {
		t.Errorf("%d calls started the server, want 1", n)
	}
	return servers[0]
}

func loopbackOnly(t *testing.T, s Server) {
	addresses, err := net.InterfaceAddrs()
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(strings.TrimPrefix(s.URI, "bolt://"))
	_, web, _ := net.SplitHostPort(strings.TrimPrefix(s.HTTP, "http://"))
	for _, a := range addresses {
		ip, ok := a.(*net.IPNet)
		if !ok || ip.IP.IsLoopback() || ip.IP.IsLinkLocalUnicast() {
			continue
		}
		dialer := net.Dialer{Timeout: time.Second}
		for _, p := range []string{port, web} {
			if conn, err := dialer.DialContext(t.Context(), "tcp", net.JoinHostPort(ip.IP.String(), p)); err == nil {
				_ = conn.Close()
				t.Errorf("the server accepts connections at %s port %s", ip.IP, p)
			}
		}
	}
}

// dataInUse starts a second server on data in use. The state file of the first one is
// removed, as if it had not been started by Up.
func dataInUse(t *testing.T, o Options) {
	kept, err := os.ReadFile(statePath(o.Data))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(statePath(o.Data)); err != nil {
		t.Fatal(err)
	}
	o.Progress = func(s string) { t.Log(s) }
	_, _, err = Up(t.Context(), o)
	t.Log(err)
	if !errors.Is(err, ErrLocked) {
		t.Errorf("Up on data in use = %v, want %v", err, ErrLocked)
	}
	if err := os.WriteFile(statePath(o.Data), kept, 0o600); err != nil {
		t.Fatal(err)
	}
}

func crash(t *testing.T, o Options, s Server) {
	if err := kill(s.PID); err != nil {
		t.Fatal(err)
	}
	st, err := readState(o.Data)
	if err != nil {
		t.Fatal(err)
	}
	if gone, err := st.gone(t.Context(), 10*time.Second); !gone || err != nil {
		t.Fatalf("killed server: gone %v, %v", gone, err)
	}
	if _, err := Find(o.Data); !errors.Is(err, ErrNotRunning) {
		t.Errorf("Find after a crash = %v, want %v", err, ErrNotRunning)
	}
	var said []string
	o.Progress = func(s string) { said = append(said, s) }
	again, started := up(t, o)
	if !started {
		t.Error("the server was not started after a crash")
	}
	if !strings.Contains(strings.Join(said, "\n"), "recovering") {
		t.Errorf("no message about the crash: %q", said)
	}
	if got := run(t, again, "MATCH (k:Kept) RETURN count(k)"); !strings.Contains(got, `"values":[[1]]`) {
		t.Errorf("after the crash: %s, want the node that was written", got)
	}
}

func portOf(t *testing.T, s Server) int {
	t.Helper()
	a, err := net.ResolveTCPAddr("tcp", strings.TrimPrefix(s.URI, "bolt://"))
	if err != nil {
		t.Fatal(err)
	}
	return a.Port
}

// When the context ends during the start, no process is left behind.
func TestUpIsCancelled(t *testing.T) {
	o := options(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var watching sync.WaitGroup
	watching.Go(func() {
		for ctx.Err() == nil {
			if _, err := os.Stat(statePath(o.Data)); err == nil { // the process has been started
				cancel()
			}
			time.Sleep(time.Millisecond)
		}
	})
	_, _, err := Up(ctx, o)
	begun := ctx.Err() != nil
	cancel()
	watching.Wait()
	if !begun || !errors.Is(err, ErrNotReady) || !errors.Is(err, context.Canceled) {
		t.Errorf("Up, cancelled when the process had started (%v) = %v", begun, err)
	}
	if _, err := os.Stat(statePath(o.Data)); err == nil {
		t.Error("a state file is left behind")
	}
}

func TestPortOfAnotherProgram(t *testing.T) {
	o := options(t)
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	o.HTTPPort = l.Addr().(*net.TCPAddr).Port
	_, _, err = Up(t.Context(), o)
	if !errors.Is(err, ErrPortInUse) || !strings.Contains(err.Error(), "--http-port") || !strings.Contains(err.Error(), "another program") {
		t.Errorf("Up on a port in use = %v", err)
	}
}

func TestHeapLargerThanMemory(t *testing.T) {
	o := options(t)
	o.HeapMB = 64 << 20
	_, _, err := Up(t.Context(), o)
	t.Log(err)
	if err == nil || !strings.Contains(err.Error(), "not enough free memory") {
		t.Errorf("Up with 64 TB of heap = %v", err)
	}
}
