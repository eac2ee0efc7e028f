package query

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/neorag/neorag/internal/neo4jstore"
)

// A LevelSize is what the map of one level reads: its reports, and those without
// children of the levels above it.
type LevelSize struct {
	Level   int `json:"level"`
	Reports int `json:"reports"`
	Tokens  int `json:"tokens"`
}

// LevelSizes are what answers over the whole read, by level, and what --method text reads.
type LevelSizes struct {
	Corpus     string      `json:"corpus"`
	Levels     []LevelSize `json:"levels"`
	Chunks     int         `json:"chunks"`
	TextTokens int         `json:"text_tokens"` // of the chunks, overlaps included
}

// LevelSizes measures the level views and the text. It asks no model.
func (e *Engine) LevelSizes(ctx context.Context) (LevelSizes, error) {
	generation, err := e.store.Generation(ctx, e.options.Corpus)
	if errors.Is(err, neo4jstore.ErrNoCorpus) {
		return LevelSizes{}, fmt.Errorf("corpus %s: %w: run `neorag index PATH` first", e.options.Corpus, ErrNotIndexed)
	}
	if err != nil {
		return LevelSizes{}, err
	}
	s := LevelSizes{Corpus: e.options.Corpus, Levels: []LevelSize{}}
	views, err := e.views(ctx, generation)
	if err != nil {
		return LevelSizes{}, err
	}
	s.Levels = append(s.Levels, views...)
	s.Chunks, s.TextTokens, err = e.store.ChunkSize(ctx, e.options.Corpus)
	return s, err
}

// views are the views of all levels, from the root.
func (e *Engine) views(ctx context.Context, generation int64) ([]LevelSize, error) {
	sizes, err := e.store.ReportSizes(ctx, e.options.Corpus, generation)
	if err != nil {
		return nil, err
	}
	return viewsOf(sizes), nil
}

func viewsOf(sizes []neo4jstore.ReportSize) []LevelSize {
	var views []LevelSize
	for _, s := range sizes {
		for len(views) <= s.Level {
			views = append(views, LevelSize{Level: len(views)})
		}
	}
	for _, s := range sizes {
		for i := range views {
			if s.Level == i || s.Level < i && s.Final {
				views[i].Reports += s.Count
				views[i].Tokens += s.Tokens
			}
		}
	}
	return views
}

// firstLine is what an error says first.
func firstLine(err error) string {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}
