package methods_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/query/synth"
	"github.com/neorag/neorag/internal/testkit/fakemodel"
	"github.com/neorag/neorag/prompts"
)

// TestCheckQuotes answers with a statement whose quote has nothing to do with it: a model that
// finds that removes it. Whatever else the check ends with, the answer stays, and a note says so.
func TestCheckQuotes(t *testing.T) {
	t.Parallel()
	c := newChanging(t)
	const (
		idle  = "The town was poor in those hard winters"
		fact  = "Mary Quill 1 thanked Clara Hale"
		reply = idle + " [Data: Sources (1.1)]. " + fact + " [Data: Sources (1.3)]."
		whole = idle + " [1]. " + fact + " [1]."
	)
	unchecked := "1 quotes could not be checked, and are kept: "
	for _, tc := range []struct {
		name  string
		off   bool
		reply llmtest.Reply
		want  string
		note  string // holds
	}{
		{name: "not asked for", off: true, want: whole},
		{name: "nothing", reply: llmtest.Reply{Text: `{"quotes": [{"quote": 1, "supports": "nothing"}]}`}, want: idle + ". " + fact + " [1].", note: "1 quote was removed"},
		{name: "a part", reply: llmtest.Reply{Text: `{"quotes": [{"quote": 1, "supports": "part"}]}`}, want: whole},
		{name: "an unknown number", reply: llmtest.Reply{Text: `{"quotes": [{"quote": 2, "supports": "nothing"}]}`}, want: whole, note: unchecked},
		{name: "no verdict", reply: llmtest.Reply{Text: `{"quotes": []}`}, want: whole, note: unchecked},
		{name: "no JSON", reply: llmtest.Reply{Text: "I cannot help with that."}, want: whole, note: unchecked},
		{name: "cut off", reply: llmtest.Reply{Text: `{"quotes": [{"quote": 1, "supp`, Finish: "length"}, want: whole, note: unchecked},
		{name: "refused", reply: llmtest.Reply{Status: http.StatusForbidden, Message: "no more"}, want: whole, note: unchecked},
		{name: "a broken server", reply: llmtest.Reply{Status: http.StatusInternalServerError, Message: "broken"}, want: whole, note: unchecked},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			s, _ := contractModel(t)
			checks := 0
			fault := func(r llmtest.Request) *llmtest.Reply {
				switch fakemodel.Task(r) {
				case prompts.CheckQuotes:
					checks++
					return &tc.reply
				case prompts.Answer:
					return &llmtest.Reply{Text: reply}
				}
				return nil
			}
			s.fault.Store(&fault)
			var log bytes.Buffer
			e, err := query.New(c.store, query.Options{Corpus: c.corpus, Model: &synth.Model{Map: s.chat, Answer: s.chat}, Logger: slog.New(slog.NewTextHandler(&log, nil))})
			if err != nil {
				t.Fatal(err)
			}
			var shown stream
			q := shown.of(query.Question{Text: "Who thanked Clara Hale?", Method: "basic", CheckQuotes: !tc.off})
			a, err := e.Ask(t.Context(), q)
			if err != nil || a.Answer != tc.want {
				t.Fatalf("got %q, %v, want %q", a.Answer, err, tc.want)
			}
			if diff := cmp.Diff(tc.want, shown.last.String()); diff != "" || (len(shown.void) > 0) != (tc.want != whole) {
				t.Errorf("%d void answers, streamed (-want +got):\n%s", len(shown.void), diff)
			}
			if (checks == 0) != tc.off || tc.reply.Status == 0 && int(a.Usage.Calls) != 1+checks {
				t.Errorf("%d checks, %+v", checks, a.Usage)
			}
			removed := 0
			if tc.want != whole {
				removed = 1
			}
			if a.Unsupported != removed || a.Uncited != removed || a.Dangling != 0 || len(a.Citations) != 2-removed {
				t.Errorf("%d unsupported, %d uncited, %d dangling, %d citations", a.Unsupported, a.Uncited, a.Dangling, len(a.Citations))
			}
			noted := tc.note == "" || slices.ContainsFunc(a.Notes, func(n string) bool { return strings.HasPrefix(n, tc.note) })
			if failed := tc.note == unchecked; !noted || failed != strings.Contains(log.String(), "level=WARN msg=\"cannot check quotes\"") {
				t.Errorf("notes %q, log %s", a.Notes, log.String())
			}
		})
	}
	t.Run("cancelled", func(t *testing.T) {
		t.Parallel()
		s, _ := contractModel(t)
		ctx, cancel := context.WithCancel(t.Context())
		fault := func(r llmtest.Request) *llmtest.Reply {
			switch fakemodel.Task(r) {
			case prompts.CheckQuotes:
				cancel()
				return &llmtest.Reply{Status: http.StatusForbidden}
			case prompts.Answer:
				return &llmtest.Reply{Text: reply}
			}
			return nil
		}
		s.fault.Store(&fault)
		e, err := query.New(c.store, query.Options{Corpus: c.corpus, Model: &synth.Model{Map: s.chat, Answer: s.chat}})
		if err != nil {
			t.Fatal(err)
		}
		_, err = e.Ask(ctx, query.Question{Text: "Who thanked Clara Hale?", Method: "basic", CheckQuotes: true})
		if !errors.Is(err, context.Canceled) || ctx.Err() == nil {
			t.Errorf("got %v", err)
		}
	})
}
