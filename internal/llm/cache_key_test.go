package llm_test

import (
	"testing"

	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/llm/openai"
)

// Everything that can change an answer changes the key.
func TestCacheKey(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := llmtest.New(llmtest.Options{Handler: func(llmtest.Request) llmtest.Reply { return llmtest.Reply{Text: `{"a":1}`} }})
	t.Cleanup(s.Close)
	other := llmtest.New(llmtest.Options{Handler: func(llmtest.Request) llmtest.Reply { return llmtest.Reply{Text: `{"a":2}`} }})
	t.Cleanup(other.Close)
	seed := int64(1)
	base := openai.Config{BaseURL: s.URL(), Model: "m"}
	cases := []struct {
		name   string
		config func(*openai.Config)
		req    func(*llm.Request)
	}{
		{"base", func(*openai.Config) {}, func(*llm.Request) {}},
		{"model", func(c *openai.Config) { c.Model = "n" }, func(*llm.Request) {}},
		{"server", func(c *openai.Config) { c.BaseURL = other.URL() }, func(*llm.Request) {}},
		{"path", func(c *openai.Config) { c.BaseURL = s.URL() + "/../v1" }, func(*llm.Request) {}},
		{"parameters", func(c *openai.Config) { c.Params = map[string]any{"top_p": 0.5} }, func(*llm.Request) {}},
		{"temperature", func(*openai.Config) {}, func(r *llm.Request) { r.Temperature = 0.5 }},
		{"tokens", func(*openai.Config) {}, func(r *llm.Request) { r.MaxTokens = 9 }},
		{"seed", func(*openai.Config) {}, func(r *llm.Request) { r.Seed = &seed }},
		{"bias", func(*openai.Config) {}, func(r *llm.Request) { r.LogitBias = map[string]int64{"1": 5} }},
		{"JSON", func(*openai.Config) {}, func(r *llm.Request) { r.JSON = true }},
		{"schema", func(*openai.Config) {}, func(r *llm.Request) { r.Schema = &llm.Schema{Name: "s", JSON: []byte(`{"type":"object"}`)} }},
		{"schema's form", func(*openai.Config) {}, func(r *llm.Request) {
			r.Schema = &llm.Schema{Name: "s", JSON: []byte(`{"type":"object","required":["a"]}`)}
		}},
		{"message", func(*openai.Config) {}, func(r *llm.Request) { r.Messages[0].Content = "p" }},
		{"role", func(*openai.Config) {}, func(r *llm.Request) { r.Messages[0].Role = "system" }},
		{"split message", func(*openai.Config) {}, func(r *llm.Request) { r.Messages = append(r.Messages, llm.Message{Role: "user"}) }},
	}
	for pass := range 2 {
		s.Reset()
		other.Reset()
		for i, c := range cases {
			config, req := base, ask("q")
			c.config(&config)
			c.req(&req)
			client, err := openai.New(config)
			if err != nil {
				t.Fatal(err)
			}
			chat := llm.New(llm.Config{Provider: client.Chat(), Cache: &llm.Cache{Dir: dir}})
			mustAsk(t, chat, req)
			client.Close()
			if want := (i + 1) * (1 - pass); s.Counts().Requests+other.Counts().Requests != want {
				t.Fatalf("pass %d: %s: %d requests so far, want %d", pass, c.name, s.Counts().Requests, want)
			}
		}
	}
}
