package llmtest_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"math"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/neorag/neorag/internal/llm/llmtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// head is a response without its body.
type head struct {
	StatusCode int
	Header     http.Header
}

func post(t *testing.T, s *llmtest.Server, path, body string) (head, string, error) {
	t.Helper()
	req, err := http.NewRequestWithContext(context.Background(), http.MethodPost, s.URL()+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	res, err := client.Do(req)
	if err != nil {
		return head{}, "", err
	}
	defer func() { _ = res.Body.Close() }()
	b, err := io.ReadAll(res.Body)
	return head{res.StatusCode, res.Header}, string(b), err
}

func server(t *testing.T, o llmtest.Options) *llmtest.Server {
	t.Helper()
	s := llmtest.New(o)
	t.Cleanup(s.Close)
	return s
}

const hello = `{"model":"m","messages":[{"role":"user","content":"one two"}],"response_format":{"type":"json_object"},"logit_bias":{"5":1},"seed":3,"max_tokens":2}`

func TestChat(t *testing.T) {
	t.Parallel()
	var seen llmtest.Request
	s := server(t, llmtest.Options{Handler: func(r llmtest.Request) llmtest.Reply {
		seen = r
		return llmtest.Reply{Text: "a b c", Reasoning: "hm", CachedTokens: 1}
	}})
	res, body, err := post(t, s, "/chat/completions", hello)
	if err != nil || res.StatusCode != 200 {
		t.Fatal(body, err)
	}
	if seen.Last() != "one two" || seen.Format != "json_object" || seen.LogitBias["5"] != 1 || *seen.Seed != 3 || seen.N != 1 || seen.Embeds() {
		t.Errorf("the handler saw %+v", seen)
	}
	var got map[string]any
	if err := json.Unmarshal([]byte(body), &got); err != nil {
		t.Fatal(err)
	}
	want := map[string]any{
		"id": "chatcmpl-1", "object": "chat.completion", "created": 0.0, "model": "m",
		"choices": []any{map[string]any{
			"index": 0.0, "finish_reason": "length",
			"message": map[string]any{"role": "assistant", "content": "a b ", "reasoning_content": "hm"},
		}},
		"usage": map[string]any{
			"prompt_tokens": 2.0, "completion_tokens": 2.0, "total_tokens": 4.0, "prompt_tokens_details": map[string]any{"cached_tokens": 1.0},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("answer (-want +got):\n%s", diff)
	}
}

func TestStream(t *testing.T) {
	t.Parallel()
	s := server(t, llmtest.Options{Handler: func(llmtest.Request) llmtest.Reply { return llmtest.Reply{Text: "a long answer"} }})
	res, body, err := post(t, s, "/chat/completions", `{"model":"m","stream":true,"stream_options":{"include_usage":true}}`)
	if err != nil || res.Header.Get("Content-Type") != "text/event-stream" {
		t.Fatal(body, err)
	}
	var out strings.Builder
	events := 0
	for lines := bufio.NewScanner(strings.NewReader(body)); lines.Scan(); {
		data, found := strings.CutPrefix(lines.Text(), "data: ")
		if !found || data == "[DONE]" {
			continue
		}
		events++
		var piece struct {
			Choices []struct{ Delta struct{ Content string } }
		}
		if err := json.Unmarshal([]byte(data), &piece); err != nil {
			t.Fatal(err)
		}
		for _, c := range piece.Choices {
			out.WriteString(c.Delta.Content)
		}
	}
	text := out.String()
	if text != "a long answer" || events != 5 || !strings.Contains(body, `"completion_tokens":3`) || !strings.HasSuffix(body, "data: [DONE]\n\n") {
		t.Errorf("%d events make %q:\n%s", events, text, body)
	}
}

func TestEmbeddings(t *testing.T) {
	t.Parallel()
	s := server(t, llmtest.Options{Dimension: 8})
	_, body, err := post(t, s, "/embeddings", `{"model":"e","input":"one text","dimensions":4}`)
	var got struct {
		Data []struct{ Embedding []float32 }
	}
	if err != nil || json.Unmarshal([]byte(body), &got) != nil {
		t.Fatal(body, err)
	}
	if diff := cmp.Diff(llmtest.Vector("one text", 4), got.Data[0].Embedding); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	cos := func(a, b string) float64 {
		var sum float64
		x, y := llmtest.Vector(a, 256), llmtest.Vector(b, 256)
		for i := range x {
			sum += float64(x[i]) * float64(y[i]) / 9
		}
		return sum
	}
	if same, near, far := cos("the old miser", "the old miser"), cos("the old miser", "an old miser"), cos("the old miser", "green fields"); math.Abs(same-1) > 1e-6 || near <= far {
		t.Errorf("cosines: same %v, near %v, far %v", same, near, far)
	}
}

func TestFaults(t *testing.T) {
	t.Parallel()
	s := server(t, llmtest.Options{Key: "k", Refuse: []string{"json_object"}})
	for _, c := range []struct {
		name   string
		reply  llmtest.Reply
		status int
		body   string
	}{
		{"refusal", llmtest.Reply{Status: 429, RetryAfter: 1500 * time.Millisecond, Message: "slow"}, 429, "slow"},
		{"raw", llmtest.Reply{Raw: "<html>"}, 200, "<html>"},
		{"no key", llmtest.Reply{}, 401, "Incorrect API key"},
	} {
		s.Enqueue(c.reply)
		res, body, err := post(t, s, "/chat/completions", hello)
		if err != nil || res.StatusCode != c.status || !strings.Contains(body, c.body) {
			t.Errorf("%s: %v %s", c.name, err, body)
		}
		if c.status == 429 && res.Header.Get("Retry-After") != "1.5" {
			t.Errorf("Retry-After %q", res.Header.Get("Retry-After"))
		}
	}
	s.Enqueue(llmtest.Reply{Reset: true})
	if _, _, err := post(t, s, "/chat/completions", hello); err == nil {
		t.Error("the connection was not reset")
	}
	open := server(t, llmtest.Options{Refuse: []string{"json_object", "seed"}})
	if res, body, err := post(t, open, "/chat/completions", hello); err != nil || res.StatusCode != 400 || !strings.Contains(body, "json_object") {
		t.Errorf("refused format: %v %s", err, body)
	}
	if res, _, err := post(t, open, "/nothing", "{}"); err != nil || res.StatusCode != 404 {
		t.Errorf("unknown path: %v", err)
	}
	if res, _, err := post(t, open, "/chat/completions", "no"); err != nil || res.StatusCode != 400 {
		t.Errorf("no request: %v", err)
	}
}

func TestMaxConcurrent(t *testing.T) {
	t.Parallel()
	// The accepted requests are answered when the others have been refused.
	open := make(chan struct{})
	s := server(t, llmtest.Options{MaxConcurrent: 3, RetryAfter: time.Second, Handler: func(llmtest.Request) llmtest.Reply {
		<-open
		return llmtest.Reply{Text: "ok"}
	}})
	var wg, refused sync.WaitGroup
	refused.Add(5)
	for range 8 {
		wg.Go(func() {
			res, _, err := post(t, s, "/chat/completions", hello)
			if err != nil {
				t.Error(err)
				return
			}
			if res.StatusCode == 429 {
				if got := res.Header.Get("Retry-After"); got != "1" {
					t.Errorf("Retry-After %q, want 1", got)
				}
				refused.Done()
			}
		})
	}
	refused.Wait()
	close(open)
	wg.Wait()
	if diff := cmp.Diff(llmtest.Counts{Requests: 8, Chats: 8, Refusals: 5, Peak: 3}, s.Counts()); diff != "" {
		t.Errorf("counts (-want +got):\n%s", diff)
	}
	s.Reset()
	if c := s.Counts(); c != (llmtest.Counts{}) {
		t.Errorf("after Reset: %+v", c)
	}
}
