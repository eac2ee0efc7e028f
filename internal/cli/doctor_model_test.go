package cli_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/cli"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/testkit/fakemodel"
	"github.com/neorag/neorag/prompts"
)

// doctorReport is what the tests read of `doctor --json`.
type doctorReport struct {
	OK     bool
	Checks []struct {
		Check, Detail, Hint string
		OK                  bool
		Model               *struct {
			Name, Format string
			Requests     int
			TokensOut    int `json:"tokens_out"`
			Context      int
		}
	}
}

// names returns the checks that passed or failed.
func (r doctorReport) names(ok bool) []string {
	var names []string
	for _, c := range r.Checks {
		if c.OK == ok {
			names = append(names, c.Check)
		}
	}
	return names
}

// find returns the detail and the hint of a check.
func (r doctorReport) find(check string) string {
	for _, c := range r.Checks {
		if c.Check == check {
			return c.Detail + "\n" + c.Hint
		}
	}
	return ""
}

// checkModel runs `doctor --check-model --json` where no Neo4j can be reached.
func checkModel(t *testing.T, server string, args ...string) (r doctorReport, code int) {
	t.Helper()
	var out, errs bytes.Buffer
	env := map[string]string{"NEORAG_HOME": t.TempDir(), "NEORAG_CACHE": t.TempDir(), "NEO4J_URI": "bolt://127.0.0.1:1"}
	code = cli.Main(t.Context(), cli.Env{
		Args:  append([]string{"neorag", "doctor", "--check-model", "--json", "--base-url", server, "--model", "m"}, args...),
		Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Getenv: func(name string) string { return env[name] },
	})
	if err := json.Unmarshal(out.Bytes(), &r); err != nil {
		t.Fatalf("exit %d, %v\n%s%s", code, err, out.String(), errs.String())
	}
	return r, code
}

// able answers as a model that is able enough, also in German.
func able(r llmtest.Request) llmtest.Reply {
	if fakemodel.Task(r) == prompts.Answer && strings.Contains(r.Last(), "Wer hat") {
		return llmtest.Reply{Text: "Marie Keller hat das Harbour Museum gegründet, und ihr Bruder hat das Gebäude entworfen [Data: Sources (1.1, 1.2)]. Die Schiffe kommen aus Porto [Data: Sources (1.3)]."}
	}
	return fakemodel.Handler(r)
}

// always returns a model with one answer to everything.
func always(reply llmtest.Reply) func(llmtest.Request) llmtest.Reply {
	return func(llmtest.Request) llmtest.Reply { return reply }
}

// answering returns an able model that answers questions with a text.
func answering(text string) func(llmtest.Request) llmtest.Reply {
	return func(r llmtest.Request) llmtest.Reply {
		if fakemodel.Task(r) == prompts.Answer {
			return llmtest.Reply{Text: text}
		}
		return able(r)
	}
}

