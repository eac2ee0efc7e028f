package config

import (
	"maps"
	"testing"

	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/llm/openai"
)

// TestListedPrices finds the prices of the built-in list: at the provider's own server, and only if the
// user gives none.
func TestListedPrices(t *testing.T) {
	t.Parallel()
	listed := llm.Price{In: .4, CachedIn: .1, Out: 1.6}
	for _, c := range []struct {
		name            string
		env             map[string]string
		chat, embedding llm.Price
		missing         int  // prices of chat model and embedding model
		local           bool // the chat model
	}{
		{name: "OpenAI", chat: listed, embedding: llm.Price{In: .02}},
		{name: "another model of a task", env: map[string]string{"NEORAG_MODEL_MAP": "gpt-4.1"}, chat: llm.Price{In: 2, CachedIn: .5, Out: 8}, embedding: llm.Price{In: .02}},
		{name: "a model that is not listed", env: map[string]string{"NEORAG_MODEL": "gpt-x"}, embedding: llm.Price{In: .02}, missing: 2},
		{name: "own prices", env: map[string]string{"NEORAG_PRICE_IN": "7", "NEORAG_PRICE_OUT": "8", "NEORAG_EMBEDDING_PRICE_IN": "0"}, chat: llm.Price{In: 7, Out: 8}},
		{name: "one own price, perhaps in another currency", env: map[string]string{"NEORAG_PRICE_IN": "7"}, chat: llm.Price{In: 7}, missing: 2},
		{name: "a free model", env: map[string]string{"NEORAG_PRICE_IN": "0", "NEORAG_PRICE_OUT": "0", "NEORAG_EMBEDDING_PRICE_IN": "0"}},
		{name: "a proxy", env: map[string]string{"NEORAG_BASE_URL": "https://proxy.test/v1", "NEORAG_MODEL": "gpt-4.1-mini", "NEORAG_EMBEDDING_MODEL": "text-embedding-3-small"}, missing: 3},
		{name: "a local server", env: map[string]string{"NEORAG_BASE_URL": "http://127.0.0.1:8080/v1", "NEORAG_MODEL": "gpt-4.1-mini", "NEORAG_EMBEDDING_MODEL": "text-embedding-3-small"}, missing: 3, local: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			env := map[string]string{"OPENAI_API_KEY": "key"}
			maps.Copy(env, c.env)
			s := Sources{Dir: t.TempDir(), Getenv: func(name string) string { return env[name] }, Flag: func(Setting) ([]string, bool) { return nil, false }}
			general, task, err := endpoints(s)
			if err != nil {
				t.Fatal(err)
			}
			settings, err := Load(s)
			if err != nil {
				t.Fatal(err)
			}
			embedding, err := settings.EmbeddingEndpoint(general)
			if err != nil {
				t.Fatal(err)
			}
			missing := len(task.MissingPrices()) + len(embedding.MissingPrices())
			if task.Price != c.chat || embedding.Price != c.embedding || missing != c.missing || task.IsLocal() != c.local {
				t.Errorf("got %v and %v, %d missing, local %v, want %v and %v, %d, %v", task.Price, embedding.Price, missing, task.IsLocal(), c.chat, c.embedding, c.missing, c.local)
			}
			if own := settings.givesPrices(); own && (task.ListedPrice() || embedding.ListedPrice()) {
				t.Error("a price is from the list")
			}
			if general.BaseURL == openai.DefaultBaseURL && c.missing == 0 && !settings.givesPrices() {
				large, err := settings.EmbeddingEndpointOf("text-embedding-3-large", general)
				if err != nil || large.Price.In != .13 || !large.ListedPrice() {
					t.Errorf("the model of a corpus: %+v, %v", large.Price, err)
				}
			}
		})
	}
}
