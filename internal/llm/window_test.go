package llm_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/llm/openai"
)

// windowedModel returns a chain for the model of a server, with a limit of answers that the
// user chose, and what it logs.
func windowedModel(t *testing.T, s *llmtest.Server, context, limit int) (llm.Chat, *bytes.Buffer) {
	t.Helper()
	client, err := openai.New(openai.Config{BaseURL: s.URL(), Model: "m", Context: context})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	var log bytes.Buffer
	chat := llm.New(llm.Config{Provider: client.Chat(), Logger: slog.New(slog.NewTextHandler(&log, nil))})
	return llm.WithMaxTokens(chat, llm.AnswerLimit{Tokens: limit, Setting: "models.x.max_tokens", Chosen: true}), &log
}

// words returns a text of n words, each a token.
func words(n int) string { return strings.TrimSpace(strings.Repeat("house ", n)) }

// refusesAbove refuses prompts and answers that together exceed a context.
func refusesAbove(context int) func(llmtest.Request) *llmtest.Reply {
	return func(r llmtest.Request) *llmtest.Reply {
		n := len(strings.Fields(r.Last()))
		if n+r.MaxTokens <= context {
			return nil
		}
		return &llmtest.Reply{Status: 400, Message: fmt.Sprintf("This model's maximum context length is %d tokens. However, you requested %d tokens", context, n+r.MaxTokens)}
	}
}

// TestAnswersFitTheContext lowers the limit of an answer so that prompt and answer fit, by a
// context that is set or that the server states when it refuses a call.
func TestAnswersFitTheContext(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		set, own int // context of the settings and of the server
		prompt   int
		sent     []int // limits of answers
		tooLong  bool
	}{
		"no context":               {0, 1 << 20, 1000, []int{4096}, false},
		"large":                    {100_000, 1 << 20, 1000, []int{4096}, false},
		"set":                      {4096, 1 << 20, 1000, []int{2822}, false},
		"stated":                   {0, 4096, 1000, []int{4096, 2822}, false},
		"lower than set":           {8192, 4096, 3000, []int{4096, 322}, false},
		"little room":              {2048, 2048, 1700, []int{256}, false},
		"too long":                 {2048, 1 << 20, 1900, nil, true},
		"too long for the server":  {0, 2048, 1900, []int{4096}, true},
		"too long by few tokens":   {0, 2048, 2000, []int{4096}, true},
		"far above what is stated": {0, 2048, 9000, []int{4096}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := llmtest.New(llmtest.Options{Fault: refusesAbove(tt.own)})
			t.Cleanup(s.Close)
			chat, log := windowedModel(t, s, tt.set, 4096)
			res, err := chat.Chat(context.Background(), ask(words(tt.prompt)))
			if errors.Is(err, llm.ErrTooLong) != tt.tooLong || !tt.tooLong && (err != nil || res.Text != "ok") {
				t.Fatalf("Chat = %q, %v; too long should be %v", res.Text, err, tt.tooLong)
			}
			if refused, ok := errors.AsType[*llm.Error](err); tt.tooLong && (!ok || !refused.RefusesContent() || !strings.Contains(err.Error(), "models.chat.context")) {
				t.Errorf("Chat: %v, want a refusal of the content that names the setting", err)
			}
			var sent []int
			for _, r := range s.Requests() {
				sent = append(sent, r.MaxTokens)
			}
			if diff := cmp.Diff(tt.sent, sent); diff != "" {
				t.Errorf("limits of answers (-want +got):\n%s", diff)
			}
			lowered := len(sent) > 0 && sent[len(sent)-1] < 4096
			if got := strings.Count(log.String(), "setting=models.x.max_tokens from=4096"); got != map[bool]int{true: 1}[lowered] {
				t.Errorf("%d notes of a lowered limit, want %v:\n%s", got, lowered, log)
			}
		})
	}
}

// TestRoomOfPrompts leaves room for the answer, and bounds nothing if no context is known.
func TestRoomOfPrompts(t *testing.T) {
	t.Parallel()
	s := llmtest.New(llmtest.Options{})
	t.Cleanup(s.Close)
	for context, want := range map[int]int{0: 0, 2048: 1228, 4096: 2457, 8192: 4915, 128_000: 99_123} {
		chat, _ := windowedModel(t, s, context, 4096)
		if got := llm.Room(t.Context(), chat); got != want {
			t.Errorf("Room in a context of %d = %d, want %d", context, got, want)
		}
	}
}

