package query

import (
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/fakemodel"
	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/llm/openai"
	"github.com/neorag/neorag/prompts"
)

// asking is an engine with a model and a cache, without a store.
func asking(t *testing.T, handler func(llmtest.Request) llmtest.Reply) (*llmtest.Server, modelled) {
	t.Helper()
	server := llmtest.New(llmtest.Options{Handler: handler})
	t.Cleanup(server.Close)
	client, err := openai.New(openai.Config{BaseURL: server.URL(), Model: "simulated"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	chat := llm.New(llm.Config{Provider: client.Chat(), Cache: &llm.Cache{Dir: t.TempDir()}, Retry: llm.Retry{Attempts: 2, FirstWait: time.Millisecond}})
	return server, modelled{&Engine{options: Options{Concurrency: 4, Model: &Model{Map: chat, Answer: chat}}}}
}

// fourReports need a window each.
func fourReports() []block {
	var blocks []block
	for _, name := range []string{"Alpha", "Beta", "Gamma", "Delta"} {
		blocks = append(blocks, block{
			key: "c/" + name, kind: graph.KindReport, title: name, text: name + " is told of.", tokens: 10,
			said: []statement{{text: name + " is told of."}},
		})
	}
	return blocks
}

var ofFour = Question{Text: "What is told?", MapTokens: 10, ReduceTokens: 1000}

// TestMapCutOff: points that the model cut off are no answer. They are never
// cached, and the answer says what share of the reports it lacks.
func TestMapCutOff(t *testing.T) {
	t.Parallel()
	var cut atomic.Value
	cut.Store("Gamma")
	server, m := asking(t, func(r llmtest.Request) llmtest.Reply {
		switch {
		case fakemodel.Task(r) != prompts.Map:
			return llmtest.Reply{Text: "All of it [Data: Reports (1, 2, 3)]."}
		case strings.Contains(r.Last(), cut.Load().(string)):
			return llmtest.Reply{Text: `{"points": [{"description": "It is [Data: Reports (1)].", "score": 90}]}`, Finish: "length"}
		}
		return llmtest.Reply{Text: `{"points": [{"description": "It is [Data: Reports (1)].", "score": 50}]}`}
	})
	for i := range 2 {
		server.Reset()
		d, err := m.mapReduce(t.Context(), ofFour, fourReports())
		if err != nil || len(d.notes) != 1 || !strings.Contains(d.notes[0], "lacks 1 of 4 reports, 25 % of their tokens") || !strings.Contains(d.notes[0], "cut off at its limit") {
			t.Errorf("got %+v, %v", d, err)
		}
		if len(d.statements) != 3 {
			t.Errorf("the answer rests on %d reports, want the three others", len(d.statements))
		}
		if want := []int{5, 1}[i]; server.Counts().Chats != want {
			t.Errorf("question %d took %d calls, want %d: what was cut off, once more", i+1, server.Counts().Chats, want)
		}
	}
	cut.Store("no report")
	if d, err := m.mapReduce(t.Context(), ofFour, fourReports()); err != nil || len(d.notes) != 0 {
		t.Errorf("the model is well again: %+v, %v", d, err)
	}
	cut.Store("is told of")
	fresh := ofFour
	fresh.Text = "What else is told?"
	if d, err := m.mapReduce(t.Context(), fresh, fourReports()); !errors.Is(err, llm.ErrTruncated) {
		t.Errorf("all are cut off: got %+v, %v", d, err)
	}
}

// TestAnswerCutOff: what there is of an answer is given, and a note says that
// its end is missing. It is never cached.
func TestAnswerCutOff(t *testing.T) {
	t.Parallel()
	var text atomic.Value
	text.Store("Alpha is told of [Data: Reports (1)], and so is Beta [Data: Repo")
	server, m := asking(t, func(llmtest.Request) llmtest.Reply {
		return llmtest.Reply{Text: text.Load().(string), Finish: "length"}
	})
	for i := range 2 {
		q := ofFour
		var shown strings.Builder
		q.Stream = func(delta string) { shown.WriteString(delta) }
		d, err := m.answer(t.Context(), q, fourReports())
		if err != nil || len(d.notes) != 1 || !strings.Contains(d.notes[0], "cut this answer off") {
			t.Errorf("got %+v, %v", d, err)
		}
		if diff := cmp.Diff("Alpha is told of [1], and so is Beta", d.text); diff != "" {
			t.Errorf("text (-want +got):\n%s", diff)
		}
		if shown.String() != d.text {
			t.Errorf("shown %q", shown.String())
		}
		if n := server.Counts().Chats; n != i+1 {
			t.Errorf("%d calls after %d questions", n, i+1)
		}
	}
	text.Store("<think>so much to think of</think>")
	if d, err := m.answer(t.Context(), ofFour, fourReports()); !errors.Is(err, llm.ErrTruncated) {
		t.Errorf("cut off before it began: got %+v, %v", d, err)
	}
}
