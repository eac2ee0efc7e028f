//go:build unix

package browsertest_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/neorag/neorag/internal/browsertest/chromium"
	browser "github.com/neorag/neorag/internal/browsertest/neo4jbrowser"
	"github.com/neorag/neorag/internal/store/localneo4j"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
	"github.com/neorag/neorag/internal/testkit/testcorpora"
	"github.com/neorag/neorag/internal/view/neobrowser"
)

// A program is a build of neorag with an environment.
type program struct {
	path string
	env  []string
}

// TestExploreInNeo4jBrowser opens the address that `neorag explore` prints in a real
// Neo4j Browser, logs in, turns the guide to the page of communities, applies its style
// sheet and runs its query; then it drops the favourites on the window and runs one.
// Each time the entities have the colours of their communities.
func TestExploreInNeo4jBrowser(t *testing.T) {
	t.Parallel()
	path, err := chromium.Find()
	if err != nil {
		testcorpora.Missing(t, "chromium", err.Error())
	}
	conn, address := startNeo4j(t)
	p := buildProgram(t, conn)
	p.run(t, "index", "--offline", "--quiet", filepath.Join("..", "..", "examples", "christmas-carol", "stave-5.txt"))
	want := p.rootColors(t)
	open, base := p.explore(t, address)

	page, end, err := browser.Open(t.Context(), path, 1120, 720)
	if err != nil {
		t.Fatal(err)
	}
	defer end()
	must(t, browser.Login(page, open, conn.Password))
	must(t, browser.GuidePage(page, 4))
	must(t, browser.GuideStyle(page))
	must(t, browser.GuideQuery(page, 0))
	checkColors(page, t, "the query of the guide", want)

	must(t, browser.Drop(page, neobrowser.FavouritesName, download(t, base+"/"+neobrowser.FavouritesName)))
	must(t, browser.Command(page, ":clear"))
	must(t, browser.Favourite(page, "Entities", "Entities: the most connected, as a picture"))
	checkColors(page, t, "the favourite", want)
}

// startNeo4j starts a server with Neo4j Browser, which no other test uses, and returns
// the address of the Browser too. It stops with the test.
func startNeo4j(t *testing.T) (neo4jtest.Conn, string) {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := listener.Addr().(*net.TCPAddr).Port
	must(t, listener.Close())
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	conn, stop, err := neo4jtest.Start(ctx, "", localneo4j.Options{HTTPPort: port, NoFetch: true})
	if err != nil {
		testcorpora.Missing(t, "neo4j", err.Error())
	}
	t.Cleanup(func() {
		if err := stop(); err != nil {
			t.Error(err)
		}
	})
	return conn, fmt.Sprintf("http://127.0.0.1:%d", port)
}

// buildProgram builds neorag and connects it to a server.
func buildProgram(t *testing.T, conn neo4jtest.Conn) program {
	t.Helper()
	dir := t.TempDir()
	p := program{path: filepath.Join(dir, "neorag"), env: append(os.Environ(),
		"NEO4J_URI="+conn.URI, "NEO4J_USERNAME="+conn.User, "NEO4J_PASSWORD="+conn.Password, "NEORAG_HOME="+dir, "NEORAG_CORPUS=explore")}
	build := exec.CommandContext(t.Context(), "go", "build", "-o", p.path, "./cmd/neorag")
	build.Dir = filepath.Join("..", "..")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return p
}

// run runs the program and returns what it printed.
func (p program) run(t *testing.T, args ...string) []byte {
	t.Helper()
	var out, errs bytes.Buffer
	cmd := exec.CommandContext(t.Context(), p.path, args...)
	cmd.Env, cmd.Stdout, cmd.Stderr = p.env, &out, &errs
	if err := cmd.Run(); err != nil {
		t.Fatalf("neorag %v: %v\n%s", args, err, errs.Bytes())
	}
	return out.Bytes()
}

// explore starts `neorag explore`, which ends with the test, and returns the address
// that it prints and that of its files.
func (p program) explore(t *testing.T, browserAddress string) (open, base string) {
	t.Helper()
	var errs bytes.Buffer
	cmd := exec.CommandContext(t.Context(), p.path, "explore", "--json", "--browser", browserAddress)
	cmd.Env, cmd.Stderr = p.env, &errs
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	must(t, cmd.Start())
	t.Cleanup(func() {
		_ = cmd.Wait() // the context of the test has ended, and is the error
		if code := cmd.ProcessState.ExitCode(); code != 0 || errs.Len() > 0 {
			t.Errorf("neorag explore exits with %d after Ctrl-C: %s", code, errs.Bytes())
		}
	})
	var printed struct{ Browser, Base string }
	if err := json.NewDecoder(out).Decode(&printed); err != nil {
		t.Fatalf("read the output of neorag explore: %v", err)
	}
	return printed.Browser, printed.Base
}

// rootColors returns the colours of entities, by name, that their communities of
// level 0 have in an export.
func (p program) rootColors(t *testing.T) map[string]string {
	t.Helper()
	var graph struct {
		Communities []struct{ Key, Color string }
		Nodes       []struct {
			Name        string
			Communities []string
		}
	}
	must(t, json.Unmarshal(p.run(t, "export", "--format", "json"), &graph))
	byKey, colors := map[string]string{}, map[string]string{}
	for _, c := range graph.Communities {
		byKey[c.Key] = c.Color
	}
	for _, n := range graph.Nodes {
		if len(n.Communities) > 0 {
			colors[n.Name] = byKey[n.Communities[0]]
		}
	}
	return colors
}

// checkColors compares the nodes of the newest graph with the colours wanted.
func checkColors(page context.Context, t *testing.T, what string, want map[string]string) {
	t.Helper()
	nodes, err := browser.Nodes(page)
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	seen, compared := map[string]bool{}, 0
	for _, n := range nodes {
		color, known := want[n.Caption]
		if !known {
			continue // the caption is shortened, or the entity is in no community
		}
		compared++
		seen[n.Fill] = true
		if n.Fill != color {
			t.Errorf("%s: %s is %s, want %s", what, n.Caption, n.Fill, color)
		}
	}
	if compared < 5 || len(seen) < 3 {
		t.Errorf("%s: %d of %d nodes compared, in %d colours: %v", what, compared, len(nodes), len(seen), nodes)
	}
}

func download(t *testing.T, address string) []byte {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(answer.Body)
	if err := errors.Join(err, answer.Body.Close()); err != nil || answer.StatusCode != http.StatusOK {
		t.Fatalf("download %s: %s, %v", address, answer.Status, err)
	}
	return body
}
