package fakemodel

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/neorag/neorag/internal/llm/llmtest"
)

var (
	numberedSentence = regexp.MustCompile(`(?m)^(\d+)\. (.*)$`)
	judgedStatement  = regexp.MustCompile(`(?m)^Statement (\d+): (.*)\n((?:Quote \d+\.\d+: .*\n?)*)`)
	numberedQuote    = regexp.MustCompile(`^Quote (\d+): (.*)`)
	judgedQuote      = regexp.MustCompile(`(?m)^Quote \d+\.\d+: (.*)$`)
)

// answerClaims makes a claim of each part of a numbered sentence with at least three words, and
// repeats the last one.
func answerClaims(text string) string {
	list := []map[string]any{}
	for _, m := range numberedSentence.FindAllStringSubmatch(text, -1) {
		n, err := strconv.Atoi(m[1])
		if err != nil {
			continue
		}
		claims := []string{}
		for _, part := range strings.FieldsFunc(m[2], func(r rune) bool { return r == ';' }) {
			if len(strings.Fields(part)) >= 3 {
				claims = append(claims, strings.TrimSpace(part))
			}
		}
		if len(claims) > 0 {
			list = append(list, map[string]any{"sentence": n, "claims": append(claims, claims[len(claims)-1])})
		}
	}
	return "```json\n" + marshal(map[string]any{"sentences": list}) + "\n```"
}

// correctness finds that an answer is correct if it has all words of the known one that are not
// common; a known answer of common words, such as No, must be its beginning.
func correctness(known, given string) string {
	shared, all := sharedWords(known, given), sharedWords(known, known)
	correct := shared == all
	if all == 0 {
		correct = strings.HasPrefix(strings.ToLower(given), strings.ToLower(strings.TrimRight(known, ".")))
	}
	verdict := 0
	if correct {
		verdict = 1
	}
	return marshal(map[string]any{"reasoning": strconv.Itoa(shared) + " of " + strconv.Itoa(all) + " words are there.", "correct": verdict})
}

// evidenceVerdicts judges quotes by the words of their statement that they have in the same
// order: nearly all support it, a third supports a part. A statement in another order than its
// quotes is thus supported in part.
func evidenceVerdicts(text string) string {
	list := []map[string]any{}
	for _, m := range judgedStatement.FindAllStringSubmatch(text, -1) {
		n, err := strconv.Atoi(m[1])
		if err != nil {
			continue
		}
		words := plainWords(m[2])
		quotes, held := []int{}, make([]bool, len(words))
		for _, q := range judgedQuote.FindAllStringSubmatch(m[3], -1) {
			common := inOrder(words, plainWords(q[1]))
			for _, i := range common {
				held[i] = true
			}
			quotes = append(quotes, support(len(common), len(words)))
		}
		together := 0
		for _, is := range held {
			if is {
				together++
			}
		}
		list = append(list, map[string]any{"statement": n, "together": support(together, len(words)), "quotes": quotes})
	}
	return marshal(map[string]any{"statements": list})
}

// checkedQuotes judges the numbered quotes of statements by the words that both have. Numbers are
// strings, as some models write them.
func checkedQuotes(text string) string {
	list, statement := []map[string]string{}, ""
	for line := range strings.Lines(text) {
		if said, ok := strings.CutPrefix(line, "Statement: "); ok {
			statement = said
		}
		m := numberedQuote.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		supports := "part"
		switch shared := sharedWords(statement, m[2]); shared {
		case 0:
			supports = "nothing"
		case sharedWords(statement, statement):
			supports = "all"
		}
		list = append(list, map[string]string{"quote": m[1], "supports": supports})
	}
	return "```json\n" + marshal(map[string]any{"quotes": list}) + "\n```"
}

// support returns a verdict from 0 to 2 by a share of words.
func support(held, all int) int {
	switch {
	case 10*held >= 9*all:
		return 2
	case 3*held >= all:
		return 1
	}
	return 0
}

func plainWords(text string) []string { return word.FindAllString(strings.ToLower(text), -1) }

// inOrder returns the indexes in a of its longest common subsequence with b.
func inOrder(a, b []string) []int {
	length := make([][]int, len(a)+1)
	for i := range length {
		length[i] = make([]int, len(b)+1)
	}
	for i := range slices.Backward(a) {
		for j := range slices.Backward(b) {
			if length[i][j] = max(length[i+1][j], length[i][j+1]); a[i] == b[j] {
				length[i][j] = length[i+1][j+1] + 1
			}
		}
	}
	var out []int
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] == b[j]:
			out = append(out, i)
			i++
			j++
		case length[i+1][j] >= length[i][j+1]:
			i++
		default:
			j++
		}
	}
	return out
}

// materials returns the two texts between the three fences of a prompt.
func materials(r llmtest.Request) (first, second string) {
	parts := fenced(r.Last())
	if len(parts) < 2 {
		return "", ""
	}
	return parts[0], parts[1]
}
