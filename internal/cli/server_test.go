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

	"github.com/neorag/neorag/internal/localneo4j"
	"github.com/neorag/neorag/internal/localneo4j/jars"
	"github.com/neorag/neorag/internal/neo4jtest"
	"github.com/neorag/neorag/internal/testcorpora"
)

// up starts the server of a folder, which ends with the test, and with this
// process should that be killed.
func up(t *testing.T, o localneo4j.Options) (localneo4j.Server, neo4jtest.Conn) {
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
		down(t, o)
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

func down(t *testing.T, o localneo4j.Options) {
	t.Helper()
	if _, err := localneo4j.Down(context.Background(), o); err != nil {
		t.Error(err)
	}
}

// TestServerOfItsOwn follows a server that no other test uses, since a start and
// the first plan of every statement take long.
func TestServerOfItsOwn(t *testing.T) {
	t.Parallel()
	neo4jtest.Server(t) // skips where there is none
	want, _ := undisturbed(t)
	o := localneo4j.Options{Data: t.TempDir(), Mode: localneo4j.Java, Throwaway: true, NoFetch: true}
	server, conn := up(t, o)
	p, docs := newProgram(t, conn), tale(t)
	t.Run("goes away", func(t *testing.T) { goesAway(t, p, docs, func() { down(t, o) }) })
	o.BoltPort, _ = strconv.Atoi(server.URI[strings.LastIndexByte(server.URI, ':')+1:])
	up(t, o)
	t.Run("comes back", func(t *testing.T) {
		p.ok("index", "--offline", docs)
		same(t, want, p.dump())
	})
	t.Run("removed after a kill", func(t *testing.T) { removedAfterKill(t, p, docs) })
}

// goesAway stops the server in the middle of a run. The run gives up in time and
// says so in a line.
func goesAway(t *testing.T, p *program, docs string, down func()) {
	t.Helper()
	r := p.start("index", "--offline", docs)
	r.sees(stageEnded("chunk"))
	down()
	begin := time.Now()
	told := refused(t, r.wait(), 1)
	if took := time.Since(begin); took > time.Minute {
		t.Errorf("it took %v to give up", took)
	}
	for _, says := range []string{"no Neo4j can be reached", "start Neo4j again", "goes on where it stopped"} {
		if !strings.Contains(told, says) {
			t.Errorf("no %q in\n%s", says, told)
		}
	}
	if strings.Contains(told, p.conn.Password) {
		t.Errorf("the password is shown:\n%s", told)
	}
}

// removedAfterKill: who removes a corpus whose indexer was killed has not to
// wait until its lease runs out.
func removedAfterKill(t *testing.T, p *program, docs string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(docs, "more.txt"), []byte("Scrooge met Clara Hale in Glasgow. Clara Hale told Scrooge about Tobias Reed.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	r := p.start("index", "--offline", docs)
	r.sees(stageEnded("chunk"))
	r.signal(syscall.SIGKILL)
	r.wait()
	removed := p.ok("remove", "--corpus", p.corpus)
	if !regexp.MustCompile(`^Corpus \S+ is removed: 2 documents, [1-9]\d+ entities, with its indexes\.\n$`).MatchString(removed.stdout) {
		t.Errorf("got %s%s", removed.stdout, removed.stderr)
	}
	if told := refused(t, p.run("status"), 1); !strings.Contains(told, "no such corpus") {
		t.Errorf("status afterwards: %s", told)
	}
}
