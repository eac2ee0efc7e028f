package methods_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
	"github.com/neorag/neorag/internal/text/textproc"
)

// contractOptions are the options of an index that has all that any method needs.
func contractOptions(corpus string) index.Options {
	return index.Options{Corpus: corpus, With: index.ArtifactNames()}
}

// TestMethodContract holds every registered method to what all methods promise, without a
// model and with one.
func TestMethodContract(t *testing.T) {
	t.Parallel()
	c := newContract(t)
	for _, m := range query.Methods() {
		t.Run(m.Name, func(t *testing.T) {
			c := c
			if m.NeedsModel {
				checkNoModel(t, c, m)
				c = c.writing(t)
			}
			for _, promise := range []struct {
				name  string
				check func(t *testing.T, c *contract, m query.Method)
			}{
				{"an empty corpus", checkEmptyCorpus},
				{"an unknown corpus", checkUnknownCorpus},
				{"a corpus without reports", checkWithoutReports},
				{"questions", checkQuestions},
				{"a model", checkModel},
				{"a context", checkContext},
				{"a model that fails midway", checkModelFails},
				{"few tokens", checkFewTokens},
				{"a cancelled context", checkCancelled},
				{"filters", checkFilters},
				{"two corpora", checkTwoCorpora},
				{"no writes", checkNoWrites},
			} {
				t.Run(promise.name, func(t *testing.T) { promise.check(t, c, m) })
			}
		})
	}
}

// A contract is the corpora that methods are asked about.
type contract struct {
	store   *neo4jstore.Store
	onQuery *statementHook

	museum, empty, missing, bare *query.Engine // without a model
	town                         *query.Engine // a second corpus, with vectors of a model
	files                        map[string]string
	names                        []string // of museum and town
	others                       []string // of empty, missing and bare
}

func newContract(t *testing.T) *contract {
	t.Helper()
	c := &contract{onQuery: &statementHook{}}
	conn := neo4jtest.Server(t)
	var err error
	c.store, err = neo4jstore.Open(t.Context(), neo4jstore.Config{
		URI: conn.URI, Username: conn.User, Password: conn.Password, Logger: slog.New(c.onQuery),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.store.Close(context.Background()) })
	c.names = []string{neo4jtest.Borrow(t, "artifacts"), neo4jtest.Borrow(t, "model artifacts")}
	dir := minutes(t)
	c.files = textsOf(t, dir)
	c.museum = indexed(t, c.store, contractOptions(c.names[0]), dir)
	dir = townDocuments(t)
	maps.Copy(c.files, textsOf(t, dir))
	o := contractOptions(c.names[1])
	_, embedder := contractModel(t)
	o.Embedder = embedder
	indexed(t, c.store, o, dir)
	if c.town, err = query.New(c.store, query.Options{Corpus: c.names[1], Embedder: embedder}); err != nil {
		t.Fatal(err)
	}
	o = contractOptions(neo4jtest.Borrow(t, "artifacts"))
	o.WithoutReports = true
	c.bare = indexed(t, c.store, o, filepath.Join(sample, "stave-5.txt"))
	for name, text := range staves(t) {
		c.files[strings.TrimPrefix(name, "christmas-carol/")] = text
	}
	empty := neo4jtest.Borrow(t, "model")
	if err := c.store.EnsureCorpus(t.Context(), empty, textproc.Dimension); err != nil {
		t.Fatal(err)
	}
	c.others = []string{empty, neo4jtest.Corpus(t), o.Corpus}
	c.empty, c.missing = engine(t, c.store, c.others[0]), engine(t, c.store, c.others[1])
	return c
}

