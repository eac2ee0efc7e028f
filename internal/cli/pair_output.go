package cli

import (
	"fmt"

	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/text"
)

// pairRunes is how much of a question or an answer is printed.
const pairRunes = 100

// printPairs prints what qcg found: the pairs that the question found, those that were added,
// and the chunks with their scores (QCG-RAG, appendix D).
func printPairs(env *environment, t query.PairTrace) {
	env.printf("\nqcg compared the question with each %s, and followed %d links.\n", t.Node, t.Hops)
	for _, s := range t.Settings {
		env.printf("  corpus %s: preset %s, at most %d pairs, gamma %.3g, which is %.3f here: unrelated pairs have a mean cosine of %.3f, nearest neighbours of %.3f\n",
			s.Corpus, s.Preset, s.Pairs, s.Gamma, s.Least, s.Unrelated, s.Near)
	}
	for _, part := range []struct {
		name string
		hits []query.PairHit
	}{{"retrieved", t.Retrieved}, {"added", t.Added}} {
		env.printf("  %d pairs %s\n", len(part.hits), part.name)
		for _, h := range part.hits {
			env.printf("    %6.3f  %s: %s\n", h.Score, h.Chunk, pairText(h))
		}
	}
	env.printf("  %d chunks\n", len(t.Chunks))
	for _, c := range t.Chunks {
		read := ""
		if c.Read {
			read = ", read"
		}
		env.printf("    %6.3f  %s, mean of %d pairs%s\n", c.Score, c.Name, len(c.Pairs), read)
	}
}

// pairText returns a pair, or a sentence, on one line.
func pairText(h query.PairHit) string {
	answer := text.Shorten(text.OneLine(h.Answer), pairRunes)
	if h.Query == "" {
		return answer
	}
	return fmt.Sprintf("%s — %s", text.Shorten(text.OneLine(h.Query), pairRunes), answer)
}
