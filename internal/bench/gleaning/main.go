// Command gleaning prints how many references to entities a model finds in texts, by the size of
// the chunks that it reads at a time and by how often it is asked for what it missed (GraphRAG,
// figure 3). Without the address of a server it asks a simulated model, which lists at most 20
// entities in one answer.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/llm/openai"
	"github.com/neorag/neorag/internal/stage/chunk"
	"github.com/neorag/neorag/internal/stage/extract"
	"github.com/neorag/neorag/internal/sys/parallel"
	"github.com/neorag/neorag/internal/testkit/fakemodel"
	"github.com/neorag/neorag/internal/text/tokens"
)

// mostListed is the number of entities in one answer of the simulated model.
const mostListed = 20

// sizes are the sizes of chunks in tokens.
var sizes = []int{600, 1200, 2400}

// mostGleanings is the largest number of gleanings.
const mostGleanings = 3

type options struct {
	folder      string // of texts
	url, model  string // of a real model; "" for the simulated one
	concurrency int
}

func main() {
	var o options
	flag.StringVar(&o.folder, "path", filepath.Join("examples", "christmas-carol"), "`FOLDER` of texts (*.txt)")
	flag.StringVar(&o.url, "base-url", "", "`URL` of a server with the interface of OpenAI, whose key is in OPENAI_API_KEY; the simulated model if there is none")
	flag.StringVar(&o.model, "model", "simulated", "`NAME` of the model")
	flag.IntVar(&o.concurrency, "concurrency", 8, "at most `N` chunks at a time")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Stdout, o)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "gleaning:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, w io.Writer, o options) error {
	documents, err := read(o.folder)
	if err != nil {
		return err
	}
	if o.url == "" {
		server := llmtest.New(llmtest.Options{Handler: fakemodel.Brief(mostListed)}) //nolint:contextcheck // it runs until it is closed
		defer server.Close()
		o.url = server.URL()
	}
	client, err := openai.New(openai.Config{BaseURL: o.url, Model: o.model, Key: os.Getenv("OPENAI_API_KEY"), Concurrency: o.concurrency})
	if err != nil {
		return err
	}
	defer client.Close()
	chat := llm.New(llm.Config{Provider: client.Chat()})
	var table strings.Builder
	table.WriteString("| tokens of a chunk | chunks | no gleaning | 1 | 2 | 3 |\n|---:|---:|---:|---:|---:|---:|\n")
	for _, size := range sizes {
		chunks, err := split(documents, size)
		if err != nil {
			return err
		}
		fmt.Fprintf(&table, "| %d | %d |", size, len(chunks))
		for gleanings := range mostGleanings + 1 {
			if gleanings == 0 {
				gleanings = -1 // 0 means the default
			}
			model := &extract.Model{Chat: chat, Gleanings: gleanings, Claims: extract.ClaimsNone}
			n, err := references(ctx, model, chunks, o.concurrency)
			if err != nil {
				return fmt.Errorf("chunks of %d tokens: %w", size, err)
			}
			fmt.Fprintf(&table, " %d |", n)
		}
		table.WriteString("\n")
	}
	_, err = io.WriteString(w, table.String())
	return err
}

// references returns how many entities are found in chunks, each counted once for a chunk.
func references(ctx context.Context, model *extract.Model, chunks []graph.Chunk, concurrency int) (int64, error) {
	counts, err := parallel.Map(ctx, concurrency, chunks, func(ctx context.Context, c graph.Chunk) (int64, error) {
		found, err := model.Chunk(ctx, c)
		names := map[string]bool{}
		for _, e := range found.Entities {
			names[strings.ToLower(e.Name)] = true
		}
		return int64(len(names)), err
	})
	n := int64(0)
	for _, count := range counts {
		n += count
	}
	return n, err
}

// read reads the texts of a folder.
func read(folder string) ([]graph.Document, error) {
	paths, err := filepath.Glob(filepath.Join(folder, "*.txt"))
	if err != nil || len(paths) == 0 {
		return nil, fmt.Errorf("no texts (*.txt) in %s: %w", folder, err)
	}
	var out []graph.Document
	for _, path := range paths {
		body, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		out = append(out, graph.Document{Key: graph.DocumentKey("gleaning", path), URI: path, Text: string(body)})
	}
	return out, nil
}

// split splits documents into chunks without an overlap, so that no reference counts twice.
func split(documents []graph.Document, size int) ([]graph.Chunk, error) {
	counter, err := tokens.Get("")
	if err != nil {
		return nil, err
	}
	none := -1
	var out []graph.Chunk
	for _, d := range documents {
		chunks, err := chunk.Split("gleaning", d, counter, chunk.Options{Size: size, Overlap: &none})
		if err != nil {
			return nil, err
		}
		out = append(out, chunks...)
	}
	return out, nil
}
