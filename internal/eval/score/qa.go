package score

import (
	"strings"

	"github.com/neorag/neorag/internal/eval/evalrun"
	"github.com/neorag/neorag/internal/eval/stats"
)

// A QA is how well methods answer questions with known answers.
type QA struct {
	Methods []QAMethod `json:"methods"`
	Without int        `json:"without_answer"` // questions without a known answer, left out
	Judge   string     `json:"judge"`          // the model and its prompt that decide on accuracy; empty for rules
}

// A QAMethod is how well a method answers groups of the questions: all, and those with an odd id, on
// which no setting is chosen; and the questions of each type.
type QAMethod struct {
	Method   string             `json:"method"`             // with its settings, or a constant answer
	Key      string             `json:"key,omitempty"`      // of the condition in the folder of --run
	Constant bool               `json:"constant,omitempty"` // the method is an answer that is given to every question
	Missing  int                `json:"missing,omitempty"`  // questions without an answer in the folder, left out
	Unjudged int                `json:"unjudged,omitempty"` // answers without a verdict yet, left out
	Failed   int                `json:"failed,omitempty"`   // answers and verdicts that failed, which are wrong
	Groups   map[string]QAScore `json:"groups"`             // all questions, and those whose id ends in an odd digit (odd)
	ByType   map[string]QAScore `json:"by_type"`            // the questions of each type
}

// A QAScore is of some questions. Shares are from 0 to 1.
type QAScore struct {
	Questions    int            `json:"questions"`        // that the documents answer
	InFirst      float64        `json:"in_first_line"`    // share of these whose answer has four fifths of the words of the known answer in its first line, from 0 to 1, as all shares
	InAnswer     float64        `json:"in_answer"`        // share with these words in the answer
	Words        float64        `json:"words"`            // of an answer, mean
	Wrongly      float64        `json:"declined_wrongly"` // share without an answer
	Unanswerable int            `json:"unanswerable"`     // questions that the documents do not answer
	Declined     float64        `json:"declined"`         // share of these without an answer
	Exact        stats.Interval `json:"exact"`            // share of the answers to all questions that are the known one; to decline is right where the documents do not answer
	Normalized   stats.Interval `json:"normalized"`       // the same without case, punctuation and articles, with its 95 % interval
	F1           stats.Interval `json:"f1"`               // F1 of the words of the answer and of the known one, mean, with its 95 % interval
	Accuracy     stats.Interval `json:"accuracy"`         // share of the answers that the judge finds correct, or by rules those with four fifths of the words of the known one
}

// An Answered question is scored.
type Answered struct {
	Question evalrun.Question
	Text     string // Markdown
	Declined bool
	Correct  *bool // the verdict of a judge; nil for none
}

// Unanswerable is the type of questions that the documents do not answer.
const Unanswerable = "null"

// qaGroups are the groups that are shown.
var qaGroups = []struct {
	name string
	has  func(evalrun.Question) bool
}{
	{"all", func(evalrun.Question) bool { return true }},
	{"odd", func(q evalrun.Question) bool { return IsOdd(q.ID) }},
}

// IsOdd reports whether a question is one of those that no setting is chosen on: its id ends in
// an odd digit.
func IsOdd(id string) bool {
	return strings.LastIndexAny(id, "13579") == len(id)-1 && id != ""
}

// HasAnswer reports whether it is known how a question is answered, if only that it is not.
func HasAnswer(q evalrun.Question) bool { return q.Answer != "" || q.Type == Unanswerable }

// Answers scores the answers of one method. Its questions have known answers.
func Answers(method string, answers []Answered) QAMethod {
	line := QAMethod{Method: method, Groups: map[string]QAScore{}, ByType: map[string]QAScore{}}
	sums, types := map[string]*sum{}, map[string]*sum{}
	for _, a := range answers {
		m := measure(a)
		for _, g := range qaGroups {
			if g.has(a.Question) {
				add(sums, g.name, a, m)
			}
		}
		if a.Question.Type != "" {
			add(types, a.Question.Type, a, m)
		}
	}
	for name, s := range sums {
		line.Groups[name] = s.score()
	}
	for name, s := range types {
		line.ByType[name] = s.score()
	}
	return line
}

