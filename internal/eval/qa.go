package eval

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"unicode"

	"github.com/neorag/neorag/internal/textproc"
)

// A QASet is questions with known answers, and how to ask them.
type QASet struct {
	Questions []Question
	// Ask returns the answer to a question by a method, and how many references it has.
	Ask func(ctx context.Context, method, question string) (answer string, references int, err error)
}

// A QA is how well methods answer.
type QA struct {
	Methods []QAMethod `json:"methods"`
	Without int        `json:"without_answer"` // questions that were left out
}

// A QAMethod is how well a method answers groups of the questions: all, and those with an odd id, on
// which no setting is chosen.
type QAMethod struct {
	Method string             `json:"method"`
	Groups map[string]QAScore `json:"groups"`
}

// A QAScore is of some questions. Shares are from 0 to 1.
type QAScore struct {
	Questions    int     `json:"questions"`        // that the documents answer
	InFirst      float64 `json:"in_first_line"`    // share with four fifths of the words of the known answer in the first line
	InAnswer     float64 `json:"in_answer"`        // share with these in the answer
	Words        float64 `json:"words"`            // of an answer, mean
	Wrongly      float64 `json:"declined_wrongly"` // share without an answer
	Unanswerable int     `json:"unanswerable"`     // questions that they do not answer
	Declined     float64 `json:"declined"`         // share of these without an answer
}

// qaGroups are the groups that are shown.
var qaGroups = []struct {
	name string
	has  func(Question) bool
}{
	{"all", func(Question) bool { return true }},
	{"odd", func(q Question) bool { return isOdd(q.ID) }},
}

// unanswerable is the type of questions that the documents do not answer.
const unanswerable = "null"

// AnswerQuestions asks every question by each method. An answer without a reference counts as
// declined. progress may be nil.
func AnswerQuestions(ctx context.Context, sets []QASet, methods []string, progress func(done, total int)) (QA, error) {
	var out QA
	total := 0
	for _, s := range sets {
		for _, q := range s.Questions {
			if q.Answer == "" && q.Type != unanswerable {
				out.Without++
			}
		}
		total += len(s.Questions)
	}
	if total == out.Without {
		return out, fmt.Errorf(`%w: no question has an "answer", or the type %q`, ErrQuestions, unanswerable)
	}
	done := 0
	for _, method := range methods {
		sums := map[string]*QAScore{}
		for _, s := range sets {
			for _, q := range s.Questions {
				if done++; progress != nil {
					progress(done, total*len(methods))
				}
				if q.Answer == "" && q.Type != unanswerable {
					continue
				}
				answer, references, err := s.Ask(ctx, method, q.Text)
				if err != nil {
					return out, fmt.Errorf("question %s by %s: %w", q.ID, method, err)
				}
				add(sums, q, answer, references > 0)
			}
		}
		line := QAMethod{Method: method, Groups: map[string]QAScore{}}
		for name, sum := range sums {
			line.Groups[name] = sum.mean()
		}
		out.Methods = append(out.Methods, line)
	}
	return out, ctx.Err()
}

// add adds an answer to the groups of its question.
func add(sums map[string]*QAScore, q Question, answer string, answered bool) {
	first, all := readAnswer(answer)
	for _, g := range qaGroups {
		if !g.has(q) {
			continue
		}
		if sums[g.name] == nil {
			sums[g.name] = &QAScore{}
		}
		sum := sums[g.name]
		if q.Type == unanswerable {
			sum.Unanswerable++
			sum.Declined += one(!answered)
			continue
		}
		sum.Questions++
		sum.Wrongly += one(!answered)
		if answered {
			sum.InFirst += one(holds(first, q.Answer))
			sum.InAnswer += one(holds(all, q.Answer))
			sum.Words += float64(len(strings.Fields(all)))
		}
	}
}

// mean divides sums by the numbers of questions.
func (s QAScore) mean() QAScore {
	n := float64(max(1, s.Questions))
	s.InFirst, s.InAnswer, s.Words, s.Wrongly = s.InFirst/n, s.InAnswer/n, s.Words/n, s.Wrongly/n
	s.Declined /= float64(max(1, s.Unanswerable))
	return s
}

func one(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

var citation = regexp.MustCompile(`(?: ?\[\d+\])+`)

// readAnswer returns the first line of an answer in Markdown, and all of it, without citations.
func readAnswer(answer string) (first, all string) {
	var b strings.Builder
	for line := range strings.Lines(citation.ReplaceAllString(answer, "")) {
		line = strings.ReplaceAll(strings.TrimPrefix(strings.TrimSpace(line), "- "), "**", "")
		if line == "" {
			continue
		}
		if first == "" {
			first = line
		}
		b.WriteString(line + "\n")
	}
	return first, b.String()
}

// leastWords is the share of the words of a known answer that an answer must have.
const leastWords = .8

// holds reports whether a text has four fifths of the different words of a known answer. Words are
// index terms, so that their endings do not count, or words as written if all are stop words.
func holds(text, known string) bool {
	want := textproc.TermSetOf(known)
	own := textproc.TermSetOf(text)
	if len(want) == 0 {
		want, own = textproc.TermSet{}, textproc.TermSet{}
		want.Add(plainWords(known)...)
		own.Add(plainWords(text)...)
	}
	return len(want) > 0 && float64(want.Shared(own)) >= leastWords*float64(len(want))
}

func plainWords(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) })
}

// Table returns the result as a Markdown table.
func (q QA) Table() string {
	var b strings.Builder
	b.WriteString("| method | questions | in the first line | in the answer | words | declined wrongly | unanswerable | declined |\n|---|---|---:|---:|---:|---:|---:|---:|\n")
	for _, m := range q.Methods {
		for _, g := range qaGroups {
			s := m.Groups[g.name]
			fmt.Fprintf(&b, "| %s | %s, %d | %.3f | %.3f | %.0f | %.3f | %d | %.3f |\n", m.Method, g.name, s.Questions, s.InFirst, s.InAnswer, s.Words, s.Wrongly, s.Unanswerable, s.Declined)
		}
	}
	return b.String()
}
