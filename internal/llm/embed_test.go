package llm_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/llm/openai"
)

func vectors(t *testing.T, o llmtest.Options, c llm.EmbedConfig) (*llmtest.Server, *llm.BatchEmbedder) {
	t.Helper()
	s, client := connect(t, o)
	c.Provider, c.Retry = client.Embedder(), quick
	return s, llm.NewEmbedder(c)
}

func unit(v []float32) []float32 {
	out := slices.Clone(v)
	for i := range out {
		out[i] /= 3 // the server's vectors have length 3
	}
	return out
}

var approx = cmpopts.EquateApprox(0, 1e-6)

func TestEmbed(t *testing.T) {
	t.Parallel()
	for _, floatsOnly := range []bool{false, true} {
		s, e := vectors(t, llmtest.Options{FloatsOnly: floatsOnly}, llm.EmbedConfig{Batch: llm.Batch{Texts: 3}})
		texts := []string{"a b", "c", "a b", "d", "e", "f", "c"}
		got, used, err := e.Embed(context.Background(), texts)
		if err != nil {
			t.Fatal(err)
		}
		for i, text := range texts {
			if diff := cmp.Diff(unit(llmtest.Vector(text, 64)), got[i], approx); diff != "" {
				t.Errorf("vector of %q (-want +got):\n%s", text, diff)
			}
			if n := norm(got[i]); math.Abs(n-1) > 1e-6 {
				t.Errorf("vector of %q has length %v", text, n)
			}
		}
		// Five different texts, three to a batch.
		if c := s.Counts(); c.Embeds != 2 || used.Calls != 2 || used.TokensIn != 6 {
			t.Errorf("%d requests, usage %+v", c.Embeds, used)
		}
		if d, err := e.Probe(context.Background()); err != nil || d != 64 || s.Counts().Embeds != 2 {
			t.Errorf("Probe = %d, %v after %d requests", d, err, s.Counts().Embeds)
		}
	}
}

func norm(v []float32) float64 {
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	return math.Sqrt(sum)
}

func TestEmbedCache(t *testing.T) {
	t.Parallel()
	cache := &llm.Cache{Dir: t.TempDir()}
	meter := &llm.Meter{}
	s, e := vectors(t, llmtest.Options{}, llm.EmbedConfig{Cache: cache, Meter: meter, Price: llm.Price{In: 1e6}})
	first, used, err := e.Embed(context.Background(), []string{"a", "b"})
	if err != nil || used.Cost != 2 {
		t.Fatalf("usage %+v, %v", used, err)
	}
	again, used, err := e.Embed(context.Background(), []string{"b", "c", "a"})
	if err != nil || used.TokensIn != 1 {
		t.Fatalf("usage %+v, %v", used, err)
	}
	if diff := cmp.Diff([][]float32{first[1], first[0]}, [][]float32{again[0], again[2]}); diff != "" {
		t.Errorf("cached vectors differ (-first +second):\n%s", diff)
	}
	if _, used, err = e.Embed(context.Background(), []string{"a"}); err != nil || used != (llm.Usage{}) {
		t.Errorf("only cached: usage %+v, %v", used, err)
	}
	if n := s.Counts().Embeds; n != 2 {
		t.Errorf("%d requests, want 2", n)
	}
	want := llm.TaskUsage{Usage: llm.Usage{Calls: 2, TokensIn: 3, Cost: 3}, Requests: 3, Hits: 1}
	if diff := cmp.Diff(want, meter.Tasks()[llm.TaskEmbed]); diff != "" {
		t.Errorf("totals (-want +got):\n%s", diff)
	}
	if stats, err := cache.Stats(context.Background()); err != nil || stats.Vectors != 3 {
		t.Errorf("Stats = %+v, %v", stats, err)
	}
}

// Every text gets its vector, also one that occurs twice in a call and is cached.
func TestEmbedEqualTexts(t *testing.T) {
	t.Parallel()
	_, client := connect(t, llmtest.Options{Dimension: 4})
	dir, caches := t.TempDir(), 0
	rapid.Check(t, func(t *rapid.T) {
		caches++
		cache := &llm.Cache{Dir: filepath.Join(dir, strconv.Itoa(caches))}
		e := llm.NewEmbedder(llm.EmbedConfig{Provider: client.Embedder(), Cache: cache})
		texts := rapid.SliceOf(rapid.SampledFrom([]string{"a", "b", "c", "d"}))
		for _, call := range []string{"first", "second", "third"} {
			asked := texts.Draw(t, call)
			got, _, err := e.Embed(t.Context(), asked)
			if err != nil {
				t.Fatal(err)
			}
			for i, text := range asked {
				if diff := cmp.Diff(unit(llmtest.Vector(text, 4)), got[i], approx); diff != "" {
					t.Fatalf("%s call: vector %d, of %q (-want +got):\n%s", call, i, text, diff)
				}
			}
		}
	})
}