// Constants are the answers to which methods are compared.
var Constants = []string{"Yes", "No", insufficient}

// insufficient is the constant answer that declines.
const insufficient = "Insufficient information"

// Baselines scores constant answers to questions with known ones. Rules decide on them, also
// where a judge decides on answers: an answer of one word is correct if it is the known one.
func Baselines(questions []evalrun.Question, judged bool) []QAMethod {
	var out []QAMethod
	for _, text := range Constants {
		var answers []Answered
		for _, q := range questions {
			a := constantAnswer(q, text)
			if judged {
				correct := IsConstant(q, text, true)
				a.Correct = &correct
			}
			answers = append(answers, a)
		}
		line := Answers(`"`+text+`"`, answers)
		line.Constant = true
		out = append(out, line)
	}
	return out
}

func constantAnswer(q evalrun.Question, text string) Answered {
	return Answered{Question: q, Text: text, Declined: text == insufficient && q.Type == Unanswerable}
}

// IsConstant reports whether a constant answer is correct: the known one, without case, punctuation
// and articles, where a judge decides on answers, and as rules find otherwise.
func IsConstant(q evalrun.Question, text string, judged bool) bool {
	m := measure(constantAnswer(q, text))
	if judged {
		return m.normalized == 1
	}
	return m.accuracy == 1
}

// measures are the figures of one answer.
type measures struct {
	inFirst, inAnswer, words        float64
	exact, normalized, f1, accuracy float64
}

func measure(a Answered) measures {
	if a.Declined {
		right := one(a.Question.Type == Unanswerable)
		m := measures{exact: right, normalized: right, f1: right, accuracy: right}
		if a.Correct != nil {
			m.accuracy = one(*a.Correct)
		}
		return m
	}
	first, all := readAnswer(a.Text)
	known := a.Question.Answer
	m := measures{
		inFirst: one(holds(first, known)), inAnswer: one(holds(all, known)), words: float64(len(strings.Fields(all))),
		exact: one(known != "" && strings.TrimSpace(all) == strings.TrimSpace(known)), normalized: one(known != "" && normalize(all) == normalize(known)),
	}
	if known != "" {
		m.f1 = tokenF1(all, known)
	}
	m.accuracy = m.inAnswer * one(a.Question.Type != Unanswerable)
	if a.Correct != nil {
		m.accuracy = one(*a.Correct)
	}
	return m
}

// A sum adds up the figures of answers.
type sum struct {
	total                           QAScore
	exact, normalized, f1, accuracy []float64
}

func add(sums map[string]*sum, name string, a Answered, m measures) {
	if sums[name] == nil {
		sums[name] = &sum{}
	}
	s := sums[name]
	s.exact, s.normalized, s.f1, s.accuracy = append(s.exact, m.exact), append(s.normalized, m.normalized), append(s.f1, m.f1), append(s.accuracy, m.accuracy)
	if a.Question.Type == Unanswerable {
		s.total.Unanswerable++
		s.total.Declined += one(a.Declined)
		return
	}
	s.total.Questions++
	s.total.Wrongly += one(a.Declined)
	s.total.InFirst += m.inFirst
	s.total.InAnswer += m.inAnswer
	s.total.Words += m.words
}

// score divides sums by the numbers of questions.
func (s sum) score() QAScore {
	t := s.total
	n := float64(max(1, t.Questions))
	t.InFirst, t.InAnswer, t.Words, t.Wrongly = t.InFirst/n, t.InAnswer/n, t.Words/n, t.Wrongly/n
	t.Declined /= float64(max(1, t.Unanswerable))
	t.Exact, t.Normalized = stats.Bootstrap(s.exact), stats.Bootstrap(s.normalized)
	t.F1, t.Accuracy = stats.Bootstrap(s.f1), stats.Bootstrap(s.accuracy)
	return t
}

func one(is bool) float64 {
	if is {
		return 1
	}
	return 0
}
