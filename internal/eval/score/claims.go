package score

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/eval/claimset"
	"github.com/neorag/neorag/internal/eval/evalrun"
	"github.com/neorag/neorag/internal/query/cite"
	"github.com/neorag/neorag/internal/text"
	"github.com/neorag/neorag/prompts"
)

// Rules is the extractor of claims without a model: the statements of an answer are its claims.
const Rules = "rules"

const (
	maxPartBytes     = 6000 // of the sentences that one call reads
	maxSentenceBytes = 2000
	contextSentences = 3 // before the sentences of a call, which are shown without a number
	maxClaimBytes    = 1000
	maxClaimsOf      = 50   // of a sentence
	maxClaims        = 2000 // of an answer
)

// ExtractorOf returns the identity of the extractor of claims; m is nil for rules.
func ExtractorOf(m *Model) string {
	if m == nil {
		return Rules
	}
	return m.Identity(prompts.AnswerClaims)
}

// ExtractClaims extracts the claims of the answers of an evaluation (GraphRAG 4.2): by a model as
// Claimify does, or by rules if m is nil.
func ExtractClaims(ctx context.Context, f *evalrun.Folder, m *Model, o Options) (evalrun.Count, error) {
	questions := questionsOf(f)
	extractor := ExtractorOf(m)
	var todo cells[evalrun.Claims]
	for _, a := range f.Answers.All() {
		cell := evalrun.Claims{Answer: a.Key(), Extractor: extractor}
		todo.add(cell.Key(), func(ctx context.Context) (evalrun.Claims, error) {
			var claims []string
			var err error
			if m == nil {
				claims = statements(a)
			} else {
				cell.Usage, err = metered(ctx, func(ctx context.Context) error {
					claims, err = m.claims(ctx, questions[a.Question].Text, a.Text)
					return err
				})
			}
			cell.Claims = claimset.Unique(claims)
			if len(cell.Claims) > maxClaims {
				err = fmt.Errorf("the answer has %d claims: at most %d are compared", len(cell.Claims), maxClaims)
			}
			return cell, err
		})
	}
	return todo.run(ctx, f, "claims", f.Claims, o)
}

// statements returns the claims of an answer by rules. An answer without a reference declines: it has
// none.
func statements(a evalrun.Answer) []string {
	if a.References == 0 {
		return nil
	}
	return cite.Statements(a.Text)
}

// claims asks for the claims of an answer, in one call if it is short.
func (m *Model) claims(ctx context.Context, question, answer string) ([]string, error) {
	sentences := cite.AnswerSentences(answer)
	for i, s := range sentences {
		sentences[i] = text.Truncate(text.OneLine(s), maxSentenceBytes)
	}
	var out []string
	for from := 0; from < len(sentences); {
		to, size := from, 0
		for to < len(sentences) && (to == from || size+len(sentences[to]) <= maxPartBytes) {
			size += len(sentences[to])
			to++
		}
		claims, err := m.claimsOf(ctx, question, sentences[max(0, from-contextSentences):from], sentences[from:to])
		if err != nil {
			return nil, fmt.Errorf("claims of sentences %d to %d: %w", from+1, to, err)
		}
		out = append(out, claims...)
		from = to
	}
	return out, nil
}

// claimsOf asks for the claims of sentences, given those before them.
func (m *Model) claimsOf(ctx context.Context, question string, before, sentences []string) ([]string, error) {
	var b strings.Builder
	for _, s := range before {
		b.WriteString(s + "\n")
	}
	for i, s := range sentences {
		fmt.Fprintf(&b, "%d. %s\n", i+1, s)
	}
	values := prompts.Values{"question": text.OneLine(question), "text": b.String()}
	return prompts.Ask(ctx, m.Ask, prompts.AnswerClaims, values, func(answer string) ([]string, error) { return parseClaims(answer, len(sentences)) })
}

// parseClaims returns the claims of n sentences, in the order of the sentences.
func parseClaims(answer string, n int) ([]string, error) {
	var raw struct {
		Sentences []struct {
			Sentence int
			Claims   []string
		}
	}
	if err := json.Unmarshal([]byte(answer), &raw); err != nil {
		return nil, fmt.Errorf("the claims are not of the form asked for: %w", err)
	}
	bySentence := make([][]string, n)
	for _, s := range raw.Sentences {
		if s.Sentence < 1 || s.Sentence > n {
			return nil, fmt.Errorf("there is no sentence %d: there are %d", s.Sentence, n)
		}
		if len(s.Claims) > maxClaimsOf {
			return nil, fmt.Errorf("sentence %d has %d claims: list at most %d", s.Sentence, len(s.Claims), maxClaimsOf)
		}
		for _, c := range s.Claims {
			if c = text.OneLine(c); len(c) > maxClaimBytes {
				return nil, errors.New("a claim is longer than the sentences that it is made of may be")
			}
			bySentence[s.Sentence-1] = append(bySentence[s.Sentence-1], c)
		}
	}
	return slices.Concat(bySentence...), nil
}
