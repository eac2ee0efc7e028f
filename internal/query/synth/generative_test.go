package synth

import (
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/llm/openai"
	"github.com/neorag/neorag/internal/query/cite"
	"github.com/neorag/neorag/internal/testkit/fakemodel"
	"github.com/neorag/neorag/prompts"
)

// asking returns a model with a cache, without a store.
func asking(t *testing.T, handler func(llmtest.Request) llmtest.Reply) (*llmtest.Server, Generative) {
	t.Helper()
	server := llmtest.New(llmtest.Options{Handler: handler})
	t.Cleanup(server.Close)
	return server, askingAt(t, server)
}

// askingAt is asking with a server.
func askingAt(t *testing.T, server *llmtest.Server) Generative {
	t.Helper()
	client, err := openai.New(openai.Config{BaseURL: server.URL(), Model: "simulated"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	chat := llm.New(llm.Config{Provider: client.Chat(), Cache: &llm.Cache{Dir: t.TempDir()}, Retry: llm.Retry{Attempts: 2, FirstWait: time.Millisecond}})
	return Generative{Model: &Model{Map: chat, Answer: chat}, Concurrency: 4}
}

// fourReports returns reports that need a window each.
func fourReports() []Block {
	var blocks []Block
	for _, name := range []string{"Alpha", "Beta", "Gamma", "Delta"} {
		blocks = append(blocks, Block{
			Key: "c/" + name, Kind: graph.KindReport, Title: name, Text: name + " is described.", Tokens: 10,
			statements: []cite.Statement{{Text: name + " is described."}},
		})
	}
	return blocks
}

var ofFour = Request{Question: "What happened?", MapTokens: 10, ReduceTokens: 1000}

// TestMapCutOff: an answer of a map that was cut off is not used and never cached,
// and a note says what share of the reports is missing.
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
		d, err := m.MapReduce(t.Context(), ofFour, fourReports())
		if err != nil || len(d.Notes) != 1 || !strings.Contains(d.Notes[0], "lacks 1 of 4 reports, 25 % of their tokens") || !strings.Contains(d.Notes[0], "cut off at its token limit") {
			t.Errorf("got %+v, %v", d, err)
		}
		if len(d.Records) != 3 {
			t.Errorf("the answer cites %d reports, want the three others", len(d.Records))
		}
		if want := []int{5, 1}[i]; server.Counts().Chats != want {
			t.Errorf("question %d took %d calls, want %d: only what was cut off is asked again", i+1, server.Counts().Chats, want)
		}
	}
	cut.Store("no report")
	if d, err := m.MapReduce(t.Context(), ofFour, fourReports()); err != nil || len(d.Notes) != 0 {
		t.Errorf("the model recovered: %+v, %v", d, err)
	}
	cut.Store("is described")
	fresh := ofFour
	fresh.Question = "What else happened?"
	if d, err := m.MapReduce(t.Context(), fresh, fourReports()); !errors.Is(err, llm.ErrTruncated) {
		t.Errorf("all are cut off: got %+v, %v", d, err)
	}
}

// TestAnswerCutOff: an answer that was cut off is returned with a note, and never
// cached.
func TestAnswerCutOff(t *testing.T) {
	t.Parallel()
	var text atomic.Value
	text.Store("Alpha is described [Data: Reports (1)], and so is Beta [Data: Repo")
	server, m := asking(t, func(llmtest.Request) llmtest.Reply {
		return llmtest.Reply{Text: text.Load().(string), Finish: "length"}
	})
	for i := range 2 {
		q := ofFour
		var shown strings.Builder
		q.Stream = func(delta string) { shown.WriteString(delta) }
		d, err := m.Answer(t.Context(), q, fourReports())
		if err != nil || len(d.Notes) != 1 || !strings.Contains(d.Notes[0], "cut this answer off") {
			t.Errorf("got %+v, %v", d, err)
		}
		if diff := cmp.Diff("Alpha is described [1], and so is Beta", d.Text); diff != "" {
			t.Errorf("text (-want +got):\n%s", diff)
		}
		if shown.String() != d.Text {
			t.Errorf("shown %q", shown.String())
		}
		if n := server.Counts().Chats; n != i+1 {
			t.Errorf("%d calls after %d questions", n, i+1)
		}
	}
	text.Store("<think>so much to think of</think>")
	if d, err := m.Answer(t.Context(), ofFour, fourReports()); !errors.Is(err, llm.ErrTruncated) {
		t.Errorf("cut off before it began: got %+v, %v", d, err)
	}
}

// TestEmptyAnswer: an answer without text is asked for once more, then it is an error.
func TestEmptyAnswer(t *testing.T) {
	t.Parallel()
	server, m := asking(t, func(llmtest.Request) llmtest.Reply { return llmtest.Reply{Text: "<think>nothing</think>\n"} })
	for i := range 2 {
		if d, err := m.Answer(t.Context(), ofFour, fourReports()); !errors.Is(err, llm.ErrInvalid) || server.Counts().Chats != 2*(i+1) {
			t.Errorf("question %d: got %+v, %v after %d calls", i+1, d, err, server.Counts().Chats)
		}
	}
}

// TestNothingFoundByModel: without points the draft is empty, also when windows failed.
func TestNothingFoundByModel(t *testing.T) {
	t.Parallel()
	_, m := asking(t, func(r llmtest.Request) llmtest.Reply {
		if strings.Contains(r.Last(), "Gamma") {
			return llmtest.Reply{Text: `{"points": [`, Finish: "length"}
		}
		return llmtest.Reply{Text: `{"points": []}`}
	})
	d, err := m.MapReduce(t.Context(), ofFour, fourReports())
	if err != nil || d.Generated || d.Lost != 1 || len(d.Notes) != 1 {
		t.Fatalf("got %+v, %v", d, err)
	}
}
