package rank

import "math"

// A QuestionTerm is a term of a question.
type QuestionTerm struct {
	Term    string
	Weight  float64 // by its rarity among documents
	Capital bool    // of a name
	Number  bool    // it has a digit
}

// QuestionTerms are a question as texts are compared with it, term by term.
type QuestionTerms struct {
	terms    []QuestionTerm
	at       map[string]int
	sequence []int // places of terms in the order of the question
	sum      float64
	capitals float64
	numbers  float64
	next     map[[2]int]float64 // weights of neighbouring terms of the question, in order
	nextSum  float64
}

// NewQuestionTerms returns a question with these terms, without duplicates, in which they occur in
// the given sequence. A term of the sequence that is not among the terms is left out.
func NewQuestionTerms(terms []QuestionTerm, sequence []string) *QuestionTerms {
	a := &QuestionTerms{terms: terms, at: make(map[string]int, len(terms)), next: map[[2]int]float64{}}
	for i, t := range terms {
		a.at[t.Term] = i
		a.sum += t.Weight
		if t.Capital {
			a.capitals += t.Weight
		}
		if t.Number {
			a.numbers += t.Weight
		}
	}
	for _, term := range sequence {
		if i, ok := a.at[term]; ok {
			a.sequence = append(a.sequence, i)
		}
	}
	for i := 0; i+1 < len(a.sequence); i++ {
		pair := [2]int{a.sequence[i], a.sequence[i+1]}
		if _, again := a.next[pair]; pair[0] != pair[1] && !again {
			a.next[pair] = min(terms[pair[0]].Weight, terms[pair[1]].Weight)
			a.nextSum += a.next[pair]
		}
	}
	return a
}

// TitleScore returns how much of a title the question has, and the title of the question: the
// weight of their common terms, relative to the rarity of all terms of the title.
func (a *QuestionTerms) TitleScore(terms []string, rarity func(string) float64) float64 {
	seen := make(map[string]bool, len(terms))
	all, both := 0., 0.
	for _, t := range terms {
		if seen[t] {
			continue
		}
		seen[t] = true
		all += rarity(t)
		if i, ok := a.at[t]; ok {
			both += a.terms[i].Weight
		}
	}
	return both / max(all, 1)
}

// SpeakerScore is what a message says of a question: the share of the terms that are not its
// speaker's, if the question names the speaker by a rare term. around are the terms of the
// message and of those next to it.
func (a *QuestionTerms) SpeakerScore(speaker, around []string) float64 {
	own, named := 0., false
	of := make(map[string]bool, len(speaker))
	for _, t := range speaker {
		of[t] = true
		if i, ok := a.at[t]; ok {
			own += a.terms[i].Weight
			named = named || a.terms[i].Weight > rareTerm
		}
	}
	if !named {
		return 0
	}
	seen := map[string]bool{}
	said := 0.
	for _, t := range around {
		if i, ok := a.at[t]; ok && !seen[t] && !of[t] {
			seen[t] = true
			said += a.terms[i].Weight
		}
	}
	return share(said, a.sum-own)
}

// rareTerm is the weight above which a term names a speaker: one of some 30 % of documents.
const rareTerm = 1.2

// share returns a part as a share of a whole, 0 of nothing.
func share(part, whole float64) float64 {
	if !(whole > 1e-9) {
		return 0
	}
	return part / whole
}

// Rarity returns the weight of a term that occurs in some of the documents, as in BM25.
func Rarity(documents, with int) float64 {
	return math.Log(1 + (float64(documents-with)+.5)/(float64(with)+.5))
}