// TestDoctorCheckModel checks which models are found able, and what is advised for each of the others.
func TestDoctorCheckModel(t *testing.T) {
	t.Parallel()
	chats := []string{"extract", "report", "answer", "language"}
	for name, tt := range map[string]struct {
		model  func(llmtest.Request) llmtest.Reply
		failed []string
		check  string // whose detail and hint have the words of want
		want   []string
	}{
		"able": {able, nil, "extract", []string{"found 4 of 5 entities", "format json_schema", "tokens out"}},
		"reasoning": {func(r llmtest.Request) llmtest.Reply {
			a := able(r)
			for i := range 300 {
				a.Reasoning += fmt.Sprintf("Let me see %d. ", i)
			}
			return a
		}, nil, "answer", []string{"reasoning_effort"}},
		"tuples only": {func(r llmtest.Request) llmtest.Reply {
			if fakemodel.Task(r) == prompts.Extract && !strings.Contains(r.Messages[0].Content, "<|COMPLETE|>") {
				return llmtest.Reply{Text: "Marie Keller founded a museum."}
			}
			return able(r)
		}, nil, "extract", []string{"format tuples", "--extract-format tuples"}},
		"prose":          {always(llmtest.Reply{Text: "I am happy to help with your request."}), chats, "extract", []string{"--extract-format tuples"}},
		"empty":          {always(llmtest.Reply{}), chats, "answer", []string{"it is empty", "larger model"}},
		"only reasoning": {always(llmtest.Reply{Reasoning: "I should think about this."}), chats, "answer", []string{"only reasoning", "chat_template_kwargs", "models.answer.max_tokens"}},
		"only reasoning in the text": {
			always(llmtest.Reply{Text: "<think>I should think about this.</think>"}), chats, "report", []string{"chat_template_kwargs", "models.report.max_tokens"},
		},
		"invalid JSON": {always(llmtest.Reply{Text: `{"entities": [{"name": `}), chats, "report", []string{"larger model"}},
		"nothing found": {func(r llmtest.Request) llmtest.Reply {
			if fakemodel.Task(r) == prompts.Extract {
				return llmtest.Reply{Text: `{"entities": [], "relationships": [], "claims": []}`}
			}
			return able(r)
		}, []string{"extract"}, "extract", []string{"0 of 5 entities and 0 of 5 relationships, without Marie Keller", "larger model"}},
		"no citations": {func(r llmtest.Request) llmtest.Reply {
			a := able(r)
			a.Text = regexp.MustCompile(` ?\[Data: [^]]*\]`).ReplaceAllString(a.Text, "")
			return a
		}, []string{"report", "answer", "language"}, "answer", []string{"cites no source"}},
		"citations of nothing": {answering("Marie Keller founded it [Data: Sources (7)]."), []string{"answer", "language"}, "answer", []string{"cites no source, and 1 that do not exist"}},
		"a wrong name":         {answering("The Harbour Museum was founded by its city [Data: Sources (1.1)]."), []string{"answer", "language"}, "answer", []string{"the name Marie Keller"}},
		"another language": {
			answering("Marie Keller a fondé le musée dans la ville de Lisbonne avec son frère, qui est de Porto [Data: Sources (1.1)]."),
			[]string{"answer", "language"},
			"answer",
			[]string{"the question is in English and the answer in French"},
		},
		"English only": {fakemodel.Handler, []string{"language"}, "language", []string{"the question is in German and the answer in English", "one language"}},
		"no such model": {
			always(llmtest.Reply{Status: http.StatusNotFound, Message: "model 'm' not found"}), []string{"extract"}, "extract", []string{"model 'm' not found"},
		},
		"a loop":  {always(llmtest.Reply{Text: strings.Repeat("The museum is a museum of ships. ", 200), Finish: "length"}), chats, "answer", []string{"repeats itself", "repeat_penalty"}},
		"cut off": {always(llmtest.Reply{Text: "Marie Keller", Finish: "length"}), chats, "report", []string{"models.report.max_tokens"}},
		"a small context": {
			always(llmtest.Reply{Status: http.StatusBadRequest, Message: "This model's maximum context length is 512 tokens."}), chats, "context", []string{"512 tokens", "8192 or more"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := llmtest.New(llmtest.Options{Handler: tt.model})
			t.Cleanup(server.Close)
			r, code := checkModel(t, server.URL())
			if diff := cmp.Diff(tt.failed, r.names(false)); diff != "" || r.OK != (tt.failed == nil) || code != min(1, len(tt.failed)) {
				t.Errorf("exit %d, ok %v, failed checks (-want +got):\n%s%+v", code, r.OK, diff, r)
			}
			for _, want := range tt.want {
				if got := r.find(tt.check); !strings.Contains(got, want) {
					t.Errorf("check %s: got %q, want %q", tt.check, got, want)
				}
			}
		})
	}
}