// townDocuments writes documents whose chunks are longer than those of minutes.
func townDocuments(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "town")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, who := range map[string]string{"council.md": "Mary Quill", "school.md": "Edith Farrow", "harbour.md": "Peter Lund"} {
		var text strings.Builder
		for _, what := range []string{"the budget of the town", "the lanterns of the quay", "the roof of the school", "a new ferry to Glasgow", "the price of herring", "the clock of the church"} {
			for _, whom := range []string{"Clara Hale", "Agnes Moor", "Walter Finch"} {
				text.WriteString(who + " talked with " + whom + " about " + what + ". " + whom + " asked " + who + " to write to the Council of Port Ellen. ")
			}
			text.WriteString("\n\n")
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte("# Notes of "+who+"\n\n"+text.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// textsOf returns the texts of the files of a folder by the URIs of their documents.
func textsOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	names, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		body, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		out[filepath.Base(dir)+"/"+filepath.Base(name)] = string(body)
	}
	return out
}

// A statementHook is a log handler that calls a function after each statement.
type statementHook struct{ call atomic.Pointer[func()] }

func (*statementHook) Enabled(context.Context, slog.Level) bool { return true }
func (h *statementHook) Handle(_ context.Context, r slog.Record) error {
	if call := h.call.Load(); call != nil && r.Message == "statement" {
		(*call)()
	}
	return nil
}
func (h *statementHook) WithAttrs([]slog.Attr) slog.Handler { return h }
func (h *statementHook) WithGroup(string) slog.Handler      { return h }

// contractQuestion is a question that both corpora answer.
const contractQuestion = "What was said about the budget?"

// needs reports whether a method needs a part of an index.
func needs(m query.Method, a query.Artifact) bool { return slices.Contains(m.Needs, a) }

// sound checks what every answer promises: all numbers have a reference, all references
// quote a file, and whatever has no reference is the remark that nothing was found.
func (c *contract) sound(t *testing.T, a query.Answer) {
	t.Helper()
	if len(a.References) == 0 {
		if a.Answer == "" || number.MatchString(a.Answer) || len(a.Citations) > 0 {
			t.Errorf("without references: %q", a.Answer)
		}
		return
	}
	dangling := a // a model cites what does not exist; that is removed, and counted
	dangling.Dangling = 0
	checkAnswer(t, dangling, c.files)
	for _, s := range a.Citations {
		if text := c.files[s.Document]; s.Quote != "" && !strings.Contains(text, s.Quote) {
			t.Errorf("%s does not contain %q", s.Document, s.Quote)
		}
	}
}

// checkNoModel: a method that needs a chat model says so.
func checkNoModel(t *testing.T, c *contract, m query.Method) {
	t.Helper()
	q := query.Question{Text: contractQuestion, Method: m.Name}
	_, err := c.museum.Ask(t.Context(), q)
	_, retrieveErr := c.museum.Retrieve(t.Context(), q)
	if !errors.Is(err, query.ErrNoModel) || !errors.Is(retrieveErr, query.ErrNoModel) {
		t.Errorf("without a model: got %v and %v, want ErrNoModel", err, retrieveErr)
	}
}

func checkEmptyCorpus(t *testing.T, c *contract, m query.Method) {
	_, err := c.empty.Ask(t.Context(), query.Question{Text: contractQuestion, Method: m.Name})
	if !errors.Is(err, query.ErrNotIndexed) {
		t.Errorf("got %v, want ErrNotIndexed", err)
	}
}

func checkUnknownCorpus(t *testing.T, c *contract, m query.Method) {
	_, err := c.missing.Ask(t.Context(), query.Question{Text: contractQuestion, Method: m.Name})
	if !errors.Is(err, query.ErrNotIndexed) || !strings.Contains(err.Error(), "neorag index") {
		t.Errorf("got %v, want ErrNotIndexed and what to do", err)
	}
}

func checkWithoutReports(t *testing.T, c *contract, m query.Method) {
	for _, text := range []string{"Who is Scrooge?", "What are the main themes?"} {
		a, err := c.bare.Ask(t.Context(), query.Question{Text: text, Method: m.Name})
		switch {
		case needs(m, query.Reports):
			if !errors.Is(err, query.ErrNotIndexed) {
				t.Errorf("%q: got %v, want ErrNotIndexed", text, err)
			}
		case err != nil:
			t.Errorf("%q: %v", text, err)
		default:
			c.sound(t, a)
		}
	}
}

// checkQuestions asks questions of several forms, each twice.
func checkQuestions(t *testing.T, c *contract, m query.Method) {
	long := strings.Repeat("What did Clara Hale say to Tobias Reed (the clerk!) about the \"budget\" of the museum & its roof? ", 110)[:10_000]
	for name, q := range map[string]struct {
		text  string
		found bool
	}{
		"plain":           {contractQuestion, true},
		"German":          {"Worüber sprach Clara Hale im Harbour Museum?", true},
		"Japanese":        {"博物館の予算について何が話されましたか。", false},
		"10,000 letters":  {long, true},
		"syntax":          {`title:"a" AND (b OR ) ^~* \ / [ TO ] {{question}} <<< 0123456789ab >>>`, false},
		"words of no use": {"the of and?", false},
		"bytes":           {"budget \xff\x00 museum", false},
	} {
		a := ask(t, c.museum, query.Question{Text: q.text, Method: m.Name})
		if q.found && len(a.References) == 0 {
			t.Errorf("%s: nothing was found: %q", name, a.Answer)
		}
		c.sound(t, a)
	}
}

// checkFilters: a method that takes filters cites only what they keep; another refuses them
// by name.
func checkFilters(t *testing.T, c *contract, m query.Method) {
	for _, f := range []query.Filter{{Documents: []string{"2026-03*"}}, {After: "2026-10"}, {Types: []string{"person"}, Before: "2026-02"}} {
		a, err := c.museum.Ask(t.Context(), query.Question{Text: contractQuestion, Method: m.Name, Filter: f})
		if !m.Scoped {
			if !errors.Is(err, query.ErrFilter) || !strings.Contains(err.Error(), m.Name) {
				t.Errorf("%s: got %v, want ErrFilter that names the method", f, err)
			}
			continue
		}
		if err != nil || len(a.References) == 0 {
			t.Errorf("%s: %d references, %v", f, len(a.References), err)
			continue
		}
		c.sound(t, a)
		for _, r := range a.References {
			month := strings.TrimPrefix(r.Document, "minutes/2026-")
			if kept := f.After != "" && month >= "10" || f.Before != "" && month < "02" || f.Documents != nil && month[:2] == "03"; !kept {
				t.Errorf("%s: reference to %s", f, r.Document)
			}
		}
	}
}

// checkTwoCorpora: a method that takes several corpora cites that which answers; another
// refuses them by name.
func checkTwoCorpora(t *testing.T, c *contract, m query.Method) {
	both, err := query.Federate(c.museum, c.town)
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{"What does the Harbour Museum pay for the lanterns?": c.names[0], "What did Edith Farrow say about the ferry to Glasgow?": c.names[1]} {
		a, err := both.Ask(t.Context(), query.Question{Text: text, Method: m.Name})
		if !m.Scoped {
			if !errors.Is(err, query.ErrFilter) || !strings.Contains(err.Error(), m.Name) {
				t.Errorf("got %v, want ErrFilter that names the method", err)
			}
			continue
		}
		if err != nil || len(a.References) == 0 || a.References[0].Corpus != want {
			t.Errorf("%q: references %+v, %v, want the first of %s", text, a.References, err, want)
			continue
		}
		c.sound(t, a)
	}
}

// checkNoWrites compares all of a corpus before and after a question.
func checkNoWrites(t *testing.T, c *contract, m query.Method) {
	dump := func() (lines []string) {
		err := c.store.Dump(t.Context(), c.names[0], "", func(line []byte) error {
			lines = append(lines, string(line))
			return nil
		})
		counts, countErr := c.store.Counts(t.Context(), c.names[0])
		if err := errors.Join(err, countErr); err != nil {
			t.Fatal(err)
		}
		return append(lines, fmt.Sprintf("%+v", counts))
	}
	before := dump()
	if _, err := c.museum.Ask(t.Context(), query.Question{Text: contractQuestion, Method: m.Name}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, dump()); diff != "" || len(before) < 50 {
		t.Errorf("%d lines (-before +after):\n%s", len(before), diff)
	}
}

// sameAnswer compares two answers to a question.
func sameAnswer(a, b query.Answer) string {
	return cmp.Diff(a, b, cmpopts.IgnoreFields(query.Answer{}, "Seconds"))
}
