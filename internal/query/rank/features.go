package rank

import "math"

// Features are what a document or chunk has in common with a question,
// each from 0 to about 1. As weights, it is what each counts.
type Features struct {
	Passage  float64 // full-text score of the best passage, relative to the best of all
	Pair     float64 // of the best passage for pairs of terms, relative to a text that has all, each as rare as can be
	Bigrams  float64 // see Overlap, also the next four
	Window   float64
	Coverage float64
	Capitals float64
	Numbers  float64
	Title    float64 // see QuestionTerms.TitleScore, of the lead
	Head     float64 // of the first terms of the text
	Speaker  float64 // see QuestionTerms.SpeakerScore
	Length   float64 // logarithm of one more than the number of passages of the document; speaks against
	Feedback float64 // full-text score for the terms of a feedback query, relative to a text that has all
	Entities float64 // share of the entities of the question that it mentions, by rarity
	Facts    float64 // of the best relationship that full text found, relative to the best of all
	Queries  float64 // cosine of its best question-answer pair, relative to the best of all
	Reports  float64 // score of the best report that cites it, relative to the best of all
	Graph    float64 // personalised PageRank from the question's entities and facts, relative to the best
	Vectors  float64 // cosine of the question and its nearest chunk: 1 for the nearest of all, 0 for the last that is found
}

// DefaultFeatures are weights that are equal for chats and other texts. They were fitted to
// the development sets by logistic regression, and rounded; the weight of pairs was chosen afterwards.
var DefaultFeatures = Features{
	Passage: .85, Pair: 1.2, Bigrams: .9, Window: .75, Coverage: .6, Capitals: .9, Numbers: .95, Title: 1.2, Head: .45,
	Speaker: 1.3, Length: -.3, Feedback: 1.75, Entities: .6, Vectors: 1,
}

// fields returns pointers to the features, in the order of the struct.
func (e *Features) fields() []*float64 {
	return []*float64{
		&e.Passage, &e.Pair, &e.Bigrams, &e.Window, &e.Coverage, &e.Capitals, &e.Numbers, &e.Title, &e.Head, &e.Speaker, &e.Length,
		&e.Feedback, &e.Entities, &e.Facts, &e.Queries, &e.Reports, &e.Graph, &e.Vectors,
	}
}

// Score returns the sum of features, by weights. Parts that are not finite count nothing.
func (e Features) Score(weights Features) float64 {
	sum := 0.
	of := weights.fields()
	for i, part := range e.fields() {
		if product := float64(*part * *of[i]); !math.IsNaN(product) && !math.IsInf(product, 0) {
			sum += product
		}
	}
	return sum
}

// Named returns the features by name, to change them.
func (e *Features) Named() map[string]*float64 {
	names := []string{
		"passage", "pair", "bigrams", "window", "coverage", "capitals", "numbers", "title", "head", "speaker", "length",
		"feedback", "entities", "facts", "queries", "reports", "graph", "vectors",
	}
	out := make(map[string]*float64, len(names))
	for i, part := range e.fields() {
		out[names[i]] = part
	}
	return out
}
