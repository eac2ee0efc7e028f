package index

import (
	"cmp"
	"context"
	"fmt"
	"strconv"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/stage/qcg"
	"github.com/neorag/neorag/internal/stage/querygen"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/prompts"
)

// Queries configure the question-answer pairs of a corpus. The corpus keeps how they are made: what
// is 0 or empty is as it is kept.
type Queries struct {
	Count      int     // pairs of a chunk; querygen.DefaultCount for a new corpus
	Alpha      float64 // share of the pairs of a chunk that is kept; DefaultAlpha for a new corpus
	Neighbours int     // of a kept pair; the preset's number for a new corpus
	Preset     string  // of searches, one of qcg.Presets; the first one for a new corpus

	// ExactPairs is up to how many kept pairs neighbours are exact; 0 means 50,000. Above, the
	// vector index of the server finds them.
	ExactPairs int
}

// DefaultAlpha is the share of the pairs of a chunk that is kept (QCG-RAG, appendix B.3).
const DefaultAlpha = .8

const (
	exactPairs = 50_000
	maxPairs   = 100 // of a chunk
)

// Validate returns an error if a value is out of range.
func (q Queries) Validate() error {
	switch {
	case q.Count < 0 || q.Count > maxPairs:
		return fmt.Errorf("%d pairs of a chunk: choose 1 to %d", q.Count, maxPairs)
	case q.Alpha < 0 || q.Alpha > 1:
		return fmt.Errorf("a share of %g of the pairs: choose a number above 0, up to 1", q.Alpha)
	case q.Neighbours < 0 || q.Neighbours > qcg.MaxNeighbours:
		return fmt.Errorf("%d neighbours of a pair: choose 1 to %d", q.Neighbours, qcg.MaxNeighbours)
	}
	_, err := qcg.FindPreset(q.Preset)
	return err
}

// queriesFor returns how the pairs of a corpus are made: as it is stored, except for what the
// options change.
func queriesFor(o Queries, was neo4jstore.QuerySettings) neo4jstore.QuerySettings {
	preset, err := qcg.FindPreset(cmp.Or(o.Preset, was.Preset))
	if err != nil { // of a later version
		preset, _ = qcg.FindPreset("")
	}
	neighbours := was.Neighbours
	if o.Preset != "" && o.Preset != was.Preset {
		neighbours = 0
	}
	return neo4jstore.QuerySettings{
		Count:      cmp.Or(o.Count, was.Count, querygen.DefaultCount),
		Alpha:      cmp.Or(o.Alpha, was.Alpha, DefaultAlpha),
		Neighbours: cmp.Or(o.Neighbours, neighbours, preset.Neighbours),
		Preset:     preset.Name, Unrelated: was.Unrelated, Near: was.Near,
	}
}

// A pairMaker makes the question-answer pairs of a text, with a model or without one.
type pairMaker interface {
	Fingerprint() string
	Pairs(ctx context.Context, text string) ([]querygen.QAPair, error)
}

func (e *effective) pairMaker() pairMaker {
	o := querygen.Options{Count: e.queries.Count}
	if m := e.Model; m != nil {
		chat := m.Queries
		if chat == nil {
			chat = m.Extract
		}
		return &querygen.Model{Options: o, Chat: chat, Prompts: m.Prompts}
	}
	return querygen.Patterns{Options: o}
}

// queryArtifact is the question-answer pairs of chunks. Its settings are fingerprints of what affects
// the texts of pairs, their vectors and which are kept, and their neighbours.
var queryArtifact = artifact{
	name: neo4jstore.ArtifactQueries, stage: "queries", compares: "pairs", paid: func(m neo4jstore.Made) bool { return m.Pairs },
	settings: func(e *effective) map[string]string {
		return map[string]string{
			"queries": e.pairMaker().Fingerprint(),
			"pairs":   graph.Hash(e.Embedder.Fingerprint(), strconv.FormatFloat(e.queries.Alpha, 'g', -1, 64)),
			"link":    graph.Hash("nearest", strconv.Itoa(e.queries.Neighbours)),
		}
	},
	store: func(ctx context.Context, e *effective, w *neo4jstore.Writer) error {
		return w.SetQueries(ctx, e.queries)
	},
	label: "queries", status: func(c neo4jstore.Corpus, n neo4jstore.Counts) string {
		q := c.Queries
		return fmt.Sprintf("%d pairs, at most %d of a chunk, of which %.0f %% are kept and linked to %d others; preset %s", n.Queries, q.Count, 100*q.Alpha, q.Neighbours, q.Preset)
	},
}

// pairTokens is about how many tokens a question with its answer has, in JSON a few more.
const pairTokens = 35

// expectedPairs returns how many question-answer pairs are made, at most.
func (e *estimator) expectedPairs() int {
	if !e.has(neo4jstore.ArtifactQueries) {
		return 0
	}
	return e.queryChunks() * e.queries.Count
}

// queryChunks returns of how many chunks pairs are made.
func (e *estimator) queryChunks() int {
	existing := e.marks["queries"]
	if e.changed["queries"] != "" {
		existing = e.counts.Chunks
	}
	return e.newTexts + existing
}

// queryChunkTokens returns the tokens of these chunks: those in the graph are taken to be as
// long as the others, or as the options say.
func (e *estimator) queryChunkTokens() int {
	mean := e.Chunk.Size
	if mean == 0 {
		mean = 600
	}
	return e.newTokens + (e.queryChunks()-e.newTexts)*mean
}

// estimateQueries assumes one call for each chunk, and for one of five another one that asks
// for the pairs that are missing.
func (e *estimator) estimateQueries() StageEstimate {
	s := StageEstimate{Name: "queries"}
	size := e.promptTokens(prompts.Queries)
	more := e.promptTokens(prompts.QueriesMore)
	n, answer := int64(e.queryChunks()), int64(e.queries.Count*pairTokens)
	again := (n + 4) / 5
	s.Calls = n + again
	s.TokensIn = s.Calls*int64(size) + int64(e.queryChunkTokens())*s.Calls/max(1, n) + again*(answer+int64(more))
	s.TokensOut = n*answer + again*answer/5
	return s
}
