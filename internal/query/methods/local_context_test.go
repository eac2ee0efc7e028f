package methods_test

import (
	"fmt"
	"testing"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/llm/openai"
	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/query/synth"
	"github.com/neorag/neorag/internal/testkit/fakemodel"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
	"github.com/neorag/neorag/internal/text/textproc"
)

// TestSmallContext: a question that nothing answers gets a small context, with an embedding model
// and without one. A question that is answered does not.
func TestSmallContext(t *testing.T) {
	t.Parallel()
	store := open(t)
	server := llmtest.New(llmtest.Options{Dimension: textproc.Dimension, Handler: fakemodel.Handler})
	t.Cleanup(server.Close)
	client, err := openai.New(openai.Config{BaseURL: server.URL(), Model: "simulated", EmbeddingModel: "simulated"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	chat := llm.New(llm.Config{Provider: client.Chat()})
	embedder := &index.ModelEmbedder{BatchEmbedder: llm.NewEmbedder(llm.EmbedConfig{Provider: client.Embedder()})}
	for _, embeds := range []bool{false, true} {
		t.Run(fmt.Sprintf("embedding model %v", embeds), func(t *testing.T) {
			t.Parallel()
			options := query.Options{Model: &synth.Model{Map: chat, Answer: chat}}
			if embeds {
				of := bare(neo4jtest.Borrow(t, "model"))
				of.Embedder = embedder
				indexed(t, store, of, sample)
				options.Corpus, options.Embedder = of.Corpus, embedder
			} else {
				sampleBare.indexed(t, store)
				options.Corpus = sampleBare.corpus
			}
			e, err := query.New(store, options)
			if err != nil {
				t.Fatal(err)
			}
			for question, small := range map[string]bool{"Which photons factorise integers under quantum decoherence?": true, "Who was the partner of Scrooge?": false} {
				a, err := e.Ask(t.Context(), query.Question{Text: question, Method: "local"})
				if err != nil {
					t.Fatal(err)
				}
				kinds := map[graph.Kind]int{}
				for _, s := range a.Context {
					kinds[s.Kind] = len(s.Keys)
				}
				if got := kinds[graph.KindChunk] <= 2 && kinds[graph.KindEntity] <= 3 && kinds[graph.KindRelationship] == 0; got != small {
					t.Errorf("%q: the context has %v", question, kinds)
				}
			}
		})
	}
}
