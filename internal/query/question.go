package query

import (
	"cmp"

	"github.com/neorag/neorag/internal/query/conversation"
	"github.com/neorag/neorag/internal/query/retrieve"
)

// A Question is a question and how to answer it. The zero value of every limit
// means its default.
type Question struct {
	Text   string
	Method string // empty means auto
	Level  Level  // of the communities whose reports are read
	Seed   uint64 // of the order in which reports are read
	Filter Filter // of what the answer is made from

	MapTokens int // of one map window; 0 means 8,000
	// ReduceTokens bounds the points that an answer is made of, or its context; 0 means the
	// default of the method, mostly 8,000.
	ReduceTokens int
	AnswerTokens int // of an answer without a model; 0 means 400

	// CiteRecords lets a model cite whole sources and reports. By default their sentences have
	// numbers, and the model cites those.
	CiteRecords bool
	// CheckQuotes has a model judge quotes that are not the words of their statement, after it
	// answered, by one call for 20 of them. Those that state nothing of it are removed.
	CheckQuotes bool
	// MapReduce has a method that ranks chunks note points first and write the answer from
	// these, by the prompts of global and text (GraphRAG 4.1.2: the same prompts for all
	// conditions). By default the answer is written from the chunks.
	MapReduce bool

	Mode string // of the search of a method that has Modes; empty means the first of them
	// Paths are those by which basic or fused find chunks, such as text and vectors; empty means
	// all that the index has.
	Paths []string

	// Own are the settings of single methods, by method: each is a value of the type Settings of
	// its package. A method without one has its defaults.
	Own map[string]any

	// Tuning changes settings of the search, for measurements; TuningNames lists their
	// names.
	Tuning retrieve.Tuning

	// History is the conversation before the question, oldest turn first. The question is
	// first condensed: rewritten so that it can be understood without the conversation.
	History       []conversation.Turn
	HistoryTokens int // of the history that a model reads; 0 means 1,000
	// OnRewrite, unless nil, is called with the condensed question before it is answered,
	// if condensing changed it.
	OnRewrite func(question string)

	// Stream, unless nil, receives an answer of a model in pieces while it is
	// written, with its citations as numbers. Together they are the text of the Answer.
	Stream func(delta string)
	// OnRestart is called when what was streamed is void, and says why: the pieces that
	// follow are the whole answer. That is rare: an index run ended while the answer was
	// written, or a reference turned out to lead to nothing, or its quote to support nothing. If
	// OnRestart is nil, Stream receives the answer in one piece when it is complete.
	OnRestart func(why string)
	// Progress, unless nil, is called with what the engine does. Calls may be concurrent.
	Progress func(Progress)
}

// Progress is what an engine does for an answer.
type Progress struct {
	Stage string // rewriting, retrieving, keywords, passages, questions, relevance, map, reducing, answering or checking
	Done  int
	Total int // 0 if it is not known
}

// Step calls q.Progress if it is set.
func (q Question) Step(stage string, done, total int) {
	if q.Progress != nil {
		q.Progress(Progress{stage, done, total})
	}
}

// defaultMapTokens is what Question.MapTokens means if it is 0.
const defaultMapTokens = 8000

func (q Question) withDefaults() Question {
	q.Method = cmp.Or(q.Method, "auto")
	q.MapTokens = cmp.Or(q.MapTokens, defaultMapTokens)
	q.AnswerTokens = cmp.Or(q.AnswerTokens, 400)
	q.HistoryTokens = cmp.Or(q.HistoryTokens, 1000)
	return q
}
