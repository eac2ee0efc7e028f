package cli

import (
	"testing"

	"github.com/neorag/neorag/internal/llm/localmodels"
)

func TestLocalModelFlags(t *testing.T) {
	t.Parallel()
	const one, two = "http://127.0.0.1:11434/v1", "http://127.0.0.1:1234/v1"
	for name, tt := range map[string]struct {
		servers []localmodels.Server
		embeds  bool
		want    string
	}{
		"none":              {nil, true, ""},
		"chat":              {[]localmodels.Server{{BaseURL: one, Chat: []string{"a", "b"}}}, true, " --base-url " + one + " --model a"},
		"embedding only":    {[]localmodels.Server{{BaseURL: one, Embeddings: []string{"e"}}}, true, ""},
		"both":              {[]localmodels.Server{{BaseURL: one, Chat: []string{"a"}, Embeddings: []string{"e"}}}, true, " --base-url " + one + " --model a --embedding-model e"},
		"no embedding flag": {[]localmodels.Server{{BaseURL: one, Chat: []string{"a"}, Embeddings: []string{"e"}}}, false, " --base-url " + one + " --model a"},
		"two servers": {
			[]localmodels.Server{{BaseURL: one, Embeddings: []string{"e"}}, {BaseURL: two, Chat: []string{"a"}}},
			true,
			" --base-url " + two + " --model a --embedding-base-url " + one + " --embedding-model e",
		},
		"the server of the chat model": {
			[]localmodels.Server{{BaseURL: one, Embeddings: []string{"e"}}, {BaseURL: two, Chat: []string{"a"}, Embeddings: []string{"f"}}},
			true,
			" --base-url " + two + " --model a --embedding-model f",
		},
	} {
		if got := localModelFlags(tt.servers, tt.embeds); got != tt.want {
			t.Errorf("%s: localModelFlags = %q, want %q", name, got, tt.want)
		}
	}
}
