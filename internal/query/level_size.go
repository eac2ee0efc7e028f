package query

import (
	"context"
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

// LevelSizes measures the level views and the text of a single corpus. It asks no model.
func (e *Engine) LevelSizes(ctx context.Context) (LevelSizes, error) {
	reader, err := NewReader(e.store, e.corpora...).Pin(ctx)
	if err != nil {
		return LevelSizes{}, err
	}
	hierarchy, ok := reader.Hierarchy()
	if !ok {
		return LevelSizes{}, fmt.Errorf("measure the levels of %s: give one corpus", e.options.Corpus)
	}
	sizes, err := hierarchy.Sizes(ctx)
	if err != nil {
		return LevelSizes{}, err
	}
	s := LevelSizes{Corpus: e.options.Corpus, Levels: append([]LevelSize{}, viewsOf(sizes)...)}
	s.Chunks, s.TextTokens, err = hierarchy.TextSize(ctx)
	return s, err
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
