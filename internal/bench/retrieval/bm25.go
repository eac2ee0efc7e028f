package main

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/query/rank"
	"github.com/neorag/neorag/internal/text/language"
	"github.com/neorag/neorag/internal/text/textproc"
)

// Parameters of BM25, as Lucene has them by default.
const (
	saturation = 1.2 // k1
	lengths    = .75 // b
)

// A bm25 ranks the files of a folder by their best passage: exact, in memory, and without titles.
type bm25 struct {
	files    map[string][]passage
	with     map[string]int // passages by term
	passages int
	terms    float64 // of all passages
}

type passage struct {
	counts map[string]float64
	terms  float64
}

func readBM25(folder string) (*bm25, error) {
	paths, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil {
		return nil, err
	}
	b := &bm25{files: map[string][]passage{}, with: map[string]int{}}
	for _, path := range paths {
		raw, err := os.ReadFile(path) // #nosec G304 -- a folder of the test corpora
		if err != nil {
			return nil, err
		}
		b.add(filepath.Base(path), strings.ToValidUTF8(string(raw), "\uFFFD"))
	}
	return b, nil
}

func (b *bm25) add(file, text string) {
	b.files[file] = nil
	for _, w := range textproc.Passages(language.Of(text), textproc.Clean(text, textproc.IsChat(text)), textproc.PassageSize) {
		p := passage{counts: map[string]float64{}, terms: float64(len(w.Terms))}
		for _, term := range w.Terms {
			if p.counts[term]++; p.counts[term] == 1 {
				b.with[term]++
			}
		}
		b.files[file] = append(b.files[file], p)
		b.passages++
		b.terms += p.terms
	}
}

// ranked returns the files that have a term of the question, best first.
func (b *bm25) ranked(question string) []string {
	query := textproc.ReadQuestion(question).Terms
	mean := b.terms / max(1, float64(b.passages))
	var scores []rank.Scored
	for file, passages := range b.files {
		best := 0.
		for _, p := range passages {
			sum := 0.
			for _, q := range query {
				if n := p.counts[q.Term]; n > 0 {
					sum += float64(q.Weight*rank.Rarity(b.passages, b.with[q.Term])) * n / (n + float64(saturation*(1-lengths+float64(lengths*p.terms/mean))))
				}
			}
			best = max(best, sum)
		}
		if best > 0 {
			scores = append(scores, rank.Scored{Key: file, Score: best})
		}
	}
	slices.SortFunc(scores, func(a, b rank.Scored) int { return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Key, b.Key)) })
	return keysOf(scores)
}
