//go:build unix

package cli_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"syscall"
	"testing"

	"github.com/neorag/neorag/internal/cli"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
	"github.com/neorag/neorag/internal/view/neobrowser"
)

// TestExploreServes checks that explore serves its files until Ctrl-C.
func TestExploreServes(t *testing.T) {
	t.Parallel()
	p := newProgram(t, neo4jtest.Server(t))
	p.ok("index", "--offline", "--quiet", letters(t))
	open, base, serving := startExplore(t, p, "http://127.0.0.1:7474")
	guide := string(get(t, base+"/"+neobrowser.GuideName))
	if !strings.HasPrefix(open, "http://127.0.0.1:7474/browser/?dbms=bolt://neo4j@127.0.0.1:") || !strings.Contains(guide, base+"/"+neobrowser.LevelName(0)) {
		t.Errorf("open %s, guide:\n%s", open, guide)
	}
	serving.signal(syscall.SIGINT)
	if o := serving.wait(); o.code != 0 || o.stderr != "" {
		t.Errorf("after Ctrl-C: exit %d, %s", o.code, o.stderr)
	}
}

// startExplore starts `neorag explore` and returns the address to open and that of
// its files.
func startExplore(t *testing.T, p *program, http string) (open, base string, r *process) {
	t.Helper()
	r = p.start("explore", "--json", "--browser", http)
	var printed cli.Explore
	complete := func() bool { return json.Unmarshal([]byte(r.stdout.String()), &printed) == nil }
	if !waitUntil(t, complete, func() string { return r.stdout.String() + r.stderr.String() }) {
		t.FailNow()
	}
	if text := r.stdout.String(); strings.Contains(text, p.conn.Password) || printed.Password != "NEO4J_PASSWORD" {
		t.Errorf("the password is shown, or where to find it is missing: %s", text)
	}
	return printed.Browser, printed.Base, r
}

func get(t *testing.T, address string) []byte {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	body, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatalf("%s: %s, %v", address, answer.Status, err)
	}
	return body
}