// resized is a model whose vectors have another length than those in the cache.
type resized struct {
	llm.Embedder
	dimension int
}

func (r *resized) Dimension() int { return 0 }

func (r *resized) Embed(_ context.Context, texts []string) ([][]float32, llm.Usage, error) {
	out := make([][]float32, len(texts))
	for i, text := range texts {
		out[i] = llmtest.Vector(text, r.dimension)
	}
	return out, llm.Usage{Calls: 1}, nil
}

// TestModelChangesItsLength checks that an embedder which learnt the dimension from the
// cache stops when the server returns another one, and continues after a probe without
// the old vectors.
func TestModelChangesItsLength(t *testing.T) {
	t.Parallel()
	_, client := connect(t, llmtest.Options{})
	cache := &llm.Cache{Dir: t.TempDir()}
	open := func(dimension int) *llm.BatchEmbedder {
		e := llm.NewEmbedder(llm.EmbedConfig{Provider: &resized{client.Embedder(), dimension}, Cache: cache, Retry: quick})
		if d, err := e.Probe(t.Context()); err != nil || d != 64 {
			t.Fatalf("the probe is %d, %v; want that of the cache", d, err)
		}
		return e
	}
	if _, _, err := open(64).Embed(t.Context(), []string{"a", "b"}); err != nil {
		t.Fatal(err)
	}
	e := open(96)
	for range 2 { // nothing is embedded before another probe
		if _, _, err := e.Embed(t.Context(), []string{"a", "c", "d"}); !errors.Is(err, llm.ErrDimension) {
			t.Fatalf("a model that changed: %v, want ErrDimension", err)
		}
	}
	if d, err := e.Probe(t.Context()); err != nil || d != 96 {
		t.Errorf("Probe = %d, %v, want 96", d, err)
	}
	got, used, err := e.Embed(t.Context(), []string{"a", "c", "d"})
	if err != nil || used.Calls != 1 { // "c" and "d" are in the cache
		t.Fatalf("usage %+v, %v", used, err)
	}
	for i, vector := range got {
		if len(vector) != 96 {
			t.Errorf("vector %d has %d numbers", i, len(vector))
		}
	}
	again := llm.NewEmbedder(llm.EmbedConfig{Provider: &resized{client.Embedder(), 96}, Cache: cache, Retry: quick})
	if d, err := again.Probe(t.Context()); err != nil || d != 96 {
		t.Errorf("the probe of the next run = %d, %v, want 96", d, err)
	}
	if got, _, err := again.Embed(t.Context(), []string{"b", "a"}); err != nil || len(got[0]) != 96 {
		t.Errorf("a text whose vector in the cache is old: %d numbers, %v", len(got), err)
	}
}

// Another model or dimension never gets cached vectors of the first.
func TestEmbedCacheKey(t *testing.T) {
	t.Parallel()
	s := llmtest.New(llmtest.Options{})
	t.Cleanup(s.Close)
	cache := &llm.Cache{Dir: t.TempDir()}
	for i, c := range []openai.Config{{EmbeddingModel: "e"}, {EmbeddingModel: "f"}, {EmbeddingModel: "e", Dimension: 16}, {EmbeddingModel: "e", BaseURL: s.URL() + "/../v1"}} {
		if c.BaseURL == "" {
			c.BaseURL = s.URL()
		}
		client, err := openai.New(c)
		if err != nil {
			t.Fatal(err)
		}
		e := llm.NewEmbedder(llm.EmbedConfig{Provider: client.Embedder(), Cache: cache})
		v, _, err := e.Embed(context.Background(), []string{"a"})
		client.Close()
		if err != nil || s.Counts().Embeds != i+1 || c.Dimension > 0 && len(v[0]) != c.Dimension {
			t.Errorf("%+v: %d requests, %v", c, s.Counts().Embeds, err)
		}
	}
}

