//go:build unix

package cli_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/cli"
	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

// TestStatusOfRequests shows that a run is requested, and why one failed, of a corpus before and after its first run.
func TestStatusOfRequests(t *testing.T) {
	t.Parallel()
	p := newProgram(t, neo4jtest.Server(t))
	store, err := p.open()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close(context.Background()) })
	request := func() {
		t.Helper()
		if err := store.RequestRun(t.Context(), p.corpus, false); err != nil {
			t.Fatal(err)
		}
	}
	fail := func() {
		t.Helper()
		cause := errors.New("no\nroom")
		err := index.RunRequested(t.Context(), store, index.Options{Corpus: p.corpus}, error.Error, func(context.Context, index.Options) error { return cause })
		if !errors.Is(err, cause) {
			t.Fatal(err)
		}
	}
	const requested, failed = "a run is requested, which a `neorag serve`", "the requested run failed: no room"
	absent := func(want string) {
		t.Helper()
		if message := checkFailure(t, p.run("status"), 1); !strings.Contains(message, "no such corpus") || !strings.Contains(message, want) {
			t.Errorf("status: %s, want %q", message, want)
		}
	}
	shown := func(label, want string) (s cli.Status) {
		t.Helper()
		if text := p.ok("status").stdout; !strings.Contains(text, "\n  "+label+" ") || !strings.Contains(text, want) {
			t.Errorf("status, want %s and %q:\n%s", label, want, text)
		}
		if err := json.Unmarshal([]byte(p.ok("status", "--json").stdout), &s); err != nil {
			t.Fatal(err)
		}
		return s
	}

	absent("neorag index PATH")
	request()
	absent(requested)
	fail()
	absent(failed)
	p.ok("index", letters(t))
	if text := p.ok("status").stdout; strings.Contains(text, "requested") {
		t.Errorf("status after another run:\n%s", text)
	}
	request()
	if s := shown("waiting", requested); !s.Requested || s.Failure != "" {
		t.Errorf("requested %v, failure %q", s.Requested, s.Failure)
	}
	fail()
	if s := shown("failed", failed); s.Requested || s.Failure != "no\nroom" {
		t.Errorf("requested %v, failure %q", s.Requested, s.Failure)
	}
}
