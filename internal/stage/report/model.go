package report

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/text"
	"github.com/neorag/neorag/internal/text/tokens"
	"github.com/neorag/neorag/prompts"
)

// modelVersion changes when the same model answers give different reports.
const modelVersion = "1"

const (
	// summaryOnly is the number of entities of the largest community whose report is a summary alone:
	// findings would say the same again.
	summaryOnly = 5
	// summaryShare is the share of the words of a report that such a summary is asked for in.
	summaryShare = .4
)

// TaskReport is the task under which calls are counted.
const TaskReport = "report"

// A Model writes reports with a language model. The references in its answers are
// checked against the context, and numbers that the context does not offer are
// removed.
type Model struct {
	Options  // MaxTokens: 0 means 800
	Counter  *tokens.Counter
	Chat     llm.Chat
	Prompts  prompts.Set
	Language string // in which reports are written; empty means the language of the records
	// Usual is the language in which reports are written if Language is empty and most of the
	// documents have this one. No fingerprint covers it: it may change with each document.
	Usual string
}

// Reads covers what the report of a community is written from.
func (m *Model) Reads(_ Input, c Context) string {
	return graph.Hash(m.Fingerprint(), c.Reads)
}

// promptTokens is more than the prompt of a report has without records, with the schema of the
// answer for servers that read it in the prompt.
const promptTokens = 1200

// Room returns how many tokens of records the model can read in one call; 0 if that is not
// known.
func (m *Model) Room(ctx context.Context) int {
	room := llm.Room(ctx, m.Chat)
	if room == 0 {
		return 0
	}
	return max(room-promptTokens, 1)
}

func (m *Model) limit() int { return cmp.Or(m.MaxTokens, 800) }

// words returns how many words the model is asked for: in most languages that many, with the
// references and the line of the rating, fit into the limit of tokens.
func (m *Model) words() int { return max(50, m.limit()*11/200*10) }

// asked returns how many words and findings the model is asked for at most. Of a small community it
// is asked for a summary alone.
func (m *Model) asked(in Input) (words, findings int) {
	if len(in.Entities) <= summaryOnly && len(in.Children) == 0 {
		return max(50, int(summaryShare*float64(m.words()))), 0
	}
	return m.words(), m.findings()
}

// findings returns how many findings the model is asked for at most: a finding with an
// explanation of a few sentences takes about 90 words.
func (m *Model) findings() int { return min(max(m.words()/90+1, 1), 10) }

// Fingerprint covers everything that affects a report except its context.
func (m *Model) Fingerprint() string {
	parts := []string{"model", modelVersion, llm.Identity(m.Chat), m.Prompts.Fingerprint(prompts.Report), strconv.Itoa(m.limit()), m.Counter.Name()}
	if m.Language != "" {
		parts = append(parts, m.Language)
	}
	return graph.Hash(parts...)
}

// Report asks for the report of a community. A report that is too long loses its last
// findings.
func (m *Model) Report(ctx context.Context, in Input, c Context) (graph.Report, error) {
	p, err := m.Prompts.Get(prompts.Report)
	if err != nil {
		return graph.Report{}, err
	}
	kinds, example := kindsIn(c.References)
	words, findings := m.asked(in)
	values := prompts.Values{
		"limit": strconv.Itoa(m.limit()), "words": strconv.Itoa(words), "findings": strconv.Itoa(findings),
		"language": cmp.Or(prompts.Name(m.Language), m.Usual, "the language of the records"), "kinds": kinds, "example": example, "context": c.Text,
	}
	system, user := p.Render(values)
	a, err := llm.Parsed(ctx, m.Chat, llm.Request{
		Task:     TaskReport,
		Shorten:  true,
		Messages: []llm.Message{{Role: "system", Content: system}, {Role: "user", Content: user}},
		Schema:   &llm.Schema{Name: prompts.Report, JSON: p.SchemaOf(values)},
	}, parseAnswer)
	if err != nil {
		return graph.Report{}, fmt.Errorf("write the report on %s: %w", c.Title, err)
	}
	r := in.report(m.Chat.Model())
	for findings := len(a.findings); ; findings-- {
		a.fillReport(&r, c, findings)
		r.NTokens = m.Counter.Count(r.FullContent)
		if r.NTokens <= m.limit() || findings <= 1 {
			return r, nil
		}
	}
}

