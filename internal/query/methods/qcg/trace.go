package qcg

import (
	"fmt"
	"io"
	"slices"

	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/query/rank"
	"github.com/neorag/neorag/internal/text"
)

// A Trace is what qcg found, each kind best first: the pairs that the question found, those
// that were added over the edges to similar ones, and the chunks by the mean of their pairs.
type Trace struct {
	Node      string         `json:"node" enum:"pair,query,answer,sentence"`
	Hops      int            `json:"hops"`
	Settings  []PairSettings `json:"settings"` // of each corpus
	Retrieved []PairHit      `json:"retrieved"`
	Added     []PairHit      `json:"added"`
	Chunks    []PairChunk    `json:"chunks"`
}

// PairSettings are how a corpus was searched. Least is gamma on the scale of its vectors, whose
// mean cosine is Unrelated for unrelated pairs and Near for a pair and its nearest neighbour.
type PairSettings struct {
	Corpus    string  `json:"corpus"`
	Preset    string  `json:"preset"`
	Pairs     int     `json:"pairs"`
	Gamma     float64 `json:"gamma"`
	Least     float64 `json:"least"`
	Unrelated float64 `json:"unrelated"`
	Near      float64 `json:"near"`
}

// A PairHit is a pair that qcg found. The query of a sentence is empty.
type PairHit struct {
	Key    string  `json:"key"`
	Query  string  `json:"query"`
	Answer string  `json:"answer"`
	Chunk  string  `json:"chunk"` // name of the chunk
	Score  float64 `json:"score"` // cosine with the question plus one
	Hop    int     `json:"hop"`
}

// A PairChunk is a chunk with the keys of its pairs that were found.
type PairChunk struct {
	Key   string   `json:"key"`
	Name  string   `json:"name"`
	Score float64  `json:"score"` // mean of the scores of its pairs
	Pairs []string `json:"pairs"`
	Read  bool     `json:"read"` // it is among the chunks that the answer may be made of
}

// TraceName is part of query.Trace.
func (Trace) TraceName() string { return "pairs" }

// Print prints the pairs that the question found, those that were added, and the chunks with
// their scores (QCG-RAG, appendix D).
func (t Trace) Print(w io.Writer) {
	fmt.Fprintf(w, "\nqcg compared the question with each %s, and followed %d links.\n", t.Node, t.Hops)
	for _, s := range t.Settings {
		fmt.Fprintf(w, "  corpus %s: preset %s, at most %d pairs, gamma %.3g, which is %.3f here: unrelated pairs have a mean cosine of %.3f, nearest neighbours of %.3f\n",
			s.Corpus, s.Preset, s.Pairs, s.Gamma, s.Least, s.Unrelated, s.Near)
	}
	for _, part := range []struct {
		name string
		hits []PairHit
	}{{"retrieved", t.Retrieved}, {"added", t.Added}} {
		fmt.Fprintf(w, "  %d pairs %s\n", len(part.hits), part.name)
		for _, h := range part.hits {
			fmt.Fprintf(w, "    %6.3f  %s: %s\n", h.Score, h.Chunk, h.line())
		}
	}
	fmt.Fprintf(w, "  %d chunks\n", len(t.Chunks))
	for _, c := range t.Chunks {
		read := ""
		if c.Read {
			read = ", read"
		}
		fmt.Fprintf(w, "    %6.3f  %s, mean of %d pairs%s\n", c.Score, c.Name, len(c.Pairs), read)
	}
}

// pairRunes is how much of a question or an answer is printed.
const pairRunes = 100

// line returns a pair, or a sentence, on one line.
func (h PairHit) line() string {
	answer := text.Shorten(text.OneLine(h.Answer), pairRunes)
	if h.Query == "" {
		return answer
	}
	return text.Shorten(text.OneLine(h.Query), pairRunes) + " \u2014 " + answer
}

// newPairTrace returns what a search found, in the form of an answer, which is made of the chunks
// that are read.
func newPairTrace(found PairSearch, q Settings, read []rank.Scored) Trace {
	t := Trace{Node: q.Node, Hops: q.hops(), Settings: append([]PairSettings{}, found.Settings...), Chunks: []PairChunk{}}
	names := map[string]string{}
	hits := func(list []hit) []PairHit {
		out := make([]PairHit, len(list))
		for i, h := range list {
			names[h.Chunk] = query.SourceName(h.Title, h.ChunkIndex)
			out[i] = PairHit{Key: h.Key, Query: h.Query, Answer: h.Answer, Chunk: names[h.Chunk], Score: h.Score, Hop: h.Hop}
		}
		return out
	}
	t.Retrieved, t.Added = hits(found.Retrieved), hits(found.Added)
	for _, c := range found.Chunks {
		chunk := PairChunk{Key: c.Chunk, Name: names[c.Chunk], Score: c.Score}
		chunk.Read = slices.ContainsFunc(read, func(k rank.Scored) bool { return k.Key == c.Chunk })
		for _, h := range c.Hits {
			chunk.Pairs = append(chunk.Pairs, h.Key)
		}
		t.Chunks = append(t.Chunks, chunk)
	}
	return t
}
