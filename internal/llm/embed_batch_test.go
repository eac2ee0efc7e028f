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
