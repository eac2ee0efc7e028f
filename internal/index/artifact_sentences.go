package index

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/stage/resolve"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/text/textproc"
)

// sentenceArtifact is the sentences of chunks as nodes, with edges to the entities that they name.
var sentenceArtifact = artifact{
	name: neo4jstore.ArtifactSentences, stage: "sentences", paid: func(m neo4jstore.Made) bool { return m.Sentences },
	settings: func(*effective) map[string]string {
		return map[string]string{"sentences": graph.Hash(textproc.StatementsVersion)}
	},
	label: "sentences", status: func(_ neo4jstore.Corpus, n neo4jstore.Counts) string { return strconv.Itoa(n.Sentences) },
}

// sentencePage is the number of chunks that are read with their sentences at a time.
const sentencePage = 128

// A sentenceMaker is the stage sentences.
type sentenceMaker struct{ *stage }

// run makes the sentences of the marked chunks, with edges to the entities that they
// name.
func (s *sentenceMaker) run(ctx context.Context) error {
	if n, err := s.announcePending(ctx); err != nil || n == 0 {
		return err
	}
	chunks := inPages(s.Corpus, s.store.PendingSentences, sentencePage, func(c neo4jstore.SentenceChunk) string { return c.Key })
	one := func(ctx context.Context, c neo4jstore.SentenceChunk) (neo4jstore.ChunkSentences, error) {
		return s.sentencesOf(c), context.Cause(ctx)
	}
	return parallelMap(ctx, s.Concurrency, chunks, one, func(done []neo4jstore.ChunkSentences) error {
		if err := s.writer.WriteSentences(ctx, s.Embedder.Dimension(), done); err != nil {
			return fmt.Errorf("write sentences: %w", err)
		}
		s.addDone(len(done))
		return nil
	})
}

// sentencesOf makes the sentences of a chunk. Those that the chunk has already stay, except
// for the entities that they name. Hashed vectors come with them; others are made by the stage
// embed.
func (s *sentenceMaker) sentencesOf(c neo4jstore.SentenceChunk) neo4jstore.ChunkSentences {
	out := neo4jstore.ChunkSentences{Chunk: c.Key, FP: s.settings["sentences"]}
	if out.Unchanged = c.FP == out.FP; out.Unchanged {
		return out
	}
	var names []string
	keys := map[string]string{} // by name
	for _, e := range c.Entities {
		for _, n := range e.Names {
			if name := resolve.Normalise(n); keys[name] == "" {
				names, keys[name] = append(names, name), e.Entity
			}
		}
	}
	for _, at := range textproc.Statements(c.Text) {
		text := c.Text[at.Start:at.End]
		made := neo4jstore.SentenceWrite{Key: graph.SentenceKey(s.Corpus, c.Key, at.Start), Start: at.Start, End: at.End, Text: text}
		for _, name := range resolve.NamesIn(text, names) {
			if key := keys[name]; !slices.Contains(made.Names, key) {
				made.Names = append(made.Names, key)
			}
		}
		if end, has := c.Ends[made.Key]; has && end == at.End {
			made.Unchanged = true
		} else {
			made.NTokens = s.counter.Count(text)
			if !s.embedsLater() {
				made.EmbedFP, made.Vector = s.embedFP(text), textproc.Vector(text)
			}
		}
		out.Sentences = append(out.Sentences, made)
	}
	return out
}

// sentenceTokens is about how many tokens a sentence has.
const sentenceTokens = 25

// expectedSentences estimates how many sentences are made, and their tokens. In new chunks they
// are counted; a chunk in the graph has as many as its tokens suggest.
func (e *estimator) expectedSentences(ctx context.Context) (n, tokens int, err error) {
	if !e.has(neo4jstore.ArtifactSentences) {
		return 0, 0, nil
	}
	n, tokens = e.newSentences, e.newTokens
	chunks := e.marks["sentences"]
	if e.changed["sentences"] != "" {
		chunks = e.counts.Chunks
	}
	if chunks > 0 {
		count, size, err := e.store.ChunkSize(ctx, e.Corpus)
		if err != nil {
			return 0, 0, err
		}
		old := size * chunks / max(1, count)
		n, tokens = n+(old+sentenceTokens-1)/sentenceTokens, tokens+old
	}
	return n, tokens, nil
}
