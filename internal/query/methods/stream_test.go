package methods_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/testkit/fakemodel"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
	"github.com/neorag/neorag/prompts"
)

// A changing corpus is indexed again whenever grow is called: another generation of its
// communities and reports becomes visible.
type changing struct {
	*testing.T
	store  *neo4jstore.Store
	corpus string
	dir    string
	grown  int
}

func newChanging(t *testing.T) *changing {
	t.Helper()
	c := &changing{T: t, store: open(t), corpus: neo4jtest.Borrow(t, "artifacts"), dir: filepath.Join(t.TempDir(), "town")}
	if err := os.Mkdir(c.dir, 0o750); err != nil {
		t.Fatal(err)
	}
	c.grow()
	return c
}

// grow adds a document and indexes it. It may be called by other goroutines than the test's.
func (c *changing) grow() {
	c.grown++
	text := fmt.Sprintf("Clara Hale opened the Museum of Town %[1]d with Tobias Reed. Tobias Reed met Mary Quill %[1]d in Glasgow. Mary Quill %[1]d thanked Clara Hale.\n", c.grown)
	if err := os.WriteFile(filepath.Join(c.dir, fmt.Sprintf("%d.txt", c.grown)), []byte(strings.Repeat(text, 3)), 0o600); err != nil {
		c.Error(err)
	}
	before, _ := c.store.Generation(c.Context(), c.corpus)
	x, err := index.New(c.store, contractOptions(c.corpus))
	if err == nil {
		_, err = x.Run(c.Context(), []string{c.dir})
	}
	if err != nil {
		c.Error(err)
	}
	if now, err := c.store.Generation(c.Context(), c.corpus); err != nil || now <= before {
		c.Errorf("generation %d follows %d, %v", now, before, err)
	}
}

// A stream is what a question's stream delivered: the void answers, and the last one.
type stream struct {
	void []string
	last strings.Builder
	whys []string
}

func (s *stream) of(q query.Question) query.Question {
	q.Stream = func(delta string) { s.last.WriteString(delta) }
	q.OnRestart = func(why string) {
		s.void, s.whys = append(s.void, s.last.String()), append(s.whys, why)
		s.last.Reset()
	}
	return q
}

// TestNewGenerationWhileAnswering makes another generation visible at every moment of an
// answer: it is made again from that one. The stream is restarted only if something of the
// first answer was streamed, and ends as the second.
func TestNewGenerationWhileAnswering(t *testing.T) {
	t.Parallel()
	c := newChanging(t)
	for _, moment := range []string{"never", "while it is mapped", "before the first word", "in mid-answer"} {
		t.Run(moment, func(t *testing.T) {
			w := &interruptedWriter{moment: moment, grow: c.grow}
			server := llmtest.New(llmtest.Options{Handler: w.handle})
			t.Cleanup(server.Close)
			e := asking(t, c.store, c.corpus, server)
			for _, restarts := range []bool{true, false} {
				w.answers.Store(0)
				w.mapped.Store(false)
				q := query.Question{Text: "Who opened the museum of the town?", Method: "global"}
				var s stream
				if restarts {
					q = s.of(q)
				} else {
					q.Stream = func(delta string) {
						if s.last.Len() > 0 {
							t.Error("without OnRestart the answer is streamed in pieces")
						}
						s.last.WriteString(delta)
					}
				}
				a, err := e.Ask(t.Context(), q)
				if err != nil {
					t.Fatal(err)
				}
				w.check(t, a, &s, restarts)
				if generation, err := c.store.Generation(t.Context(), c.corpus); err != nil || generation != int64(c.grown) {
					t.Errorf("generation %d after %d runs, %v", generation, c.grown, err)
				}
			}
		})
	}
}

// An interruptedWriter is a model that calls grow at one moment of its first answer.
type interruptedWriter struct {
	moment  string
	grow    func()
	answers atomic.Int64
	mapped  atomic.Bool
}

func (w *interruptedWriter) now(moment string) {
	if moment == w.moment && w.answers.Load() < 2 {
		w.grow()
	}
}

func (w *interruptedWriter) handle(r llmtest.Request) llmtest.Reply {
	if fakemodel.Task(r) != prompts.Reduce {
		if w.mapped.CompareAndSwap(false, true) {
			w.now("while it is mapped")
		}
		return fakemodel.Handler(r)
	}
	w.answers.Add(1)
	w.now("before the first word")
	reply := fakemodel.Handler(r)
	reply.Text = fmt.Sprintf("Answer %d begins here and goes on for a while. ", w.answers.Load()) + reply.Text
	reply.Half = func(context.Context) { w.now("in mid-answer") }
	return reply
}

// check checks an answer and its stream, which restarts says can be restarted.
func (w *interruptedWriter) check(t *testing.T, a query.Answer, s *stream, restarts bool) {
	t.Helper()
	if diff := cmp.Diff(a.Answer, s.last.String()); diff != "" {
		t.Errorf("(-answer +stream):\n%s", diff)
	}
	answers, void := int64(2), 0
	switch {
	case w.moment == "never":
		answers = 1
	case w.moment == "in mid-answer" && restarts:
		void = 1
	}
	if w.answers.Load() != answers || !strings.HasPrefix(a.Answer, fmt.Sprintf("Answer %d begins", answers)) || len(a.References) == 0 {
		t.Errorf("%d answers, the last %q with %d references; want %d answers", w.answers.Load(), a.Answer, len(a.References), answers)
	}
	if len(s.void) != void {
		t.Fatalf("%d void answers (%q, %q), want %d", len(s.void), s.void, s.whys, void)
	}
	if void == 1 && (strings.Contains(s.void[0], "Answer 2") || !strings.Contains(s.whys[0], "indexed")) {
		t.Errorf("the void answer is %q, because %s", s.void[0], s.whys[0])
	}
}

// TestStreamEndsAsTheAnswer asks a model that writes links, tags and terminal sequences by
// every method: the stream and the answer are the same bytes.
func TestStreamEndsAsTheAnswer(t *testing.T) {
	t.Parallel()
	c := newChanging(t)
	server := llmtest.New(llmtest.Options{Handler: func(r llmtest.Request) llmtest.Reply {
		reply := fakemodel.Handler(r)
		switch fakemodel.Task(r) {
		case prompts.Reduce, prompts.Answer, prompts.Local:
			reply.Text = " ![x](http://evil.example/a b) " + reply.Text + "\n\n<b>bold\x1b[31m</b> [link](http://evil.example) <img src=x> [Data: Reports (99); Sources (99)]\n[r]: http://evil.example \n"
		}
		return reply
	}})
	t.Cleanup(server.Close)
	e := asking(t, c.store, c.corpus, server)
	for _, method := range query.MethodNames() {
		var s stream
		a, err := e.Ask(t.Context(), s.of(query.Question{Text: "Who opened the museum of the town?", Method: method}))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(a.Answer, s.last.String()); diff != "" || len(s.void) != 0 {
			t.Errorf("%s: %d void, (-answer +stream):\n%s", method, len(s.void), diff)
		}
		if !strings.Contains(a.Answer, "bold link") || strings.ContainsAny(a.Answer, "\x1b<>") || strings.Contains(a.Answer, "](") {
			t.Errorf("%s: %q", method, a.Answer)
		}
	}
}
