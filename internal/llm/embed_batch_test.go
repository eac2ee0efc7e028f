package llm_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/llm/llmtest"
)

// numbered returns n different texts of some words.
func numbered(n, words int) []string {
	texts := make([]string, n)
	for i := range texts {
		texts[i] = fmt.Sprint("text ", i, strings.Repeat(" word", words))
	}
	return texts
}

// What a server accepts in one call is learnt once, not for each batch.
func TestBatchLimitsAreLearnt(t *testing.T) {
	t.Parallel()
	const most = 8
	for _, c := range []struct {
		name       string
		concurrent int
		refuse     func(llmtest.Request) *llmtest.Reply
		refusals   int // at most
		requests   int // at most
	}{
		{"texts", 1, func(r llmtest.Request) *llmtest.Reply {
			if len(r.Input) > most {
				return &llmtest.Reply{Status: 422, Message: fmt.Sprintf("batch size %d > maximum allowed batch size %d", len(r.Input), most)}
			}
			return nil
		}, 3, 3 + 640/most},
		{"texts, concurrently", 8, func(r llmtest.Request) *llmtest.Reply {
			if len(r.Input) > most {
				return &llmtest.Reply{Status: 413, Message: fmt.Sprintf("batch size %d > maximum allowed batch size %d", len(r.Input), most)}
			}
			return nil
		}, 8 + 2, 8 + 2 + 640/most},
		{"tokens", 1, func(r llmtest.Request) *llmtest.Reply {
			if len(strings.Join(r.Input, "")) > 10000 {
				return &llmtest.Reply{Status: 413, Message: "payload too large"}
			}
			return nil
		}, 1, 1 + 2*10},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			refusals := make(chan struct{}, 10000)
			s, e := vectors(t, llmtest.Options{Dimension: 4, Fault: func(r llmtest.Request) *llmtest.Reply {
				refused := c.refuse(r)
				if refused != nil {
					refusals <- struct{}{}
				}
				return refused
			}}, llm.EmbedConfig{Batch: llm.Batch{Concurrent: c.concurrent}})
			for call := range 2 {
				texts := numbered(640/2, 40)
				for i := range texts {
					texts[i] += fmt.Sprint(" of call ", call)
				}
				if _, _, err := e.Embed(context.Background(), texts); err != nil {
					t.Fatal(err)
				}
			}
			n, requests := len(refusals), s.Counts().Embeds
			if n == 0 || n > c.refusals || requests > c.requests {
				t.Errorf("%d refusals among %d requests, want at most %d among %d", n, requests, c.refusals, c.requests)
			}
			s.Reset()
			if _, _, err := e.Embed(context.Background(), numbered(64, 0)); err != nil {
				t.Fatal(err)
			}
			// A limit of tokens leaves batches of short texts as they are.
			if n := s.Counts().Embeds; c.name == "tokens" && n != 1 {
				t.Errorf("%d requests for 64 short texts, want 1", n)
			}
		})
	}
}

// A text that the server refuses alone is not sent again, does not make the batches
// smaller, and gives one error.
func TestRefusedTextsAreRemembered(t *testing.T) {
	t.Parallel()
	refused := 0
	s, e := vectors(t, llmtest.Options{Dimension: 4, Fault: func(r llmtest.Request) *llmtest.Reply {
		if slices.ContainsFunc(r.Input, func(text string) bool { return strings.Contains(text, "poison") }) {
			refused++
			return &llmtest.Reply{Status: 400, Message: "this text is not accepted"}
		}
		return nil
	}}, llm.EmbedConfig{Cache: &llm.Cache{Dir: t.TempDir()}, Batch: llm.Batch{Concurrent: 1}})
	texts := numbered(64, 0)
	for i := range texts {
		if i%2 == 1 {
			texts[i] += " poison"
		}
	}
	var failed []string
	for len(texts) > 0 { // as a run of indexing does
		_, _, err := e.Embed(context.Background(), texts)
		named, ok := errors.AsType[*llm.TextError](err)
		if !ok {
			if err != nil {
				t.Fatal(err)
			}
			break
		}
		if n := strings.Count(err.Error(), "not accepted"); n != 1 {
			t.Errorf("the error has %d messages: %v", n, err)
		}
		failed = append(failed, texts[named.Index])
		texts = slices.Delete(texts, named.Index, named.Index+1)
	}
	if n := s.Counts().Embeds; len(failed) != 32 || refused == 0 || n > 2*64 {
		t.Errorf("%d failed texts, %d requests of which %d were refused, want 32 texts and at most 128 requests", len(failed), n, refused)
	}
	s.Reset()
	if _, _, err := e.Embed(context.Background(), numbered(64, 1)); err != nil || s.Counts().Embeds != 1 {
		t.Errorf("64 good texts took %d requests, %v", s.Counts().Embeds, err)
	}
}

