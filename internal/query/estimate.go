package query

import (
	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/query/synth"
)

// Prices are the prices of the models of a question.
type Prices struct {
	Map, Answer llm.Price
}

// What calls use in addition to what they read, in tokens: prompt, question and schema, and
// typical answers.
const (
	promptTokens = 500
	pointTokens  = 45 // of one noted point
	windowPoints = 8  // that a typical window gives
	answerTokens = 600
)

// EstimateMapReduce returns what a question is expected to use that is answered from all of a text
// of that many tokens, window by window.
func EstimateMapReduce(q Question, tokens int, p Prices) llm.Usage {
	if tokens <= 0 {
		return llm.Usage{}
	}
	room := synth.Generative{WholeRecords: q.CiteRecords}.Budget(q.MapTokens)
	windows := int64((tokens + room - 1) / max(room, 1))
	points := windows * windowPoints * pointTokens
	read := llm.Usage{Calls: windows, TokensIn: windows*promptTokens + int64(tokens), TokensOut: points}
	read.Cost = p.Map.Cost(read)
	return read.Add(estimateAnswer(min(points, int64(Request{Question: q}.Tokens(0))), p))
}

// EstimateContext returns what a question is expected to use that is answered with one call from a full
// context.
func EstimateContext(q Question, p Prices) llm.Usage {
	return estimateAnswer(int64(Request{Question: q}.Tokens(0)), p)
}

func estimateAnswer(context int64, p Prices) llm.Usage {
	u := llm.Usage{Calls: 1, TokensIn: promptTokens + context, TokensOut: answerTokens}
	u.Cost = p.Answer.Cost(u)
	return u
}

// AddEstimates adds to sizes what questions are expected to use.
func (s *LevelSizes) AddEstimates(q Question, p Prices) {
	for i := range s.Levels {
		u := EstimateMapReduce(q, s.Levels[i].Tokens, p)
		s.Levels[i].Estimate = &u
	}
	text, context := EstimateMapReduce(q, s.TextTokens, p), EstimateContext(q, p)
	s.TextEstimate, s.ContextEstimate = &text, &context
}
