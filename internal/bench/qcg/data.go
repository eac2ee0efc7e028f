package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/stage/chunk"
	"github.com/neorag/neorag/internal/stage/qcg"
	"github.com/neorag/neorag/internal/stage/querygen"
	"github.com/neorag/neorag/internal/text/tokens"
)

// A topic is the documents and questions of one folder.
type topic struct {
	name      string
	chunks    []piece
	questions []question
	sets      map[string]*nodes // by what they are made of
	vectors   *vectors
}

// A piece is a chunk with its pairs, the most similar to it first.
type piece struct {
	key, document, text string
	pairs               []querygen.QAPair
}

type question struct {
	text   string
	even   bool            // its id ends in an even digit: settings may be chosen on it
	wanted map[string]bool // documents
}

// read reads a folder and makes the pairs of its chunks.
func read(ctx context.Context, folder string, count int, v *vectors) (*topic, error) {
	counter, err := tokens.Get("o200k_base")
	if err != nil {
		return nil, err
	}
	paths, err := filepath.Glob(filepath.Join(folder, "docs", "*"))
	if err != nil || len(paths) == 0 {
		return nil, fmt.Errorf("no documents in %s: %w", folder, err)
	}
	t := &topic{name: filepath.Base(folder), sets: map[string]*nodes{}, vectors: v}
	names := map[string]bool{}
	for _, path := range paths {
		raw, err := os.ReadFile(path) // #nosec G304 -- a folder of the test corpora
		if err != nil {
			return nil, err
		}
		name := strings.TrimSuffix(filepath.Base(path), ".txt")
		names[name] = true
		text := strings.ToValidUTF8(string(raw), "\uFFFD")
		split, err := chunk.Split("bench", graph.Document{Key: graph.DocumentKey("bench", name), Text: text}, counter, chunk.Options{})
		if err != nil {
			return nil, err
		}
		for _, c := range split {
			p, err := pieceOf(ctx, name, c, count, v)
			if err != nil {
				return nil, err
			}
			t.chunks = append(t.chunks, p)
		}
	}
	slices.SortFunc(t.chunks, func(a, b piece) int { return strings.Compare(a.key, b.key) }) // as a set wants its keys
	t.questions, err = readQuestions(filepath.Join(folder, "questions.jsonl"), names)
	return t, err
}

func pieceOf(ctx context.Context, document string, c graph.Chunk, count int, v *vectors) (piece, error) {
	p := piece{key: fmt.Sprintf("%s#%04d", document, c.Index), document: document, text: c.Text}
	pairs, err := querygen.Patterns{Options: querygen.Options{Count: count}}.Pairs(ctx, c.Text)
	if err != nil {
		return p, err
	}
	texts := []string{c.Text}
	for i := range pairs {
		texts = append(texts, pairs[i].Text())
	}
	made, err := v.of(ctx, texts)
	if err != nil {
		return p, err
	}
	similarity := make([]float64, len(pairs))
	order := make([]int, len(pairs))
	for i := range pairs {
		similarity[i], order[i] = qcg.Cosine(made[i+1], made[0]), i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case similarity[a] > similarity[b]:
			return -1
		case similarity[a] < similarity[b]:
			return 1
		}
		return 0
	})
	for _, i := range order {
		p.pairs = append(p.pairs, pairs[i])
	}
	return p, nil
}

// readQuestions reads the questions whose evidence is among the documents.
func readQuestions(path string, names map[string]bool) ([]question, error) {
	file, err := os.Open(path) // #nosec G304 -- as above
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	var out []question
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var raw struct {
			ID, Question string
			Evidence     []string
		}
		if err := json.Unmarshal(lines.Bytes(), &raw); err != nil {
			return nil, fmt.Errorf("read %s: %w", path, err)
		}
		q := question{text: raw.Question, even: raw.ID != "" && (raw.ID[len(raw.ID)-1]-'0')%2 == 0, wanted: map[string]bool{}}
		for _, e := range raw.Evidence {
			if name := strings.TrimSuffix(e, ".txt"); names[name] {
				q.wanted[name] = true
			}
		}
		if len(q.wanted) > 0 {
			out = append(out, q)
		}
	}
	return out, lines.Err()
}
