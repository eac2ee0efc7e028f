package query

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/llm/openai"
	"github.com/neorag/neorag/internal/query/synth"
)

// TestAnswerInRoom checks that an answer whose prompt the server refuses as too long is made once
// more with a shorter prompt, whatever form the refusal has, and that a prompt that has room by
// what the refusal states is not sent again.
func TestAnswerInRoom(t *testing.T) {
	t.Parallel()
	const words = "This model's maximum context length is 4096 tokens."
	for name, refusal := range map[string]llmtest.Reply{
		"status 400":                  {Status: http.StatusBadRequest, Message: words},
		"an object marked as error":   {Raw: `{"object":"error","message":"` + words + `","code":40303}`},
		"an error in an answer":       {Raw: `{"error":{"message":"` + words + `"}}`},
		"a string":                    {Raw: `{"error":"` + words + `"}`},
		"a string with a message":     {Raw: `{"error":"invalid_request_error","message":"` + words + `"}`},
		"a detail":                    {Raw: `{"detail":"` + words + `"}`},
		"a detail of another service": {Status: http.StatusBadRequest, Raw: `{"detail":"` + words + `"}`},
		"an event":                    {Raw: "event: error\ndata: {\"message\":\"" + words + "\"}\n\n"},
	} {
		for length, want := range map[int][]int{
			500:  {500, 500}, // the second with a lower limit of the answer
			1755: {1755, 1755},
			1756: {1756, 1756, 1755},
			3000: {3000, 3000, 1755}, // then one that has room in 4,096 tokens
			5000: {5000, 1755},       // a lower limit cannot help
		} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				server := llmtest.New(llmtest.Options{Fault: func(llmtest.Request) *llmtest.Reply { return &refusal }})
				t.Cleanup(server.Close)
				client, err := openai.New(openai.Config{BaseURL: server.URL(), Model: "m"})
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(client.Close)
				chat := llm.WithMaxTokens(llm.New(llm.Config{Provider: client.Chat(), Retry: llm.Retry{FirstWait: time.Millisecond}}), llm.AnswerLimit{Tokens: 4096})
				r := Request{Question: Question{Text: "Who?"}, Options: Options{Model: &synth.Model{Map: chat, Answer: chat}}}
				_, _, err = r.answerInRoom(t.Context(), Method{Unpinned: true, Answer: func(ctx context.Context, r Request) (Answer, error) {
					prompt := strings.TrimSpace(strings.Repeat("house ", r.withinRoom(length)))
					_, err := chat.Chat(ctx, llm.Request{Messages: []llm.Message{{Role: "user", Content: prompt}}})
					return Answer{}, err
				}})
				if err == nil || !strings.Contains(err.Error(), words) {
					t.Errorf("got %v, want the server's words", err)
				}
				var got []int
				for _, asked := range server.Requests() {
					got = append(got, len(strings.Fields(asked.Last())))
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("words of the prompts (-want +got):\n%s", diff)
				}
			})
		}
	}
}
