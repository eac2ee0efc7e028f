package extract_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/stage/extract"
	"github.com/neorag/neorag/internal/testkit/fakemodel"
	"github.com/neorag/neorag/prompts"
)

// folderOf returns a folder of prompts with one.
func folderOf(t *testing.T, name, text string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, name+".md"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// meetings returns a chunk of n sentences, each with a pair of names and a year.
func meetings(n int) graph.Chunk {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%s Hale met %s Reed at the old bridge in the year %d. ", word(2*i), word(2*i+1), 1900+i)
	}
	return graph.Chunk{Key: "c/2", Text: strings.TrimSpace(b.String())}
}

// word returns the nth word with a capital.
func word(n int) string { return string(rune('A'+n%26)) + strings.Repeat("o", n/26+1) }

// TestCutAnswer uses a server that cuts some answers off: the chunk is read in halves, and in
// the end has the records of one whose answers were complete, each once.
func TestCutAnswer(t *testing.T) {
	t.Parallel()
	chunk := meetings(12)
	_, c := chat(t, llmtest.Options{Handler: fakemodel.Handler})
	want, err := (&extract.Model{Chat: c, Claims: extract.ClaimsSeparate}).Chunk(t.Context(), chunk)
	if err != nil || len(want.Entities) != 24 || len(want.Relationships) != 12 || len(want.Claims) != 12 {
		t.Fatalf("got %+v, %v", want, err)
	}
	for _, format := range []extract.Format{"", extract.FormatTuples} {
		for _, task := range []string{prompts.Extract, prompts.GleanList, prompts.Claims} {
			for sentences, halved := range map[int]int64{12: 1, 6: 3} {
				cuts := 0
				_, c := chat(t, llmtest.Options{Handler: func(r llmtest.Request) llmtest.Reply {
					reply := fakemodel.Handler(r)
					if fakemodel.Task(r) == task && strings.Count(fakemodel.Material(r), "bridge") >= sentences {
						cuts++
						reply.Text, reply.Finish = reply.Text[:2*len(reply.Text)/3], "length"
					}
					return reply
				}})
				m := &extract.Model{Chat: c, Claims: extract.ClaimsSeparate, Format: format}
				got, err := m.Chunk(t.Context(), chunk)
				if err != nil || m.Counts() != (extract.Counts{Halved: halved}) || cuts == 0 {
					t.Errorf("%s as %q from %d sentences: %v, %+v, %d cut", task, format, sentences, err, m.Counts(), cuts)
				}
				for _, diff := range differences(want, got) {
					t.Errorf("%s as %q from %d sentences: %s", task, format, sentences, diff)
				}
			}
		}
	}
}

// differences compares the records of two extractions in any order.
func differences(want, got graph.Extraction) (out []string) {
	count := func(x graph.Extraction) map[string]int {
		n := map[string]int{}
		for _, r := range x.Entities {
			n[fmt.Sprintf("%+v", r)]++
		}
		for _, r := range x.Relationships {
			n[fmt.Sprintf("%+v", r)]++
		}
		for _, r := range x.Claims {
			n[fmt.Sprintf("%+v", r)]++
		}
		return n
	}
	w, g := count(want), count(got)
	for k := range w {
		if w[k] != g[k] {
			out = append(out, fmt.Sprintf("%d times, want %d: %s", g[k], w[k], k))
		}
	}
	for k := range g {
		if w[k] == 0 {
			out = append(out, "unexpected: "+k)
		}
	}
	return out
}

// TestCutForever uses a model that never ends its answer: the calls are bounded, and the
// chunk fails.
func TestCutForever(t *testing.T) {
	t.Parallel()
	for _, format := range []extract.Format{"", extract.FormatTuples} {
		server, c := chat(t, llmtest.Options{Handler: func(llmtest.Request) llmtest.Reply {
			return llmtest.Reply{Text: strings.Repeat(fakemodel.Tuple("entity", "Aoo", "person", "It is so.")+"##\n", 40)}
		}})
		m := &extract.Model{Chat: llm.WithMaxTokens(c, llm.AnswerLimit{Tokens: 20, Setting: "models.extract.max_tokens"}), Format: format}
		_, err := m.Chunk(t.Context(), meetings(12))
		if !errors.Is(err, llm.ErrTruncated) || !strings.Contains(err.Error(), "models.extract.max_tokens") || server.Counts().Chats > 7 {
			t.Errorf("%q: got %v after %d calls", format, err, server.Counts().Chats)
		}
	}
}

// TestCutGleaning uses a server that cuts every gleaning off: what came is kept.
func TestCutGleaning(t *testing.T) {
	t.Parallel()
	_, c := chat(t, llmtest.Options{Handler: func(r llmtest.Request) llmtest.Reply {
		reply := fakemodel.Handler(r)
		if fakemodel.Task(r) == prompts.GleanList {
			last := fakemodel.Tuple("entity", "Leith", "location", "It is a port.")
			reply = llmtest.Reply{Text: fakemodel.Tuple("entity", "Port Ellen", "location", "It has keys.") + "##" + last[:len(last)-9], Finish: "length"}
		}
		return reply
	}})
	m := &extract.Model{Chat: c, Format: extract.FormatTuples}
	sentence := graph.Chunk{Key: "c/3", Text: "Clara Hale met Tobias Reed in Glasgow and in Port Ellen in 1921."} // has no halves
	got, err := m.Chunk(t.Context(), sentence)
	if err != nil || names(got) != "Clara Hale, Tobias Reed, Glasgow, Port Ellen" || m.Counts() != (extract.Counts{FailedGleanings: 1}) {
		t.Errorf("got %s, %+v, %v", names(got), m.Counts(), err)
	}
}

// TestChunkIsTooLong uses servers with small contexts: a chunk that does not fit is read in
// halves, and has the records that it has of a server with a large one. One whose parts do not
// fit fails, and the error says why.
func TestChunkIsTooLong(t *testing.T) {
	t.Parallel()
	chunk := meetings(100)
	half := len(chunk.Text) / 2
	chunk.Text = chunk.Text[:half] + "Clara Hale met Tobias Reed in Port Ellen. " + chunk.Text[half:]
	read := func(context int) (graph.Extraction, error) {
		_, c := chat(t, llmtest.Options{Context: context, Handler: func(r llmtest.Request) llmtest.Reply {
			reply := llmtest.Reply{Text: `{"entities": [], "relationships": [], "claims": []}`}
			if strings.Contains(r.Last(), "Clara Hale") {
				reply.Text = `{"entities": [{"name": "Clara Hale", "type": "person", "description": "She met Tobias Reed."}], "relationships": [], "claims": []}`
			}
			return reply
		}})
		return (&extract.Model{Chat: c, Gleanings: -1}).Chunk(t.Context(), chunk)
	}
	for _, context := range []int{1 << 20, 2600, 2000} {
		if got, err := read(context); err != nil || names(got) != "Clara Hale" {
			t.Errorf("in a context of %d: got %s, %v", context, names(got), err)
		}
	}
	_, err := read(800)
	if refused, ok := errors.AsType[*llm.Error](err); !ok || !errors.Is(err, llm.ErrTooLong) || !refused.RefusesContent() || !strings.Contains(err.Error(), "the context of simulated has 800") {
		t.Errorf("got %v, want a refusal that names the context", err)
	}
}
