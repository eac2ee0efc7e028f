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
	points := min(windows*windowPoints*pointTokens, int64(tokens)) // which are shorter than what they are taken from
	read := llm.Usage{Calls: windows, TokensIn: windows*promptTokens + int64(tokens), TokensOut: points}
	read.Cost = p.Map.Cost(read)
	return read.Add(estimateAnswer(min(points, int64(Request{Question: q}.Tokens(0))), p))
}

// EstimateContext returns what a question is expected to use at most that is answered with one call
// from a context. The corpus can fill it with that many tokens; standard is as in Request.Tokens.
func EstimateContext(q Question, standard, tokens int, p Prices) llm.Usage {
	return estimateAnswer(int64(min(tokens, Request{Question: q}.Tokens(standard))), p)
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
	text, context := EstimateMapReduce(q, s.TextTokens, p), EstimateContext(q, 0, s.TextTokens, p)
	local := EstimateContext(q, LocalTokens, s.TextTokens+s.otherTokens, p)
	s.TextEstimate, s.ContextEstimate, s.LocalEstimate = &text, &context, &local
}