// A server that always fails with one text, in whatever way, does not keep the others from their
// vectors.
func TestTextThatFailsTheServer(t *testing.T) {
	t.Parallel()
	list := func(r llmtest.Request, bad string) string {
		items := make([]string, len(r.Input))
		for i, text := range r.Input {
			vector := "[1,2,2]"
			if strings.Contains(text, "poison") {
				vector = bad
			}
			items[i] = fmt.Sprintf(`{"index":%d,"embedding":%s}`, i, vector)
		}
		return `{"data":[` + strings.Join(items, ",") + `]}`
	}
	for name, reply := range map[string]func(llmtest.Request) llmtest.Reply{
		"500": func(llmtest.Request) llmtest.Reply {
			return llmtest.Reply{Status: 500, Message: "failed to encode response: json: unsupported value: NaN"}
		},
		"502 of a proxy": func(llmtest.Request) llmtest.Reply {
			return llmtest.Reply{Status: 502, Raw: "<html>Bad Gateway</html>"}
		},
		"503":              func(llmtest.Request) llmtest.Reply { return llmtest.Reply{Status: 503} },
		"not JSON":         func(r llmtest.Request) llmtest.Reply { return llmtest.Reply{Raw: list(r, "[NaN,NaN,NaN]")} },
		"null":             func(r llmtest.Request) llmtest.Reply { return llmtest.Reply{Raw: list(r, "null")} },
		"nulls":            func(r llmtest.Request) llmtest.Reply { return llmtest.Reply{Raw: list(r, "[null,null,null]")} },
		"empty":            func(r llmtest.Request) llmtest.Reply { return llmtest.Reply{Raw: list(r, "[]")} },
		"zeros":            func(r llmtest.Request) llmtest.Reply { return llmtest.Reply{Raw: list(r, "[0,0,0]")} },
		"no vector at all": func(llmtest.Request) llmtest.Reply { return llmtest.Reply{Raw: `{"data":[]}`} },
		"error in a good answer": func(llmtest.Request) llmtest.Reply {
			return llmtest.Reply{Raw: `{"error":{"code":500,"message":"NaN"}}`}
		},
	} {
		for _, n := range []int{1, 64} {
			t.Run(fmt.Sprintf("%s, %d texts", name, n), func(t *testing.T) {
				t.Parallel()
				s, e := vectors(t, llmtest.Options{Dimension: 3, Fault: func(r llmtest.Request) *llmtest.Reply {
					if !slices.ContainsFunc(r.Input, func(text string) bool { return strings.Contains(text, "poison") }) {
						return nil
					}
					out := reply(r)
					return &out
				}}, llm.EmbedConfig{Cache: &llm.Cache{Dir: t.TempDir()}})
				texts := numbered(n, 0)
				bad := 2 * n / 3
				texts[bad] += " poison"
				_, _, err := e.Embed(t.Context(), texts)
				if named, ok := errors.AsType[*llm.TextError](err); !ok || named.Index != bad {
					t.Fatalf("got %v, want a TextError of text %d", err, bad+1)
				}
				if requests := s.Counts().Embeds; requests > 40 {
					t.Errorf("%d requests, want at most 40", requests)
				}
				s.Reset()
				if _, _, err := e.Embed(t.Context(), slices.Delete(texts, bad, bad+1)); err != nil || s.Counts().Embeds > 0 {
					t.Errorf("the other texts: %v, %d requests, want their vectors in the cache", err, s.Counts().Embeds)
				}
			})
		}
	}
}

// A server that fails with every text is not taken for one that fails with some of them.
func TestServerThatFails(t *testing.T) {
	t.Parallel()
	for name, reply := range map[string]llmtest.Reply{
		"500": {Status: 500, Message: "broken"}, "503": {Status: 503}, "429": {Status: 429}, "not JSON": {Raw: "<html>"}, "no vectors": {Raw: `{"data":[]}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			down := false
			s, e := vectors(t, llmtest.Options{Dimension: 3, Fault: func(llmtest.Request) *llmtest.Reply {
				if down {
					return &reply
				}
				return nil
			}}, llm.EmbedConfig{Batch: llm.Batch{Concurrent: 1}})
			if _, err := e.Probe(t.Context()); err != nil {
				t.Fatal(err)
			}
			s.Reset()
			down = true
			_, _, err := e.Embed(t.Context(), numbered(640, 0))
			if _, ok := errors.AsType[*llm.TextError](err); ok || err == nil {
				t.Errorf("got %v, want an error of the server", err)
			}
			if requests := s.Counts().Embeds; requests > 20 {
				t.Errorf("%d requests, want at most 20", requests)
			}
			down = false
			if _, _, err := e.Embed(t.Context(), numbered(640, 0)); err != nil {
				t.Errorf("a server that works again: %v", err)
			}
		})
	}
}