// kindsIn returns the words for the kinds of records that a context offers, as rows or in the
// reports of children, as a list, and an example of a citation of each.
func kindsIn(offered map[Local]string) (kinds, example string) {
	has := map[graph.Kind]bool{}
	for local := range offered {
		has[local.Kind] = true
	}
	numbers := []string{" (5, 7)", " (23)", " (2)", " (1)"}
	var words, examples []string
	for _, d := range dataNames {
		if has[d.kind] {
			examples = append(examples, d.name+numbers[len(words)%len(numbers)])
			words = append(words, d.name)
		}
	}
	return text.JoinAnd(words), strings.Join(examples, "; ")
}

// An answer is a report as a model wrote it.
type answer struct {
	title, summary, explanation string
	rating                      float64
	findings                    []graph.Finding
}

// parseAnswer parses a report in JSON. Unknown fields are ignored, numbers may be in
// quotes, and a finding may be a string. The text of an error goes to the model with
// the next request.
func parseAnswer(s string) (answer, error) {
	var raw struct {
		Title       string            `json:"title"`
		Summary     string            `json:"summary"`
		Rating      json.RawMessage   `json:"rating"`
		Explanation string            `json:"rating_explanation"`
		Findings    []json.RawMessage `json:"findings"`
	}
	if err := json.Unmarshal([]byte(s), &raw); err != nil {
		return answer{}, fmt.Errorf("the report is not of the form asked for: %w", err)
	}
	a := answer{title: text.OneLine(raw.Title), summary: strings.TrimSpace(raw.Summary), explanation: text.OneLine(raw.Explanation), rating: parseRating(string(raw.Rating))}
	for _, f := range raw.Findings {
		var finding graph.Finding
		var alone string
		switch {
		case json.Unmarshal(f, &finding) == nil:
		case json.Unmarshal(f, &alone) == nil:
			finding.Explanation = alone
		}
		if finding.Summary+finding.Explanation != "" {
			a.findings = append(a.findings, finding)
		}
	}
	if a.title == "" || a.summary == "" {
		return a, errors.New("the report has no title or no summary")
	}
	return a, nil
}

var ratingNumber = regexp.MustCompile(`\d+(?:\.\d+)?`)

// parseRating returns the first number of s, limited to 0 to 10 and rounded to tenths,
// or 0 if there is none.
func parseRating(s string) float64 {
	v, err := strconv.ParseFloat(ratingNumber.FindString(s), 64)
	if err != nil {
		return 0
	}
	return math.Round(min(max(v, 0), 10)*10) / 10
}

// fillReport copies the answer with the first findings into a report and checks the
// references.
func (a answer) fillReport(r *graph.Report, c Context, findings int) {
	var n Numbers
	r.Title = plainLine(a.title)
	r.Rating, r.RatingExplanation = a.rating, plainLine(a.explanation)
	r.DroppedFindings = len(a.findings) - findings
	r.Summary, r.DroppedReferences = CheckReferences(a.summary, c.References, &n)
	r.Findings = nil
	for i, f := range a.findings[:findings] {
		heading := strings.Trim(plainLine(f.Summary), "# ")
		explanation, removed := CheckReferences(f.Explanation, c.References, &n)
		r.DroppedReferences += removed
		r.Findings = append(r.Findings, graph.Finding{Summary: cmp.Or(heading, "Finding "+strconv.Itoa(i+1)), Explanation: explanation})
	}
	r.References = n.List()
	r.FullContent = Markdown(*r)
}
