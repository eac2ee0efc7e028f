//go:build unix

package cli_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/neorag/neorag/internal/cli"
	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/neo4jtest"
	"github.com/neorag/neorag/internal/neobrowser"
	"github.com/neorag/neorag/internal/neobrowser/browser"
	"github.com/neorag/neorag/internal/testcorpora"
)

// exploredInBrowser goes the way of a person in a real Neo4j Browser: open the
// address of `neorag explore`, log in, turn the guide to the communities, put
// the style sheet on and run the query; then drop the favourites on the window
// and run one. The nodes have the colours of their communities.
func exploredInBrowser(t *testing.T, p *program, http string) {
	t.Helper()
	chromium, err := browser.Find(os.Getenv("CHROMIUM"))
	if err != nil {
		testcorpora.Missing(t, "chromium", err.Error())
	}
	said, base, serving := exploring(t, p, http)

	page, end, err := browser.Open(t.Context(), chromium, 1120, 720)
	if err != nil {
		t.Fatal(err)
	}
	defer end()
	want := levelColors(t, p)
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(browser.Login(page, said, p.conn.Password))
	must(browser.GuidePage(page, 4))
	must(browser.GuideStyle(page))
	must(browser.GuideQuery(page, 0))
	drawn(page, t, "the guide's query", want)

	must(browser.Drop(page, neobrowser.FavouritesName, get(t, base+"/"+neobrowser.FavouritesName)))
	must(browser.Command(page, ":clear"))
	must(browser.Favourite(page, "Entities", "Entities: the most connected, as a picture"))
	drawn(page, t, "the favourite", want)

	serving.signal(syscall.SIGINT)
	if o := serving.wait(); o.code != 0 || o.stderr != "" {
		t.Errorf("after Ctrl-C: exit %d, %s", o.code, o.stderr)
	}
}

// TestExploreServes: the files are there while the command runs, and it ends
// with Ctrl-C.
func TestExploreServes(t *testing.T) {
	t.Parallel()
	p := newProgram(t, neo4jtest.Server(t))
	p.ok("index", "--offline", "--quiet", letters(t))
	open, base, serving := exploring(t, p, "http://127.0.0.1:7474")
	guide := string(get(t, base+"/"+neobrowser.GuideName))
	if !strings.HasPrefix(open, "http://127.0.0.1:7474/browser/?dbms=bolt://neo4j@127.0.0.1:") || !strings.Contains(guide, base+"/"+neobrowser.LevelName(0)) {
		t.Errorf("open %s, guide:\n%s", open, guide)
	}
	serving.signal(syscall.SIGINT)
	if o := serving.wait(); o.code != 0 || o.stderr != "" {
		t.Errorf("after Ctrl-C: exit %d, %s", o.code, o.stderr)
	}
}

// exploring starts `neorag explore` and gives the address that it says to open
// and that of its files.
func exploring(t *testing.T, p *program, http string) (open, base string, r *process) {
	t.Helper()
	r = p.start("explore", "--json", "--browser", http)
	var said cli.Explore
	for begin := time.Now(); json.Unmarshal([]byte(r.stdout.String()), &said) != nil; time.Sleep(5 * time.Millisecond) {
		if time.Since(begin) > time.Minute {
			t.Fatalf("explore says %q, %s", r.stdout.String(), r.stderr.String())
		}
	}
	if text := r.stdout.String(); strings.Contains(text, p.conn.Password) || said.Password != "NEO4J_PASSWORD" {
		t.Errorf("the password is shown, or it is not said where it is: %s", text)
	}
	return said.Browser, said.Base, r
}

// levelColors are the colours that entities have by their communities of level
// 0, by the names in small letters that are part of their keys.
func levelColors(t *testing.T, p *program) map[string]string {
	t.Helper()
	store, err := p.open()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = store.Close(t.Context()) }()
	generation, err := store.Generation(t.Context(), p.corpus)
	if err != nil {
		t.Fatal(err)
	}
	all, err := store.Communities(t.Context(), p.corpus, generation, true)
	if err != nil {
		t.Fatal(err)
	}
	labels := neobrowser.Corpus{Communities: all}.ByLabel()
	colors := map[string]string{}
	for _, k := range all {
		for _, m := range k.Members {
			if k.Level == 0 {
				colors[graph.Local(m)] = labels[k.Label]
			}
		}
	}
	return colors
}

// drawn holds the nodes of the newest picture to the colours.
func drawn(page context.Context, t *testing.T, what string, want map[string]string) {
	t.Helper()
	nodes, err := browser.Nodes(page)
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	seen, compared := map[string]bool{}, 0
	for _, n := range nodes {
		color, known := want[strings.ToLower(n.Caption)]
		if !known {
			continue // cut off, or in no community
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