// TestDoctorCheckModelMeasures checks what is measured of a model: without a cache, within a budget, with each
// task's model and the embedding model.
func TestDoctorCheckModelMeasures(t *testing.T) {
	t.Parallel()
	server := llmtest.New(llmtest.Options{Handler: able, Dimension: 12, Refuse: []string{"json_schema"}})
	t.Cleanup(server.Close)
	cache := []string{"--cache-dir", t.TempDir(), "--embedding-model", "vectors", "--model-report", "writer"}
	for range 2 {
		server.Reset()
		r, code := checkModel(t, server.URL(), cache...)
		if code != 0 || !slices.Equal(r.names(true), []string{"settings", "extract", "report", "answer", "language", "embed", "context", "context", "concurrency", "usage"}) {
			t.Fatalf("exit %d, %+v", code, r)
		}
		if got := server.Counts(); got.Embeds != 1 || got.Chats < 4 {
			t.Errorf("%d chats and %d calls to embed, want at least 4 and 1: nothing is from a cache", got.Chats, got.Embeds)
		}
		for i, want := range map[int]string{1: "m json_object", 2: "writer json_object", 3: "m ", 5: "vectors "} {
			if m := r.Checks[i].Model; m == nil || m.Name+" "+m.Format != want || m.Requests == 0 {
				t.Errorf("check %s: model %+v, want %s", r.Checks[i].Check, m, want)
			}
		}
		if got := r.find("embed"); !strings.Contains(got, "12 dimensions") {
			t.Errorf("embed: %s", got)
		}
	}
	r, code := checkModel(t, server.URL(), "--price-in", "1000", "--price-out", "1000", "--max-cost", "0.01")
	if code != 1 || !slices.Equal(r.names(false), []string{"extract"}) || !strings.Contains(r.find("extract"), "budget") {
		t.Errorf("a small budget: exit %d, %+v", code, r)
	}
	if r, code = checkModel(t, "http://127.0.0.1:1/v1"); code != 1 || !slices.Equal(r.names(false), []string{"extract"}) || !strings.Contains(r.find("extract"), "--base-url") {
		t.Errorf("no server: exit %d, %+v", code, r)
	}
	same := llmtest.New(llmtest.Options{Handler: able, Fault: func(r llmtest.Request) *llmtest.Reply {
		if !r.Embeds() {
			return nil
		}
		return &llmtest.Reply{Raw: `{"data":[{"index":0,"embedding":[1,0]},{"index":1,"embedding":[1,0]},{"index":2,"embedding":[1,0]}],"usage":{"prompt_tokens":9}}`}
	}})
	t.Cleanup(same.Close)
	if r, code = checkModel(t, same.URL(), "--embedding-model", "chat"); code != 1 || !slices.Equal(r.names(false), []string{"embed"}) || !strings.Contains(r.find("embed"), "equal vectors") {
		t.Errorf("an embedding model that makes equal vectors: exit %d, %+v", code, r)
	}
}

// TestDoctorCheckModelUsage names a model of this machine if none is configured, and refuses flags that do not
// belong together.
func TestDoctorCheckModelUsage(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`{"data":[{"id":"qwen3:8b"}]}`))
	}))
	t.Cleanup(server.Close)
	at := strings.TrimPrefix(server.URL, "http://")
	for _, tt := range []struct {
		args    string
		servers []string
		want    string
	}{
		{"--check-model", nil, "give --base-url URL and --model NAME"},
		{"--check-model", []string{at}, "add --base-url " + server.URL + "/v1 --model qwen3:8b"},
		{"--check-model --offline", []string{at}, "--offline (setting offline) uses none"},
		{"--check-model --graph", nil, "one of --check-model and --graph"},
		{"--model m", nil, "--model is for --check-model"},
		{"--max-cost 1", nil, "--max-cost is for --check-model"},
	} {
		var out, errs bytes.Buffer
		code := cli.Main(t.Context(), cli.Env{
			Args: append([]string{"neorag", "doctor"}, strings.Fields(tt.args)...), Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs,
			Getenv: func(name string) string { return map[string]string{"NEORAG_HOME": t.TempDir()}[name] }, ModelServers: tt.servers,
		})
		if code != 2 || !strings.Contains(errs.String(), tt.want) || out.Len() > 0 {
			t.Errorf("neorag doctor %s: exit %d, want 2 and %q\n%s%s", tt.args, code, tt.want, out.String(), errs.String())
		}
	}
}
