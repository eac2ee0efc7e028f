package neo4jstore

import (
	"context"
	"fmt"

	"github.com/neorag/neorag/cypher"
)

// A SentenceWrite is a sentence to write, or one that is as stored except for the entities
// that it names. Start and End are bytes in the text of the chunk.
type SentenceWrite struct {
	Key        string
	Unchanged  bool
	Start, End int
	Text       string
	NTokens    int
	EmbedFP    string    // of the vector; without it the sentence is marked to be embedded
	Vector     []float32 // nil if it is made later
	Names      []string  // keys of entities that the chunk mentions
}

// A ChunkSentences is a chunk with all its sentences.
type ChunkSentences struct {
	Chunk     string
	FP        string
	Unchanged bool // only remove the mark
	Sentences []SentenceWrite
}

// sentenceBytes is about what a sentence takes in a transaction without its text, its vector
// and its edges.
const sentenceBytes = vectorBytes / writeRows

func (c *ChunkSentences) weight() int {
	n := sentenceBytes
	for i := range c.Sentences {
		s := &c.Sentences[i]
		n += sentenceBytes/4*len(s.Names) + sentenceBytes/4
		if !s.Unchanged {
			n += 9*len(s.Vector) + len(s.Text) + sentenceBytes
		}
	}
	return n
}

// WriteSentences writes the sentences of chunks with edges to the entities that they name, and
// deletes the sentences and edges that a chunk no longer has. The entities must exist.
func (w *Writer) WriteSentences(ctx context.Context, dimension int, chunks []ChunkSentences) error {
	chunks = sortedBy(chunks, func(c ChunkSentences) string { return c.Chunk })
	weight := func(c ChunkSentences) int { return c.weight() }
	return batches(chunks, vectorBytes, weight, func(part []ChunkSentences) error {
		r, err := sentenceRowsOf(part, dimension)
		if err != nil {
			return err
		}
		return w.write(ctx, "sentences", func(tx *transaction) error {
			return tx.steps(ctx, w.corpus, []rowStep{
				{cypher.WriteDone.For("Chunk", "sentences"), r.unchanged, true},
				{cypher.WriteSentencesGone, r.keep, false},
				{cypher.WriteSentences, r.sentences, true},
				{cypher.WriteNamesGone, r.keep, false},
				{cypher.WriteNames, r.names, true},
				{cypher.WriteDone.For("Chunk", "sentences"), r.chunks, true},
			})
		})
	})
}

// sentenceRows are the rows of a transaction of WriteSentences.
type sentenceRows struct {
	unchanged, keep, sentences, names, chunks []any
}

func sentenceRowsOf(part []ChunkSentences, dimension int) (sentenceRows, error) {
	var r sentenceRows
	for i := range part {
		c := &part[i]
		if c.Unchanged {
			r.unchanged = append(r.unchanged, map[string]any{"key": c.Chunk})
			continue
		}
		keys, names, edges := make([]string, len(c.Sentences)), map[string]any{}, 0
		for j := range c.Sentences {
			s := &c.Sentences[j]
			keys[j] = s.Key
			edges += len(s.Names)
			if len(s.Names) > 0 {
				names[s.Key] = s.Names
			}
			for _, entity := range s.Names {
				r.names = append(r.names, map[string]any{"key": s.Key, "entity": entity})
			}
			if s.Unchanged {
				continue
			}
			row, err := sentenceRow(c.Chunk, s, dimension)
			if err != nil {
				return r, err
			}
			r.sentences = append(r.sentences, row)
		}
		r.keep = append(r.keep, map[string]any{"key": c.Chunk, "keep": keys, "names": names})
		r.chunks = append(r.chunks, map[string]any{"key": c.Chunk, "set": map[string]any{"sentences_fp": c.FP, "sentences": len(keys), "sentence_names": edges}})
	}
	return r, nil
}

func sentenceRow(chunk string, s *SentenceWrite, dimension int) (map[string]any, error) {
	vector, err := optionalVector(s.Vector, dimension)
	if err != nil {
		return nil, fmt.Errorf("write vector of sentence %s: %w", s.Key, err)
	}
	return map[string]any{"chunk": chunk, "key": s.Key, "fp": optional(s.EmbedFP), "vector": vector, "set": map[string]any{
		"text": s.Text, "start": s.Start, "end": s.End, "n_tokens": s.NTokens, "name": caption(s.Text, 0, len(s.Text), captionRunes),
	}}, nil
}