// TestLoweredLimitIsCut checks that the error names the context, and not the setting, as what cut an answer off.
func TestLoweredLimitIsCut(t *testing.T) {
	t.Parallel()
	var long strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&long, "house %d ", i)
	}
	s := llmtest.New(llmtest.Options{Handler: func(llmtest.Request) llmtest.Reply { return llmtest.Reply{Text: long.String()} }})
	t.Cleanup(s.Close)
	chat, _ := windowedModel(t, s, 4096, 4096)
	_, err := chat.Chat(t.Context(), ask(words(1000)))
	if !errors.Is(err, llm.ErrTruncated) || !strings.Contains(err.Error(), "more context than 4096 tokens") || strings.Contains(err.Error(), "raise models.x.max_tokens") {
		t.Errorf("Chat: %v, want a cut answer that names the context", err)
	}
}

// TestCutPromptsAreNoticed warns once if a server reports far fewer tokens than it was sent,
// and never about a right report.
func TestCutPromptsAreNoticed(t *testing.T) {
	t.Parallel()
	const english = "The keeper of the lighthouse writes down the weather every morning, and in the evening he reads it to the people of the village. "
	long := strings.Repeat(english, 45)
	for name, tt := range map[string]struct {
		prompts  []string
		read     []int64
		cached   int64
		warnings int
	}{
		"cut":                      {[]string{long}, []int64{300}, 0, 1},
		"cut twice":                {[]string{long, "x" + long}, []int64{300, 300}, 0, 1},
		"right":                    {[]string{long}, []int64{1170}, 0, 0},
		"a vocabulary of words":    {[]string{long}, []int64{700}, 0, 0},
		"short":                    {[]string{english}, []int64{3}, 0, 0},
		"no report":                {[]string{long}, []int64{0}, 0, 0},
		"cached tokens":            {[]string{long}, []int64{300}, 200, 0},
		"the beginning was cached": {[]string{long + "one?", long + "and what of the other one?"}, []int64{1170, 12}, 0, 0},
		"Chinese, few tokens":      {[]string{strings.Repeat("灯塔看守人每天早上记录天气，晚上读给村民听。", 60)}, []int64{700}, 0, 0},
		"Thai, few tokens":         {[]string{strings.Repeat("ผู้ดูแลประภาคารจดบันทึกสภาพอากาศทุกเช้า ", 60)}, []int64{700}, 0, 0},
		"Hindi, few tokens":        {[]string{strings.Repeat("प्रकाशस्तंभ का रखवाला हर सुबह मौसम लिखता है। ", 60)}, []int64{500}, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := llmtest.New(llmtest.Options{})
			t.Cleanup(s.Close)
			chat, log := windowedModel(t, s, 0, 100)
			for i, prompt := range tt.prompts {
				s.Enqueue(llmtest.Reply{Text: "ok", TokensIn: tt.read[i], CachedTokens: tt.cached, NoUsage: tt.read[i] == 0})
				if _, err := chat.Chat(t.Context(), ask(prompt)); err != nil {
					t.Fatal(err)
				}
			}
			if got := strings.Count(log.String(), "the server cuts prompts"); got != tt.warnings {
				t.Errorf("%d warnings, want %d:\n%s", got, tt.warnings, log)
			}
		})
	}
}

// TestLongTextsAreCutToTheContext embeds the beginning of a text that is longer than the
// context, and all of others.
func TestLongTextsAreCutToTheContext(t *testing.T) {
	t.Parallel()
	s := llmtest.New(llmtest.Options{})
	t.Cleanup(s.Close)
	client, err := openai.New(openai.Config{BaseURL: s.URL(), EmbeddingModel: "m"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	e := llm.NewEmbedder(llm.EmbedConfig{Provider: client.Embedder(), Context: 200})
	vectors, _, err := e.Embed(t.Context(), []string{words(100), words(500)})
	if err != nil || len(vectors) != 2 {
		t.Fatalf("Embed returned %d vectors, %v", len(vectors), err)
	}
	var sent []int
	for _, text := range s.Requests()[0].Input {
		sent = append(sent, len(strings.Fields(text)))
	}
	if diff := cmp.Diff([]int{100, 160}, sent); diff != "" {
		t.Errorf("words sent (-want +got):\n%s", diff)
	}
}
