package methods_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/llm/openai"
	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/query/synth"
)

// TestUsageOfConcurrentQuestions asks several questions of one engine concurrently, whose
// answers take different numbers of tokens: each answer reports its own.
func TestUsageOfConcurrentQuestions(t *testing.T) {
	t.Parallel()
	c := newChanging(t)
	const questions = 6
	var arrived sync.WaitGroup
	arrived.Add(questions)
	server := llmtest.New(llmtest.Options{Handler: func(r llmtest.Request) llmtest.Reply {
		for i := range questions {
			asks := func(m llmtest.Message) bool { return strings.Contains(m.Content, fmt.Sprintf("museum number %d?", i)) }
			if slices.ContainsFunc(r.Messages, asks) {
				arrived.Done()
				arrived.Wait() // all questions are being answered
				return llmtest.Reply{Text: "It is [Data: Sources (1)].", TokensIn: int64(1000 * (i + 1)), TokensOut: int64(10 * (i + 1))}
			}
		}
		return llmtest.Reply{Status: 400, Message: "unexpected"}
	}})
	t.Cleanup(server.Close)
	client, err := openai.New(openai.Config{BaseURL: server.URL(), Model: "simulated"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	total := &llm.Meter{}
	chat := llm.New(llm.Config{Provider: client.Chat(), Meter: total, Price: llm.Price{In: 1000, Out: 1e5}})
	e, err := query.New(c.store, query.Options{Corpus: c.corpus, Model: &synth.Model{Map: chat, Answer: chat}})
	if err != nil {
		t.Fatal(err)
	}
	var asking sync.WaitGroup
	for i := range questions {
		asking.Go(func() {
			a, err := e.Ask(t.Context(), query.Question{Text: fmt.Sprintf("Who opened museum number %d?", i), Method: "basic"})
			if err != nil {
				t.Error(err)
				return
			}
			n := int64(i + 1)
			if u := a.Usage; u.Calls != 1 || u.TokensIn != 1000*n || u.TokensOut != 10*n || u.Cost < 2*float64(n)-1e-9 || u.Cost > 2*float64(n)+1e-9 {
				t.Errorf("question %d: usage %+v", i, u)
			}
		})
	}
	asking.Wait()
	if u := total.Total(); u.Calls != questions || u.TokensIn != 21_000 {
		t.Errorf("all together: %+v", u)
	}
}
