package query

import (
	"context"
	"fmt"
	"strings"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/query/cite"
	"github.com/neorag/neorag/internal/query/synth"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/text"
	"github.com/neorag/neorag/internal/text/textproc"
)

// An Answer is the text and its evidence, in the form of `query --json`.
type Answer struct {
	Method      string           `json:"method"`
	Corpus      string           `json:"corpus"`
	Question    string           `json:"question"`
	Asked       string           `json:"asked,omitempty"` // the condensed question, if a conversation changed it
	Answer      string           `json:"answer"`          // Markdown; [n] is reference n
	WrittenBy   string           `json:"written_by"`      // model, or rules: sentences that were chosen without a model
	References  []cite.Reference `json:"references"`
	Citations   []cite.Citation  `json:"citations"`             // in the order of the text
	Dangling    int              `json:"dangling"`              // references that resolved to nothing, or that nothing supports, and were removed
	Uncited     int              `json:"uncited"`               // statements without a reference; headings, questions and introductions of lists do not count
	Unsupported int              `json:"unsupported,omitempty"` // quotes that --check-quotes removed, because the model found nothing of their statement in them

	Usage   Usage    `json:"usage"`
	Seconds float64  `json:"seconds"`
	Stored  string   `json:"trace"`           // name of the stored answer, for `neorag trace --answer`; empty if it could not be stored
	Notes   []string `json:"notes,omitempty"` // what the reader should know of how the answer was made
	// Choice is the method that was chosen, and why, as a sentence for people; empty if the question named the method.
	Choice string `json:"-"`
	// Traces are what the methods that answered went through. In JSON each is a field of the answer.
	Traces []Trace `json:"-"`
	// Context is what the answer was made from, if the method packs it by kind.
	Context []ContextSection `json:"context,omitempty"`
}

// Who wrote an answer.
const (
	ByModel = "model"
	ByRules = "rules" // which chose sentences, without a model
)

// A ContextSection is the part of a context with nodes of one kind, best first.
type ContextSection struct {
	Kind    graph.Kind `json:"kind"`
	Tokens  int        `json:"tokens"`
	Keys    []string   `json:"keys"`     // best first
	LeftOut int        `json:"left_out"` // found, but left out because the budget of tokens was used up
}

// Usage is what an answer cost, and how much it read.
type Usage struct {
	Calls         int64        `json:"calls"`
	TokensIn      int64        `json:"tokens_in"`
	TokensOut     int64        `json:"tokens_out"`
	Cost          float64      `json:"cost"`
	ContextTokens int          `json:"context_tokens"` // of the reports or chunks read
	ContextItems  int          `json:"context_items"`
	Cached        *CachedUsage `json:"cached,omitempty"` // what the answers from the cache took, which the other figures do not include; absent for none
}

// setCalls sets what the calls took to what a meter counted.
func (u *Usage) setCalls(meter *llm.Meter) {
	used := meter.Total()
	u.Calls, u.Cost, u.TokensIn, u.TokensOut = used.Calls, used.Cost, used.TokensIn, used.TokensOut
	if saved := meter.Saved(); saved.Calls > 0 {
		u.Cached = &CachedUsage{saved.Calls, saved.TokensIn, saved.TokensOut, saved.Cost}
	}
}

// CachedUsage is what cached answers of a chat model took when they were made.
type CachedUsage struct {
	Calls     int64   `json:"calls"`
	TokensIn  int64   `json:"tokens_in"`
	TokensOut int64   `json:"tokens_out"`
	Cost      float64 `json:"cost"` // at the prices of today
}

// A Completion is how a draft becomes an answer.
type Completion struct {
	Lead     string     // a first sentence about the scope, of counts; "" for none
	Headings bool       // statements are grouped under the titles of their sources
	Known    cite.Known // evidence that was read already
	// reports are read when none of them answers the question: the answer then
	// names the closest. Nil where the method does not read reports.
	Reports func() ([]neo4jstore.ReportRow, error)
}

// Complete resolves what a draft cites. An empty draft becomes the answer that
// nothing was found.
func (r Request) Complete(ctx context.Context, d synth.Draft, c Completion) (Answer, error) {
	switch {
	case d.Empty():
		return r.nothingFound(ctx, d, c)
	case r.OnlyContext():
		return Answer{Usage: usageOf(d), Notes: d.Notes}, nil
	}
	resolver := cite.Resolver{Evidence: r.Reader, Filtered: r.Reader.Filtered()}
	var cited cite.Answer
	var err error
	if d.Generated {
		cited, err = resolver.Generated(ctx, d.Text, d.Records, c.Known, r.checker())
	} else {
		cited, err = resolver.Extracted(ctx, d.Items, c.Headings, c.Known)
	}
	if err != nil {
		return Answer{}, err
	}
	if cited.CheckErr != nil {
		r.Options.Logger.WarnContext(ctx, "cannot check quotes", "quotes", cited.Unchecked, "error", cited.CheckErr)
	}
	if c.Lead != "" {
		cited.Text = c.Lead + "\n\n" + cited.Text
	}
	return Answer{
		Answer: cited.Text, References: cited.References, Citations: cited.Citations, Uncited: cited.Uncited, Dangling: cited.Dangling + cited.Unfounded + d.Dangling,
		Unsupported: cited.Unsupported, Usage: usageOf(d), Notes: append(d.Notes, evidenceNotes(cited, d)...),
	}, nil
}

