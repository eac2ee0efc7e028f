package personas_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/eval/evalrun"
	"github.com/neorag/neorag/internal/eval/personas"
	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/llm/openai"
	"github.com/neorag/neorag/internal/testkit/fakemodel"
	"github.com/neorag/neorag/prompts"
)

const description = "Letters about the Harbour Museum, which Clara Hale opened in Port Ellen, and about its keeper Tobias Reed."

// asker returns a server with the simulated model, and what asks it.
func asker(t *testing.T, fault func(llmtest.Request) *llmtest.Reply) (*llmtest.Server, prompts.Asker) {
	t.Helper()
	server := llmtest.New(llmtest.Options{Handler: fakemodel.Handler, Fault: fault})
	t.Cleanup(server.Close)
	client, err := openai.New(openai.Config{BaseURL: server.URL(), Model: "simulated"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	chat := llm.New(llm.Config{Provider: client.Chat(), Retry: llm.Retry{Attempts: 1}})
	return server, func(ctx context.Context, name string, values prompts.Values, valid func(string) error) (string, error) {
		p, err := (prompts.Set{}).Get(name)
		if err != nil {
			return "", err
		}
		system, user := p.Render(values)
		res, err := chat.Chat(ctx, llm.Request{
			Messages: []llm.Message{{Role: "system", Content: system}, {Role: "user", Content: user}},
			Schema:   &llm.Schema{Name: name, JSON: p.Schema}, Valid: valid,
		})
		return res.Text, err
	}
}

// generate makes questions that are missing, and returns all.
func generate(t *testing.T, ask prompts.Asker, o personas.Options) ([]evalrun.Question, personas.Result, error) {
	t.Helper()
	o.Description = description
	all := append([]evalrun.Question(nil), o.Known...)
	o.Add = func(q evalrun.Question) error {
		all = append(all, q)
		return nil
	}
	r, err := personas.Generate(t.Context(), ask, o)
	return all, r, err
}

// TestGenerate expects as many questions as wanted, although the model repeats itself, each with an
// id, a persona and a task; the same ones with any number of concurrent calls.
func TestGenerate(t *testing.T) {
	t.Parallel()
	server, ask := asker(t, nil)
	all, result, err := generate(t, ask, personas.Options{Personas: 3, Tasks: 2, Questions: 4})
	if err != nil {
		t.Fatal(err)
	}
	if result.Questions != 24 || result.Made != 24 || result.Wanted != 24 || result.Duplicates == 0 || len(all) != 24 {
		t.Errorf("%+v and %d questions, want 24 and some duplicates", result, len(all))
	}
	ids, texts, groups := map[string]bool{}, map[string]bool{}, map[string]int{}
	for _, q := range all {
		ids[q.ID], texts[strings.ToLower(q.Text)] = true, true
		groups[q.Persona+"\n"+q.Task]++
	}
	if len(ids) != 24 || len(texts) != 24 || len(groups) != 6 {
		t.Errorf("%d ids, %d texts and %d tasks, want 24, 24 and 6", len(ids), len(texts), len(groups))
	}
	for group, n := range groups {
		if n != 4 {
			t.Errorf("%d questions for %q, want 4", n, group)
		}
	}
	server.Reset()
	again, _, err := generate(t, ask, personas.Options{Personas: 3, Tasks: 2, Questions: 4, Concurrency: 8})
	if diff := cmp.Diff(all, again); err != nil || diff != "" {
		t.Errorf("with 8 calls at a time: %v (-want +got):\n%s", err, diff)
	}
}

// TestGenerateContinues cuts the questions after each of them, as an interrupted run leaves them, and
// expects that the rest is made, and that nothing is asked when nothing is missing.
func TestGenerateContinues(t *testing.T) {
	t.Parallel()
	server, ask := asker(t, nil)
	o := personas.Options{Personas: 2, Tasks: 2, Questions: 2, Concurrency: 4}
	whole, _, err := generate(t, ask, o)
	if err != nil {
		t.Fatal(err)
	}
	for n := range len(whole) + 1 {
		server.Reset()
		o.Known = whole[:n:n]
		all, result, err := generate(t, ask, o)
		if err != nil || len(all) != 8 || result.Questions != 8 || result.Made != 8-n {
			t.Errorf("after %d questions: %d, %+v, %v", n, len(all), result, err)
		}
		if calls := len(server.Requests()); n == len(whole) && calls > 0 {
			t.Errorf("%d calls though no question is missing", calls)
		}
		seen := map[string]bool{}
		for _, q := range all {
			if seen[q.Key()] || seen[q.ID] {
				t.Errorf("after %d questions: %s is there twice", n, q.ID)
			}
			seen[q.Key()], seen[q.ID] = true, true
		}
	}
	o.Known, o.Questions = whole, 3
	if all, result, err := generate(t, ask, o); err != nil || len(all) != 12 || result.Made != 4 {
		t.Errorf("one more for each task: %d, %+v, %v", len(all), result, err)
	}
}

// TestGenerateKeepsWhatWasMade has a call fail, and expects the questions of the tasks before it.
func TestGenerateKeepsWhatWasMade(t *testing.T) {
	t.Parallel()
	asked := 0
	_, ask := asker(t, func(r llmtest.Request) *llmtest.Reply {
		if fakemodel.Task(r) == prompts.PersonaQuestions {
			if asked++; asked == 3 {
				return &llmtest.Reply{Status: 401, Message: "no"}
			}
		}
		return nil
	})
	all, result, err := generate(t, ask, personas.Options{Personas: 2, Tasks: 2, Questions: 3})
	refused, ok := errors.AsType[*llm.Error](err)
	if !ok || refused.Status != 401 || len(all) != 6 || result.Made != 6 {
		t.Errorf("%d questions, %+v, %v; want those of two tasks and the error of the server", len(all), result, err)
	}
}

// TestDistinct has the model write the questions of each case, of which only some ask for something
// else.
func TestDistinct(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		first, second string
		same          bool
	}{
		{"What unites the letters?", "what unites  the LETTERS", true},
		{"How do the keepers of the museum differ?", "How do keepers of museums differ?", true},
		{"Which themes recur in the letters of the museum?", "Which themes recur in letters of the museum, and why?", true},
		{"Which themes recur in the letters?", "Which fears recur in the letters?", false},
		{"What unites the letters?", "How did opinions on the fire change?", false},
		{"Was ist das?", "Was ist dies?", false},
	} {
		ask := func(_ context.Context, prompt string, _ prompts.Values, _ func(string) error) (string, error) {
			field := map[string]string{prompts.Personas: "personas", prompts.PersonaTasks: "tasks", prompts.PersonaQuestions: "questions"}[prompt]
			items := fmt.Sprintf("[%q, %q]", tt.first, tt.second)
			if field != "questions" {
				items = `["one"]`
			}
			return fmt.Sprintf("{%q: %s}", field, items), nil
		}
		all, result, err := generate(t, ask, personas.Options{Personas: 1, Tasks: 1, Questions: 2})
		if want := map[bool]int{true: 1, false: 2}[tt.same]; err != nil || len(all) != want || (result.Duplicates > 0) != tt.same {
			t.Errorf("%q and %q: %d questions, %+v, %v; want %d", tt.first, tt.second, len(all), result, err, want)
		}
	}
}
