package prices

import (
	"testing"
	"time"

	"github.com/neorag/neorag/internal/llm"
)

// TestOf looks prices up by server and model.
func TestOf(t *testing.T) {
	t.Parallel()
	mini := llm.Price{In: .4, CachedIn: .1, Out: 1.6}
	for _, c := range []struct {
		address, model string
		want           llm.Price
		known          bool
	}{
		{"https://api.openai.com/v1", "gpt-4.1-mini", mini, true},
		{"https://API.OpenAI.com:443/v1/", "gpt-4.1-mini-2025-04-14", mini, true},
		{"https://api.openai.com/v1", "gpt-4o-2024-05-13", llm.Price{In: 5, Out: 15}, true},
		{"https://api.openai.com/v1", "text-embedding-3-small", llm.Price{In: .02}, true},
		{"https://api.anthropic.com/v1", "claude-sonnet-4-20250514", llm.Price{In: 3, CachedIn: .3, Out: 15}, true},
		{"https://generativelanguage.googleapis.com/v1beta/openai", "models/gemini-2.5-flash", llm.Price{In: .3, Out: 2.5}, true},
		{"https://api.openai.com/v1", "gpt-4.1-mini-tuned", llm.Price{}, false},
		{"https://api.openai.com/v1", "gpt-4.1-mini-2", llm.Price{}, false},
		{"https://api.openai.com/v1", "", llm.Price{}, false},
		{"https://api.mistral.ai/v1", "gpt-4.1-mini", llm.Price{}, false},
		{"https://api.openai.com.example.org/v1", "gpt-4.1-mini", llm.Price{}, false},
		{"https://proxy.example.org/api.openai.com/v1", "gpt-4.1-mini", llm.Price{}, false},
		{"http://api.openai.com/v1", "gpt-4.1-mini", llm.Price{}, false},
		{"https://api.openai.com:8443/v1", "gpt-4.1-mini", llm.Price{}, false},
		{"http://localhost:11434/v1", "gpt-4.1-mini", llm.Price{}, false},
		{"", "gpt-4.1-mini", llm.Price{}, false},
	} {
		if got, known := Of(c.address, c.model); got != c.want || known != c.known {
			t.Errorf("Of(%q, %q) = %v, %v, want %v, %v", c.address, c.model, got, known, c.want, c.known)
		}
	}
}

// TestList checks the rows and the date of the list.
func TestList(t *testing.T) {
	t.Parallel()
	if _, err := time.Parse(time.DateOnly, Date); err != nil {
		t.Error(err)
	}
	for name, p := range table() {
		if p.In <= 0 || p.CachedIn < 0 || p.CachedIn >= p.In || p.Out != 0 && p.Out < p.In || p.Out > 100 {
			t.Errorf("%s: %+v", name, p)
		}
	}
	if len(table()) < 30 {
		t.Errorf("%d prices", len(table()))
	}
}
