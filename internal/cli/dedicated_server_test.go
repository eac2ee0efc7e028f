//go:build unix

package cli_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/neorag/neorag/internal/store/localneo4j"
	"github.com/neorag/neorag/internal/store/localneo4j/jars"
	"github.com/neorag/neorag/internal/testkit/faulttest"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
	"github.com/neorag/neorag/internal/testkit/testcorpora"
)

// startServer starts the server of a folder, and stops it when the test ends. If this
// process is killed, the server ends with it.
func startServer(t *testing.T, o localneo4j.Options) (localneo4j.Server, neo4jtest.Conn) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	server, _, err := localneo4j.Up(ctx, o)
	if errors.Is(err, jars.ErrMissing) || errors.Is(err, localneo4j.ErrNoJava) {
		testcorpora.Missing(t, "neo4j", err.Error())
	}
	if err != nil {
		t.Fatal(err)
	}
	watch := exec.CommandContext(context.WithoutCancel(t.Context()), "sh", "-c", `read -r line; [ "$line" = done ] || kill -9 "$1"`, "sh", strconv.Itoa(server.PID))
	watch.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	in, err := watch.StdinPipe()
	if err == nil {
		err = watch.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		stopServer(t, o)
		_, _ = in.Write([]byte("done\n"))
		_ = in.Close()
		_ = watch.Wait()
	})
	password, err := localneo4j.Password(server)
	if err != nil {
		t.Fatal(err)
	}
	return server, neo4jtest.Conn{URI: server.URI, User: server.User, Password: password}
}

func stopServer(t *testing.T, o localneo4j.Options) {
	t.Helper()
	if _, err := localneo4j.Down(context.Background(), o); err != nil {
		t.Error(err)
	}
}

// TestDedicatedServer tests what needs a server that no other test uses, in one test,
// since starting it and planning each statement for the first time take long.
func TestDedicatedServer(t *testing.T) {
	t.Parallel()
	faulttest.Nightly(t, "starts a server with little memory")
	neo4jtest.Server(t) // skips without a server
	want, _ := uninterrupted(t)
	o := localneo4j.Options{Data: t.TempDir(), Mode: localneo4j.Java, Throwaway: true, NoFetch: true}
	server, conn := startServer(t, o)
	p, docs := newProgram(t, conn), lastStave(t)
	t.Run("stops", func(t *testing.T) { serverStops(t, p, docs, func() { stopServer(t, o) }) })
	o.BoltPort, _ = strconv.Atoi(server.URI[strings.LastIndexByte(server.URI, ':')+1:])
	startServer(t, o)
	t.Run("restarts", func(t *testing.T) {
		p.ok("index", "--offline", docs)
		checkSameDump(t, want, p.dump())
	})
	t.Run("removed after a kill", func(t *testing.T) { removedAfterKill(t, p, docs) })
}

// serverStops stops the server during a run, which must give up in time and report
// it in one line.
func serverStops(t *testing.T, p *program, docs string, stop func()) {
	t.Helper()
	r := p.start("index", "--offline", docs)
	r.waitFor(stageEnded("chunk"))
	stop()
	begin := time.Now()
	outcome := r.wait()
	if took := time.Since(begin); took > time.Minute {
		t.Errorf("it took %v to give up", took)
	}
	message := checkServerGone(t, outcome)
	if strings.Contains(message, p.conn.Password) {
		t.Errorf("the password is shown:\n%s", message)
	}
}

// checkServerGone checks that a run failed because its server was gone, and says what to
// do. It returns the message.
func checkServerGone(t *testing.T, o outcome) string {
	t.Helper()
	message := checkFailure(t, o, 1)
	for _, want := range []string{"cannot connect to Neo4j", "restart Neo4j", "continues where it stopped"} {
		if !strings.Contains(message, want) {
			t.Errorf("no %q in\n%s", want, message)
		}
	}
	return message
}

// removedAfterKill checks that removing a corpus does not wait for the lease of a
// killed index run.
func removedAfterKill(t *testing.T, p *program, docs string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(docs, "more.txt"), []byte("Scrooge met Clara Hale in Glasgow. Clara Hale told Scrooge about Tobias Reed.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	r := p.start("index", "--offline", docs)
	r.waitFor(stageEnded("chunk"))
	r.signal(syscall.SIGKILL)
	if o := r.wait(); o.signal != syscall.SIGKILL {
		t.Errorf("the run ended before it was killed: exit %d\n%s", o.code, o.stderr)
	}
	removed := p.ok("remove", "--yes", "--corpus", p.corpus)
	if !regexp.MustCompile(`^Deleted corpus \S+: 2 documents, [1-9]\d+ entities, and its indexes\.\n$`).MatchString(removed.stdout) {
		t.Errorf("got %s%s", removed.stdout, removed.stderr)
	}
	if message := checkFailure(t, p.run("status"), 1); !strings.Contains(message, "no such corpus") {
		t.Errorf("status afterwards: %s", message)
	}
}
