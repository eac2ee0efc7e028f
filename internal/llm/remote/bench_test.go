package remote_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/llm/openai"
	"github.com/neorag/neorag/internal/llm/remote"
	"github.com/neorag/neorag/internal/testkit/natstest"
)

// BenchmarkOverhead compares calls of 50 ms through a queue and one worker with the same calls without them, turn by
// turn. The model server gets 16 calls at the same time in both; a few more wait at the worker. The ratio of the times
// should be at most 1.10.
func BenchmarkOverhead(b *testing.B) {
	const calls, slots, more, rounds = 320, 16, 5, 5
	s := natstest.New(b, token)
	server := llmtest.New(llmtest.Options{Handler: echo, Latency: 50 * time.Millisecond})
	defer server.Close()
	client, err := openai.New(openai.Config{BaseURL: server.URL(), Model: "m"})
	if err != nil {
		b.Fatal(err)
	}
	defer client.Close()
	newChain := func(provider llm.Chat, slots int) llm.Chat {
		return llm.New(llm.Config{Provider: provider, Limiter: llm.NewLimiter(llm.Limits{Concurrent: slots})})
	}
	inUse := func(c *remote.Config) { *c = remote.Config{URL: s.URL(), Token: token} }
	direct := newChain(client.Chat(), slots)
	work(b, connect(b, s, inUse), []remote.Service{{Model: remote.Model{Name: "m"}, Chat: newChain(client.Chat(), slots), Slots: slots}})
	queued := newChain(connect(b, s, inUse).Chat(remote.Model{Name: "m"}, 0), slots+more)

	prompt := incompressible(3 << 10)
	measure := func(chat llm.Chat, n int) time.Duration {
		begin := time.Now()
		var all sync.WaitGroup
		for i := range n {
			all.Go(func() {
				if _, err := chat.Chat(b.Context(), ask(fmt.Sprint(prompt, i))); err != nil {
					b.Error(err)
				}
			})
		}
		all.Wait()
		return time.Since(begin)
	}
	for b.Loop() {
		var times [2]time.Duration
		chats := []llm.Chat{direct, queued}
		for _, chat := range chats {
			measure(chat, slots) // connections
		}
		for range rounds {
			for i, chat := range chats {
				times[i] += measure(chat, calls)
			}
		}
		b.ReportMetric(float64(times[1])/float64(times[0]), "queue/direct")
		b.ReportMetric(times[0].Seconds()*1000*slots/(calls*rounds), "direct-ms/call")
		b.ReportMetric(times[1].Seconds()*1000*slots/(calls*rounds), "queue-ms/call")
	}
}
