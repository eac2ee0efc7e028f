// Package querygen makes question-answer pairs that a chunk answers (Doc2Query), with a
// model or by patterns over its sentences. Pairs of equal words are made once, and the same
// chunk and options give the same pairs.
package querygen

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/neorag/neorag/internal/text"
	"github.com/neorag/neorag/internal/text/textproc"
)

// A QAPair is a question with its answer in the words of the chunk.
type QAPair struct {
	Query  string `json:"query"`
	Answer string `json:"answer"`
}

// Text returns the text that a pair is embedded as: the question, then the answer.
func (p QAPair) Text() string { return p.Query + " " + p.Answer }

// DefaultCount is the number of pairs that are made of a chunk (QCG-RAG, appendix B.3).
const DefaultCount = 20

// Limits of the texts of a pair, in characters. Longer questions are left out, and longer
// answers are cut.
const (
	maxQuery  = 300
	maxAnswer = 600
)

// Options bound what is made of a chunk.
type Options struct {
	Count int // pairs; 0 means DefaultCount
}

func (o Options) count() int { return cmp.Or(o.Count, DefaultCount) }

func (o Options) fingerprint() string { return strconv.Itoa(o.count()) }

// A list collects the pairs of a chunk.
type list struct {
	limit int
	pairs []QAPair
	seen  map[string]bool
}

func newList(limit int) *list { return &list{limit: limit, seen: map[string]bool{}} }

func (l *list) full() bool { return len(l.pairs) >= l.limit }

// add adds a pair unless it is invalid, says the same as another one, or the list is full.
func (l *list) add(p QAPair) {
	p.Query, p.Answer = text.OneLine(p.Query), text.Shorten(text.OneLine(p.Answer), maxAnswer)
	if l.full() || p.Query == "" || p.Answer == "" || len([]rune(p.Query)) > maxQuery {
		return
	}
	terms := textproc.Terms(p.Query)
	if len(terms) == 0 {
		return
	}
	id := strings.Join(terms, " ") + "\n" + strings.Join(textproc.Terms(p.Answer), " ")
	if l.seen[id] {
		return
	}
	l.seen[id] = true
	l.pairs = append(l.pairs, p)
}
