package textproc_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/neorag/neorag/internal/text/textproc"
)

func TestScoreRanksSentences(t *testing.T) {
	t.Parallel()
	q := textproc.ReadQuestion("When did Hailey bake bread with Yuriko?")
	ranked := []string{
		"Hailey will bake the bread with Yuriko on Sunday.",
		"Hailey and Yuriko like bread.",
		"Hailey is away.",
		"The plumber came.",
	}
	scorer := textproc.NewSentenceScorer(q, ranked)
	last := 1.
	for i, s := range ranked {
		got := scorer.Score(s)
		if got < 0 || got >= last {
			t.Errorf("sentence %d has score %.3f, want less than %.3f", i, got, last)
		}
		last = got
	}
	if last != 0 {
		t.Errorf("a sentence without a term of the question has score %g, want 0", last)
	}
}

func TestScoreWeightsRareTerms(t *testing.T) {
	t.Parallel()
	q := textproc.ReadQuestion("Hailey's umbrella")
	sentences := []string{"Hailey sings.", "Hailey cooks.", "Hailey runs.", "An umbrella stands there."}
	scorer := textproc.NewSentenceScorer(q, sentences)
	if common, rare := scorer.Score(sentences[0]), scorer.Score(sentences[3]); common <= 0 || rare <= common {
		t.Errorf("sentence with a common term %.3f, with a rare term %.3f, want more", common, rare)
	}
	if got := textproc.NewSentenceScorer(textproc.Query{}, sentences).Score(sentences[0]); got != 0 {
		t.Errorf("empty question: score %g, want 0", got)
	}
}

func TestScoreIsBetweenZeroAndOne(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		sentences := sentencesOf(t)
		scorer := textproc.NewSentenceScorer(textproc.ReadQuestion(sentences[0]), sentences)
		for _, s := range sentences {
			if got := scorer.Score(s); !(got >= 0 && got <= 1) {
				t.Fatalf("score %g", got)
			}
		}
	})
}