// evidenceNotes say what of an answer has no evidence.
func evidenceNotes(a cite.Answer, d synth.Draft) []string {
	var notes []string
	statements := map[string]bool{}
	unquoted := 0
	for _, c := range a.Citations {
		statements[c.Statement] = true
		if c.Quote == "" {
			unquoted++
		}
	}
	switch all := len(statements) + a.Uncited; {
	case a.Uncited > 0 && a.Uncited == all:
		notes = append(notes, "No statement of this answer has a reference.")
	case a.Uncited > 0:
		of := fmt.Sprintf("of %d statements ", all)
		notes = append(notes, text.Count(a.Uncited, of+"has no reference.", of+"have no reference."))
	}
	pointless := 0 // what rules quote has no references that a model made up
	if d.Generated {
		pointless = a.Dangling + d.Dangling
	}
	of := fmt.Sprintf("of %s ", text.Count(len(a.Citations), "citation", "citations"))
	for _, note := range []struct {
		n         int
		one, many string
	}{
		{pointless, "reference that the model wrote was removed: it points at nothing that the model was given.", "references that the model wrote were removed: they point at nothing that it was given."},
		{a.Missing, "reference of the model is to a sentence that does not exist in what it cites: the whole of it was searched instead.", "references of the model are to sentences that do not exist in what they cite: the whole of it was searched instead."},
		{unquoted, of + "has no quote: nothing in what it cites holds enough of the statement.", of + "have no quote: nothing in what they cite holds enough of the statement."},
		{a.Unfounded, "citation was removed: nothing in what it cites holds enough of the statement.", "citations were removed: nothing in what they cite holds enough of the statement."},
		{a.Dropped, "citation was left out: others of the same statement are better evidence.", "citations were left out: others of the same statements are better evidence."},
		{a.Unsupported, "quote was removed: the model found nothing of its statement in it.", "quotes were removed: the model found nothing of their statements in them."},
	} {
		if note.n > 0 {
			notes = append(notes, text.Count(note.n, note.one, note.many))
		}
	}
	if a.CheckErr != nil {
		notes = append(notes, fmt.Sprintf("%d quotes could not be checked, and are kept: %s", a.Unchecked, text.FirstLine(a.CheckErr.Error())))
	}
	return notes
}

func usageOf(d synth.Draft) Usage {
	return Usage{ContextTokens: d.Tokens, ContextItems: d.Blocks}
}

// nothingFound is the answer to a question that nothing in the scope answers. A
// corpus that is not indexed is ErrNotIndexed.
func (r Request) nothingFound(ctx context.Context, d synth.Draft, c Completion) (Answer, error) {
	a := Answer{Usage: usageOf(d), Notes: d.Notes}
	if c.Reports != nil {
		reports, err := c.Reports()
		if err != nil {
			return Answer{}, err
		}
		a.Answer = noReportAnswers(r.Question, d.Lost > 0, reports)
		return a, nil
	}
	if err := r.Reader.CheckChunks(ctx); err != nil {
		return Answer{}, err
	}
	a.Answer = declines(r.Text, r.Reader.Filtered(), d.Closest, d.Sections)
	return a, nil
}

// closestReports is how many reports an answer names when none answers the question.
const closestReports = 3

// noReportAnswers returns the text of an answer if no report answers the question. It
// names the reports closest to the question, or else the largest. lost means that some
// reports could not be read.
func noReportAnswers(q Question, lost bool, reports []neo4jstore.ReportRow) string {
	texts := make([]string, len(reports))
	for i, r := range reports {
		texts[i] = contentOf(r)
	}
	focus := textproc.NewSentenceScorer(textproc.ReadQuestion(q.Text), texts)
	titles := make([]synth.Sentence, len(reports))
	for i, r := range reports {
		titles[i].Statement = cite.Statement{Text: r.Title, Target: graph.Reference{Kind: graph.KindReport, Key: r.Key}}
		titles[i].Score = focus.Score(texts[i]) + 1e-6*float64(r.Size)
	}
	closest := synth.Select(titles, q.AnswerTokens, 1)
	var names []string
	for _, s := range closest[:min(closestReports, len(closest))] {
		names = append(names, "“"+cite.SanitizeTitle(s.Text)+"”")
	}
	said := "No report of this corpus answers the question."
	if lost {
		said = "No report that could be read answers the question."
	}
	return said + " The closest ones are about " + strings.Join(names, ", ") + "."
}

// contentOf is the text of a report without the explanation of its rating.
func contentOf(r neo4jstore.ReportRow) string {
	parts := []string{r.Title, r.Summary}
	for _, f := range r.Findings {
		parts = append(parts, f.Summary, f.Explanation)
	}
	return strings.Join(parts, "\n")
}
