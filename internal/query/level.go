package query

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/query/retrieve"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// leafLevel is below every hierarchy: the store reads the deepest one instead.
const leafLevel = 1 << 20

// A Level selects a level view of the hierarchy. The zero value is level 2.
type Level struct {
	set   bool
	level int
}

// Number returns the level as a number, counted from the roots; for leaves it is very large.
func (l Level) Number() int {
	if !l.set {
		return 2
	}
	return l.level
}

// ParseLevel parses "2", "C2", "root" or "leaf", in any letter case. An empty string
// is the zero Level.
func ParseLevel(s string) (Level, error) {
	switch s = strings.ToLower(strings.TrimSpace(s)); s {
	case "":
		return Level{}, nil
	case "root":
		return Level{true, 0}, nil
	case "leaf":
		return Level{true, leafLevel}, nil
	}
	n, err := strconv.Atoi(strings.TrimPrefix(s, "c"))
	if err != nil || n < 0 || n > leafLevel {
		return Level{}, fmt.Errorf("level %q: give a number from 0 (the root level), C0 to C3, root or leaf", s)
	}
	return Level{true, n}, nil
}

// A LevelSize is the size of a level view: the reports of the level, and the
// reports without children of the levels above it.
type LevelSize struct {
	Level   int `json:"level"`
	Reports int `json:"reports"`
	Tokens  int `json:"tokens"`

	Estimate *llm.Usage `json:"estimate,omitempty"` // what a question to global is expected to use; absent without a model
}

// LevelSizes holds how much the method global reads at each level, and how much
// the method text reads.
type LevelSizes struct {
	Corpus     string      `json:"corpus"`
	Levels     []LevelSize `json:"levels"`
	Chunks     int         `json:"chunks"`
	TextTokens int         `json:"text_tokens"` // of the chunks, overlaps included

	TextEstimate    *llm.Usage `json:"text_estimate,omitempty"`    // what a question to text is expected to use; absent without a model
	ContextEstimate *llm.Usage `json:"context_estimate,omitempty"` // what a question is expected to use at most that one call answers from chunks, as with basic; absent without a model
	LocalEstimate   *llm.Usage `json:"local_estimate,omitempty"`   // what a question to local is expected to use at most, which reads chunks, records and reports; absent without a model
	PriceDate       string     `json:"price_date,omitempty"`       // of the built-in list of prices, in USD, that the costs are from; absent for other prices

	otherTokens int // of reports and, if the text is shorter than the context of the question, of records
}

// LevelSizes measures the level views and the text of one corpus, and whatever else can fill the
// context of the question. It asks no model.
func (e *Engine) LevelSizes(ctx context.Context, q Question) (LevelSizes, error) {
	reader, err := retrieve.NewReader(e.store, e.corpora...).Pin(ctx)
	if err != nil {
		return LevelSizes{}, err
	}
	hierarchy, ok := reader.Hierarchy()
	if !ok {
		return LevelSizes{}, fmt.Errorf("measure the levels of %s: name one corpus", e.options.Corpus)
	}
	sizes, err := hierarchy.Sizes(ctx)
	if err != nil {
		return LevelSizes{}, err
	}
	s := LevelSizes{Corpus: e.options.Corpus, Levels: append([]LevelSize{}, LevelViews(sizes)...)}
	for _, size := range sizes {
		s.otherTokens += size.Tokens
	}
	if s.Chunks, s.TextTokens, err = e.store.ChunkSize(ctx, e.options.Corpus); err != nil {
		return s, err
	}
	if s.TextTokens+s.otherTokens >= (Request{Question: q}).Tokens(LocalTokens) {
		return s, nil // the context is full without records, of which there can be millions
	}
	records, err := e.store.RecordTokens(ctx, e.options.Corpus)
	s.otherTokens += records
	return s, err
}

// LevelViews adds up the reports that each level view reads.
func LevelViews(sizes []neo4jstore.ReportSize) []LevelSize {
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
