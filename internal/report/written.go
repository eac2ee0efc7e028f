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
	"github.com/neorag/neorag/internal/tokens"
	"github.com/neorag/neorag/prompts"
)

// modelVersion changes when the same answers of a model give other reports.
const modelVersion = "1"

// TaskReport is the task by which calls are counted.
const TaskReport = "report"

// A Written is a writer of reports that asks a model. Its references are
// checked against the context, and a number that the context does not hold is
// taken out.
type Written struct {
	Options // MaxTokens: 0 means 800
	Counter *tokens.Counter
	Chat    llm.Chat
	Prompts prompts.Set
}

func (w *Written) limit() int { return cmp.Or(w.MaxTokens, 800) }

// Fingerprint covers all that changes a report beside its context.
func (w *Written) Fingerprint() string {
	return graph.Hash("model", modelVersion, w.Chat.Model(), w.Prompts.Fingerprint(prompts.Report), strconv.Itoa(w.limit()), w.Counter.Name())
}

// Report asks for the report of a community. One that is too long loses its
// last findings.
func (w *Written) Report(ctx context.Context, in Input, c Context) (graph.Report, error) {
	p, err := w.Prompts.Get(prompts.Report)
	if err != nil {
		return graph.Report{}, err
	}
	system, user := p.Render(prompts.Values{"limit": strconv.Itoa(w.limit()), "context": c.Text})
	res, err := w.Chat.Chat(ctx, llm.Request{
		Task:     TaskReport,
		Messages: []llm.Message{{Role: "system", Content: system}, {Role: "user", Content: user}},
		Schema:   &llm.Schema{Name: prompts.Report, JSON: p.Schema},
		Valid:    func(text string) error { _, err := readAnswer(text); return err },
	})
	if err != nil {
		return graph.Report{}, fmt.Errorf("write the report on %s: %w", c.Title, err)
	}
	a, err := readAnswer(res.Text)
	if err != nil {
		return graph.Report{}, fmt.Errorf("write the report on %s: %w", c.Title, err)
	}
	r := graph.Report{
		Community: in.Community.Key, Level: in.Community.Level, Final: in.Community.Final,
		Size: len(in.Community.Members), Weight: in.Community.Weight, Model: w.Chat.Model(),
	}
	for findings := len(a.findings); ; findings-- {
		a.fill(&r, c, findings)
		r.NTokens = w.Counter.Count(r.FullContent)
		if r.NTokens <= w.limit() || findings <= 1 {
			return r, nil
		}
	}
}

// An answer is a report as a model writes it.
type answer struct {
	title, summary, explanation string
	rating                      float64
	findings                    []graph.Finding
}

// readAnswer takes a report in JSON: fields that it does not know do no harm,
// figures may stand in quotes, and a finding may be a text.
func readAnswer(text string) (answer, error) {
	var raw struct {
		Title       string            `json:"title"`
		Summary     string            `json:"summary"`
		Rating      json.RawMessage   `json:"rating"`
		Explanation string            `json:"rating_explanation"`
		Findings    []json.RawMessage `json:"findings"`
	}
	if err := json.Unmarshal([]byte(text), &raw); err != nil {
		return answer{}, fmt.Errorf("the report is not of the form asked for: %w", err)
	}
	a := answer{title: fold(raw.Title), summary: strings.TrimSpace(raw.Summary), explanation: fold(raw.Explanation), rating: readRating(string(raw.Rating))}
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

// readRating reads a rating from 0 to 10 in tenths.
func readRating(s string) float64 {
	v, err := strconv.ParseFloat(ratingNumber.FindString(s), 64)
	if err != nil {
		return 0
	}
	return math.Round(min(max(v, 0), 10)*10) / 10
}

func fold(s string) string { return strings.Join(strings.Fields(s), " ") }

// fill writes the first findings into a report, with references checked.
func (a answer) fill(r *graph.Report, c Context, findings int) {
	var n Numbers
	r.Title = fold(Plain(a.title))
	r.Rating, r.RatingExplanation = a.rating, fold(Plain(a.explanation))
	r.Summary, _ = CheckReferences(a.summary, c.References, &n)
	r.Findings = nil
	for i, f := range a.findings[:findings] {
		heading := strings.Trim(fold(Plain(f.Summary)), "# ")
		text, _ := CheckReferences(f.Explanation, c.References, &n)
		r.Findings = append(r.Findings, graph.Finding{Summary: cmp.Or(heading, "Finding "+strconv.Itoa(i+1)), Explanation: text})
	}
	r.References = n.List()
	r.FullContent = Markdown(*r)
}

// Plain takes out of a text all that would read as a reference.
func Plain(text string) string { return withoutMarks(text) }
