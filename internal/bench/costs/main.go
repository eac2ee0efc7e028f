// Command costs prints what a question costs by each method: calls and tokens of a simulated
// model on the corpus LiHuaWorld, which it indexes with the same model and with all that
// methods need. It uses the Neo4j at NEORAG_TEST_URI.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/neorag/neorag/internal/eval"
	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/llm/openai"
	"github.com/neorag/neorag/internal/query"
	_ "github.com/neorag/neorag/internal/query/methods" // registers them
	"github.com/neorag/neorag/internal/query/methods/global"
	"github.com/neorag/neorag/internal/query/methods/lazy"
	"github.com/neorag/neorag/internal/query/synth"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/testkit/fakemodel"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

const corpus = "bench_costs"

func main() {
	data := flag.String("data", os.Getenv("NEORAG_DATA"), "`FOLDER` of the corpus lihuaworld")
	questions := flag.Int("questions", 20, "`NUMBER` of questions, spread evenly over the set")
	flag.Parse()
	if *data == "" {
		*data = filepath.Join("..", "shared", "data")
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Stdout, filepath.Join(*data, "lihuaworld"), *questions)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "costs:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, w io.Writer, folder string, n int) (err error) {
	questions, err := read(filepath.Join(folder, "questions.jsonl"), n)
	if err != nil {
		return err
	}
	store, err := neo4jstore.Open(ctx, neo4jstore.Config{
		URI: os.Getenv(neo4jtest.URIEnv), Username: os.Getenv(neo4jtest.UserEnv), Password: os.Getenv(neo4jtest.PasswordEnv),
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close(context.WithoutCancel(ctx))) }()
	handler, err := fakemodel.Counted()
	if err != nil {
		return err
	}
	server := llmtest.New(llmtest.Options{Handler: handler, Dimension: 384}) //nolint:contextcheck // it runs until it is closed
	defer server.Close()
	client, err := openai.New(openai.Config{BaseURL: server.URL(), Model: "simulated", EmbeddingModel: "simulated"})
	if err != nil {
		return err
	}
	defer client.Close()
	meter := &llm.Meter{}
	chat := llm.New(llm.Config{Provider: client.Chat(), Meter: meter})
	embedder := &index.ModelEmbedder{BatchEmbedder: llm.NewEmbedder(llm.EmbedConfig{Provider: client.Embedder(), Meter: meter})}
	o := index.Options{
		Corpus: corpus, Embedder: embedder, Meter: meter,
		Model: &index.Model{Extract: chat, Summarise: chat, Report: chat, Queries: chat},
		With:  []string{"queries", "sentences", "document-links"},
	}
	if err := build(ctx, w, store, o, filepath.Join(folder, "docs")); err != nil {
		return err
	}
	engine, err := query.New(store, query.Options{Corpus: corpus, Model: &synth.Model{Map: chat, Answer: chat}, Embedder: embedder})
	if err != nil {
		return err
	}
	return ask(ctx, w, engine, questions)
}

// read returns questions that are spread evenly over a file.
func read(path string, n int) ([]eval.Question, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	all, err := eval.ReadQuestions(f)
	if err != nil {
		return nil, err
	}
	n = max(1, min(n, len(all)))
	out := make([]eval.Question, n)
	for i := range out {
		out[i] = all[i*len(all)/n]
	}
	return out, nil
}

// build indexes the corpus, and prints what each stage of that costs.
func build(ctx context.Context, w io.Writer, store *neo4jstore.Store, o index.Options, folder string) error {
	x, err := index.New(store, o)
	if err != nil {
		return err
	}
	r, err := x.Run(ctx, []string{folder})
	if err != nil {
		return err
	}
	if r.Exit != 0 {
		return fmt.Errorf("the run ended with exit code %d: %v", r.Exit, r.Failures)
	}
	_, _ = fmt.Fprintf(w, "index: %d documents, %d communities\n\n| stage | calls | tokens in | tokens out |\n|---|---:|---:|---:|\n", r.Documents.Added, r.Communities.New)
	for _, s := range r.Stages {
		if s.Calls > 0 {
			_, _ = fmt.Fprintf(w, "| %s | %d | %d | %d |\n", s.Name, s.Calls, s.TokensIn, s.TokensOut)
		}
	}
	return nil
}

// A variant is a method with its settings.
type variant struct {
	name     string
	question query.Question
}

// variants returns every method, and those settings that change its cost.
func variants() []variant {
	var out []variant
	for _, m := range query.Methods() {
		switch m.Name {
		case "global":
			for _, level := range []string{"0", "1", "2"} {
				l, _ := query.ParseLevel(level)
				out = append(out, variant{"global --level " + level, query.Question{Method: m.Name, Level: l}})
			}
			out = append(out, variant{"global --dynamic", query.Question{Method: m.Name, Own: map[string]any{"global": global.Settings{Dynamic: true}}}})
		case "lazy":
			for _, budget := range []int{20, 100, 500} {
				out = append(out, variant{fmt.Sprintf("lazy --budget %d", budget), query.Question{Method: m.Name, Own: map[string]any{"lazy": lazy.Settings{Budget: budget}}}})
			}
		default:
			out = append(out, variant{m.Name, query.Question{Method: m.Name}})
		}
	}
	return out
}

// ask asks all questions by all methods, and prints the means.
func ask(ctx context.Context, w io.Writer, engine *query.Engine, questions []eval.Question) error {
	_, _ = fmt.Fprintf(w, "\n%d questions\n\n| method | calls | tokens in | tokens out |\n|---|---:|---:|---:|\n", len(questions))
	n := float64(len(questions))
	for _, v := range variants() {
		var used query.Usage
		for _, q := range questions {
			v.question.Text = q.Text
			a, err := engine.Ask(ctx, v.question)
			if err != nil {
				return fmt.Errorf("ask %s by %s: %w", q.ID, v.name, err)
			}
			used.Calls, used.TokensIn, used.TokensOut = used.Calls+a.Usage.Calls, used.TokensIn+a.Usage.TokensIn, used.TokensOut+a.Usage.TokensOut
		}
		_, _ = fmt.Fprintf(w, "| `%s` | %.1f | %.0f | %.0f |\n", v.name, float64(used.Calls)/n, float64(used.TokensIn)/n, float64(used.TokensOut)/n)
	}
	return nil
}