// The text that a server refuses is named, and the vectors of the others are cached.
func TestEmbedNamesTheRefusedText(t *testing.T) {
	t.Parallel()
	o := llmtest.Options{Fault: func(r llmtest.Request) *llmtest.Reply {
		if slices.ContainsFunc(r.Input, func(s string) bool { return strings.Contains(s, "poison") }) {
			return &llmtest.Reply{Status: 400, Message: "too long: context length exceeded"}
		}
		return nil
	}}
	cache := &llm.Cache{Dir: t.TempDir()}
	_, e := vectors(t, o, llm.EmbedConfig{Cache: cache, Batch: llm.Batch{Texts: 16}})
	texts := make([]string, 16)
	for i := range texts {
		texts[i] = fmt.Sprint("text ", i)
	}
	texts[11] = "poison"
	_, _, err := e.Embed(context.Background(), texts)
	var named *llm.TextError
	if !errors.As(err, &named) || named.Index != 11 || status(err) != 400 {
		t.Errorf("error %v", err)
	}
	if stats, err := cache.Stats(context.Background()); err != nil || stats.Vectors != 15 {
		t.Errorf("Stats = %+v, %v", stats, err)
	}
}

func TestEmbedRefusals(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	s, e := vectors(t, llmtest.Options{}, llm.EmbedConfig{})
	if _, _, err := e.Embed(ctx, []string{"a", " \n"}); !errors.Is(err, llm.ErrEmptyText) || !strings.Contains(err.Error(), "text 2") {
		t.Errorf("empty text: %v", err)
	}
	if v, _, err := e.Embed(ctx, nil); err != nil || len(v) != 0 || s.Counts().Requests != 0 {
		t.Errorf("no texts: %v, %v", v, err)
	}
	for name, raw := range map[string]string{
		"zeros":         `{"data":[{"index":0,"embedding":[0,0]}]}`,
		"too few":       `{"data":[]}`,
		"other lengths": `{"data":[{"index":0,"embedding":[1,0,0]}]}`,
		"not base64":    `{"data":[{"index":0,"embedding":"!"}]}`,
		"no JSON":       `<html>`,
	} {
		_, e := vectors(t, llmtest.Options{Fault: func(r llmtest.Request) *llmtest.Reply {
			if slices.Contains(r.Input, name) {
				return &llmtest.Reply{Raw: raw}
			}
			return nil
		}}, llm.EmbedConfig{})
		if _, err := e.Probe(ctx); err != nil {
			t.Fatal(err)
		}
		if v, _, err := e.Embed(ctx, []string{name}); err == nil {
			t.Errorf("%s: %v", name, v)
		}
	}
}

// Batches contain every text once, in order, within their bounds.
func TestBatches(t *testing.T) {
	t.Parallel()
	s, client := connect(t, llmtest.Options{Dimension: 4})
	rapid.Check(t, func(t *rapid.T) {
		b := llm.Batch{
			Texts: rapid.IntRange(1, 9).Draw(t, "texts"), Tokens: rapid.IntRange(1, 40).Draw(t, "tokens"), Concurrent: 1,
			Count: func(s string) int { return len(s) },
		}
		texts := rapid.SliceOfNDistinct(rapid.StringMatching(`[a-z]{1,20}`), 0, 30, rapid.ID).Draw(t, "all")
		s.Reset()
		e := llm.NewEmbedder(llm.EmbedConfig{Provider: client.Embedder(), Batch: b})
		if _, _, err := e.Embed(context.Background(), texts); err != nil {
			t.Fatal(err)
		}
		var sent []string
		for _, r := range s.Requests() {
			tokens := len(strings.Join(r.Input, ""))
			if len(r.Input) > b.Texts || len(r.Input) > 1 && tokens > b.Tokens {
				t.Fatalf("batch %q", r.Input)
			}
			sent = append(sent, r.Input...)
		}
		if !slices.Equal(sent, texts) {
			t.Fatalf("sent %q, want %q", sent, texts)
		}
	})
}

func TestEmbedBatchesRunConcurrently(t *testing.T) {
	t.Parallel()
	inBubble(t, embedBatchesRunConcurrently)
}

func embedBatchesRunConcurrently(t *testing.T) {
	s, client := connectInBubble(t, llmtest.Options{Latency: 100 * time.Millisecond}, openai.Config{})
	e := llm.NewEmbedder(llm.EmbedConfig{Provider: client.Embedder(), Batch: llm.Batch{Texts: 1, Concurrent: 6}})
	texts := make([]string, 12)
	for i := range texts {
		texts[i] = fmt.Sprint("t", i)
	}
	start := time.Now()
	if _, _, err := e.Embed(context.Background(), texts); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(start); s.Counts().Peak != 6 || took != 200*time.Millisecond {
		t.Errorf("%d concurrently, %v; want 6, 200ms", s.Counts().Peak, took)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Millisecond)
	defer cancel()
	if _, _, err := e.Embed(ctx, []string{"x", "y", "z"}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("cancelled: %v", err)
	}
}
