package extract_test

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
	"github.com/neorag/neorag/internal/stage/extract"
	"github.com/neorag/neorag/internal/testkit/fakemodel"
	"github.com/neorag/neorag/prompts"
)

var passage = graph.Chunk{Key: "c/1", Text: "Clara Hale met Tobias Reed in Glasgow in 1921. Tobias Reed kept the keys of Port Ellen."}

func chat(t *testing.T, o llmtest.Options) (*llmtest.Server, llm.Chat) {
	t.Helper()
	server := llmtest.New(o)
	t.Cleanup(server.Close)
	client, err := openai.New(openai.Config{BaseURL: server.URL(), Model: "simulated"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	return server, llm.New(llm.Config{Provider: client.Chat(), Retry: llm.Retry{Attempts: 2, FirstWait: time.Millisecond}})
}

func names(x graph.Extraction) string {
	var out []string
	for _, e := range x.Entities {
		out = append(out, e.Name)
	}
	return strings.Join(out, ", ")
}

// TestFormats gets the same records from servers with and without support for
// schemas, and as tuples.
func TestFormats(t *testing.T) {
	t.Parallel()
	var want graph.Extraction
	for i, tt := range []struct {
		format extract.Format
		refuse []string
	}{{extract.FormatJSON, nil}, {"", []string{"json_schema"}}, {"", []string{"json_schema", "json_object"}}, {extract.FormatTuples, nil}} {
		_, c := chat(t, llmtest.Options{Handler: fakemodel.Handler, Refuse: tt.refuse})
		m := &extract.Model{Chat: c, Format: tt.format}
		got, err := m.Chunk(t.Context(), passage)
		if err != nil {
			t.Fatal(err)
		}
		if names(got) != "Clara Hale, Tobias Reed, Glasgow, Port Ellen" || len(got.Relationships) != 3 || len(got.Claims) != 1 || got.Unread != 0 || got.Chunk != passage.Key {
			t.Errorf("%+v: got %+v", tt, got)
		}
		if i == 0 {
			want = got
		} else if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%+v (-want +got):\n%s", tt, diff)
		}
	}
}

// TestModelThatWritesOnlyTuples asks a model that writes tuples for one chunk and JSON for
// another. Neither depends on which of them is read first.
func TestModelThatWritesOnlyTuples(t *testing.T) {
	t.Parallel()
	const mark = "In tuples. "
	tuples := graph.Chunk{Key: "c/2", Text: mark + passage.Text}
	want := map[string]graph.Extraction{}
	for _, order := range [][]graph.Chunk{{tuples, passage}, {passage, tuples}} {
		server, c := chat(t, llmtest.Options{Handler: func(r llmtest.Request) llmtest.Reply {
			if strings.Contains(fakemodel.Material(r), mark) {
				return llmtest.Reply{Text: fakemodel.Tuple("entity", "Clara Hale", "person", "She met Tobias Reed.") + "<|COMPLETE|>"}
			}
			return fakemodel.Handler(r)
		}})
		m := &extract.Model{Chat: c}
		for _, chunk := range order {
			server.Reset()
			got, err := m.Chunk(t.Context(), chunk)
			// JSON is asked for twice, and the gleaning once, as tuples.
			calls := map[string]int{tuples.Key: 3, passage.Key: 2}[chunk.Key]
			if n := server.Counts().Chats; err != nil || n != calls {
				t.Errorf("chunk %s: %d calls, want %d; %v", chunk.Key, n, calls, err)
			}
			if first, ok := want[chunk.Key]; !ok {
				want[chunk.Key] = got
			} else if diff := cmp.Diff(first, got); diff != "" {
				t.Errorf("chunk %s in another order (-want +got):\n%s", chunk.Key, diff)
			}
		}
		if n := m.Counts(); n != (extract.Counts{Tuples: 1}) {
			t.Errorf("got %+v", n)
		}
	}
	if names(want[tuples.Key]) != "Clara Hale" || names(want[passage.Key]) != "Clara Hale, Tobias Reed, Glasgow, Port Ellen" {
		t.Errorf("got %+v", want)
	}
}

func TestGleaning(t *testing.T) {
	t.Parallel()
	type reply = func(llmtest.Request) llmtest.Reply
	say := func(text string) reply {
		return func(llmtest.Request) llmtest.Reply { return llmtest.Reply{Text: text} }
	}
	refuse := func(llmtest.Request) llmtest.Reply { return llmtest.Reply{Status: 400, Message: "no more"} }
	for _, tt := range []struct {
		name       string
		gleanings  int
		ask, glean reply
		want       string
		calls      int
		failed     int64
	}{
		{"none", -1, say("YES"), fakemodel.Handler, "Clara Hale, Tobias Reed, Glasgow", 1, 0},
		{"yes", 1, say("Yes, I did."), fakemodel.Handler, "Clara Hale, Tobias Reed, Glasgow, Port Ellen", 3, 0},
		{"no", 1, say("**No**, nothing."), fakemodel.Handler, "Clara Hale, Tobias Reed, Glasgow", 2, 0},
		{"twice, with a repeat", 2, say("y"), fakemodel.Handler, "Clara Hale, Tobias Reed, Glasgow, Port Ellen", 5, 0},
		{"records for yes", 1, say(fakemodel.Tuple("entity", "Leith", "location", "A port.")), refuse, "Clara Hale, Tobias Reed, Glasgow, Leith", 2, 0},
		{"a JSON list for yes", 1, say("```json\n{\"entities\": [{\"name\": \"Leith\", \"type\": \"location\"}]}\n```"), refuse, "Clara Hale, Tobias Reed, Glasgow, Leith", 2, 0},
		{"an empty JSON list for no", 1, say(`{"entities": [], "relationships": []}`), refuse, "Clara Hale, Tobias Reed, Glasgow", 2, 0},
		{"the question fails", 1, refuse, fakemodel.Handler, "Clara Hale, Tobias Reed, Glasgow", 2, 1},
		{"the gleaning fails", 1, say("YES"), refuse, "Clara Hale, Tobias Reed, Glasgow", 3, 1},
		{"neither yes nor no", 1, say("?"), fakemodel.Handler, "Clara Hale, Tobias Reed, Glasgow", 2, 0},
	} {
		server, c := chat(t, llmtest.Options{Handler: func(r llmtest.Request) llmtest.Reply {
			switch fakemodel.Task(r) {
			case prompts.GleanAsk:
				return tt.ask(r)
			case prompts.Glean:
				return tt.glean(r)
			}
			return fakemodel.Handler(r)
		}})
		m := &extract.Model{Chat: c, Gleanings: tt.gleanings, Gleaning: extract.GleanAsk, Claims: extract.ClaimsNone, Format: extract.FormatTuples}
		got, err := m.Chunk(t.Context(), passage)
		if err != nil || names(got) != tt.want || m.Counts().FailedGleanings != tt.failed {
			t.Errorf("%s: got %s, %v, %d failed", tt.name, names(got), err, m.Counts().FailedGleanings)
		}
		if n := server.Counts().Chats; n != tt.calls {
			t.Errorf("%s: %d calls, want %d", tt.name, n, tt.calls)
		}
	}
}

// TestYesNoBias biases the answer to the tokens of yes and no, and limits it to one token.
func TestYesNoBias(t *testing.T) {
	t.Parallel()
	var asked atomic.Int64
	_, c := chat(t, llmtest.Options{Handler: func(r llmtest.Request) llmtest.Reply {
		if fakemodel.Task(r) == prompts.GleanAsk {
			if r.LogitBias["7"] == 100 && r.MaxTokens == 1 {
				asked.Add(1)
			}
			return llmtest.Reply{Text: "YES YES YES"}
		}
		return fakemodel.Handler(r)
	}})
	m := &extract.Model{Chat: c, Gleaning: extract.GleanAsk, Claims: extract.ClaimsNone, YesNo: map[string]int64{"7": 100, "9": 100}}
	got, err := m.Chunk(t.Context(), passage)
	if err != nil || names(got) != "Clara Hale, Tobias Reed, Glasgow, Port Ellen" || asked.Load() != 1 {
		t.Errorf("got %s, %v after %d requests with a bias", names(got), err, asked.Load())
	}
}

// TestYesNoIsPaidOnce extracts a chunk twice with one cache: the second time nothing is
// asked, though the question whether something was missed is answered with one token.
func TestYesNoIsPaidOnce(t *testing.T) {
	t.Parallel()
	server := llmtest.New(llmtest.Options{Handler: func(r llmtest.Request) llmtest.Reply {
		if fakemodel.Task(r) == prompts.GleanAsk {
			return llmtest.Reply{Text: "NO NO NO"}
		}
		return fakemodel.Handler(r)
	}})
	t.Cleanup(server.Close)
	client, err := openai.New(openai.Config{BaseURL: server.URL(), Model: "simulated"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	m := &extract.Model{Chat: llm.New(llm.Config{Provider: client.Chat(), Cache: &llm.Cache{Dir: t.TempDir()}}), Gleaning: extract.GleanAsk, Claims: extract.ClaimsSeparate, YesNo: map[string]int64{"7": 100, "9": 100}}
	for i, want := range []int{4, 0} {
		server.Reset()
		if _, err := m.Chunk(t.Context(), passage); err != nil || server.Counts().Requests != want || m.Counts().FailedGleanings != 0 {
			t.Errorf("time %d: %d requests, want %d; %d failed gleanings, %v", i+1, server.Counts().Requests, want, m.Counts().FailedGleanings, err)
		}
	}
}

func TestChunkFails(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		reply llmtest.Reply
		want  error
	}{
		{"refused", llmtest.Reply{Status: 400, Message: "content policy"}, nil},
		{"cut off", llmtest.Reply{Text: fakemodel.Tuple("entity", "A", "person", "x"), Finish: "length"}, llm.ErrTruncated},
		{"prose", llmtest.Reply{Text: "I'm sorry, I cannot help with that."}, llm.ErrInvalid},
	} {
		_, c := chat(t, llmtest.Options{Handler: func(llmtest.Request) llmtest.Reply { return tt.reply }})
		for _, format := range []extract.Format{"", extract.FormatTuples} {
			_, err := (&extract.Model{Chat: c, Format: format}).Chunk(t.Context(), passage)
			if err == nil || tt.want != nil && !errors.Is(err, tt.want) {
				t.Errorf("%s as %q: got %v", tt.name, format, err)
			}
		}
	}
}

func TestModelFingerprint(t *testing.T) {
	t.Parallel()
	_, c := chat(t, llmtest.Options{})
	with := func(server string, parameters map[string]any) llm.Chat {
		client, err := openai.New(openai.Config{BaseURL: server, Model: "simulated", Params: parameters})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(client.Close)
		return llm.WithMaxTokens(llm.New(llm.Config{Provider: client.Chat()}), llm.AnswerLimit{Tokens: 9})
	}
	// The address of the server and the token limit change no records.
	moved := with("http://elsewhere.test/v1", map[string]any{"max_tokens": 500})
	if (&extract.Model{Chat: c}).Fingerprint() != (&extract.Model{Chat: moved}).Fingerprint() {
		t.Error("another address and limit: another fingerprint")
	}
	seen := map[string]int{}
	for i, m := range []*extract.Model{
		{Chat: c},
		{Chat: c, Types: []string{"person"}},
		{Chat: c, Gleanings: 2},
		{Chat: c, Gleanings: -1},
		{Chat: c, Gleaning: extract.GleanAsk},
		{Chat: c, Claims: extract.ClaimsSeparate},
		{Chat: c, Claims: extract.ClaimsNone},
		{Chat: c, Format: extract.FormatTuples},
		{Chat: c, Domain: extract.Domain{Description: "x"}},
		{Chat: with("http://elsewhere.test/v1", map[string]any{"temperature": 0.7})},
		{Chat: with("http://elsewhere.test/v1", map[string]any{"temperature": 0.8})},
	} {
		fp := m.Fingerprint()
		if at, twice := seen[fp]; twice {
			t.Errorf("options %d and %d have the same fingerprint", at, i)
		}
		seen[fp] = i
	}
}

// TestClaimsAreGleaned checks that claims found by gleaning are added, in both protocols.
func TestClaimsAreGleaned(t *testing.T) {
	t.Parallel()
	claim := func(subject string) string {
		return fakemodel.Tuple("claim", subject, "NONE", "act", "TRUE", "1921", "1921", subject+" did it.", subject+" did it") + "<|COMPLETE|>"
	}
	_, c := chat(t, llmtest.Options{Handler: func(r llmtest.Request) llmtest.Reply {
		switch fakemodel.Task(r) {
		case prompts.Claims:
			return llmtest.Reply{Text: claim("Clara Hale")}
		case prompts.GleanAsk:
			return llmtest.Reply{Text: "YES"}
		case prompts.Glean, prompts.GleanList:
			if strings.Contains(r.Last(), "claims") {
				return llmtest.Reply{Text: claim("Tobias Reed")}
			}
		}
		return llmtest.Reply{Text: fakemodel.Tuple("entity", "Clara Hale", "person", "She met Tobias Reed.") + "<|COMPLETE|>"}
	}})
	for _, protocol := range []extract.Gleaning{extract.GleanList, extract.GleanAsk} {
		got, err := (&extract.Model{Chat: c, Claims: extract.ClaimsSeparate, Gleaning: protocol, Format: extract.FormatTuples}).Chunk(t.Context(), passage)
		if err != nil {
			t.Fatal(err)
		}
		var subjects []string
		for _, c := range got.Claims {
			subjects = append(subjects, c.Subject)
		}
		if diff := cmp.Diff([]string{"Clara Hale", "Tobias Reed"}, subjects); diff != "" {
			t.Errorf("%s: claims (-want +got):\n%s", protocol, diff)
		}
	}
}

// TestTypesReachEveryPrompt checks that entities and claims are asked for with the
// configured types.
func TestTypesReachEveryPrompt(t *testing.T) {
	t.Parallel()
	server, c := chat(t, llmtest.Options{Handler: fakemodel.Handler})
	if _, err := (&extract.Model{Chat: c, Types: []string{"lighthouse", "storm"}, Claims: extract.ClaimsSeparate}).Chunk(t.Context(), passage); err != nil {
		t.Fatal(err)
	}
	asked := map[string]bool{}
	for _, r := range server.Requests() {
		task := fakemodel.Task(r)
		if task != prompts.Extract && task != prompts.Claims {
			continue
		}
		asked[task] = true
		if said := r.Messages[0].Content; !strings.Contains(said, `"lighthouse", "storm"`) || strings.Contains(said, "organization") {
			t.Errorf("the prompt %s has different types:\n%s", task, said)
		}
	}
	if len(asked) != 2 {
		t.Errorf("prompts seen: %v, want %s and %s", asked, prompts.Extract, prompts.Claims)
	}
}
