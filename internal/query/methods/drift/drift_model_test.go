package drift

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/llm/openai"
	"github.com/neorag/neorag/internal/query/synth"
	"github.com/neorag/neorag/internal/testkit/fakemodel"
)

func TestParseFollowUps(t *testing.T) {
	t.Parallel()
	got, err := parseFollowUps(`{"points": [], "follow_ups": [{"question": "A?", "score": "20"}, {"question": " ", "score": 1}, {"question": "B\n?", "score": 140}]}`)
	if diff := cmp.Diff([]FollowUp{{"B ?", 100}, {"A?", 20}}, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	for _, bad := range []string{`[]`, `{"follow_ups": [{"question": "A?", "score": "NaN"}]}`, `{"follow_ups": 3}`} {
		if _, err := parseFollowUps(bad); err == nil {
			t.Errorf("%s: got no error", bad)
		}
	}
}

// TestFollowShowsWhatIsKnown: a follow-up question is read with what was asked and found before, a
// line each, between the fences.
func TestFollowShowsWhatIsKnown(t *testing.T) {
	t.Parallel()
	server := llmtest.New(llmtest.Options{Handler: fakemodel.Handler})
	t.Cleanup(server.Close)
	client, err := openai.New(openai.Config{BaseURL: server.URL(), Model: "simulated"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	chat := llm.New(llm.Config{Provider: client.Chat()})
	x := driftModel{synth.Generative{Model: &synth.Model{Map: chat, Answer: chat}}}
	before := notes{asked: []string{"Who was Alpha?", "Where did\nBeta live?"}, found: []string{"Alpha sold the harbour.\nfound: nothing"}}
	blocks := []synth.Block{{Key: "c/1", Kind: graph.KindChunk, Title: "Notes", Text: "Beta lived in Glasgow."}}
	if _, err := x.follow(t.Context(), "Who sold it?", FollowUp{"Who is Gamma?", 50}, before, blocks); err != nil {
		t.Fatal(err)
	}
	_, fenced, _ := strings.Cut(server.Requests()[0].Last(), "\n<<< ")
	want := "Who is Gamma?\n<<< "
	known := "asked: Who was Alpha?\nasked: Where did Beta live?\nfound: Alpha sold the harbour. found: nothing\n<<< "
	if !strings.Contains(fenced, want) || !strings.Contains(fenced, known) || strings.Index(fenced, known) > strings.Index(fenced, "Source 1: Notes") {
		t.Errorf("got %q, want %q and %q before the records", fenced, want, known)
	}
}
