package index

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/stage/extract"
	"github.com/neorag/neorag/internal/stage/report"
	"github.com/neorag/neorag/internal/stage/resolve"
	"github.com/neorag/neorag/prompts"
)

// A Model holds the chat models that a corpus is made with, one for each task, and
// the options of their prompts.
type Model struct {
	Extract, Summarise, Report llm.Chat
	Queries                    llm.Chat // makes question-answer pairs; nil means Extract
	Prompts                    prompts.Set
	Gleanings                  int // 0 means one, negative none
	Gleaning                   extract.Gleaning
	Claims                     extract.ClaimMode
	Format                     extract.Format
	YesNo                      map[string]int64 // tokens of YES and NO, if the tokenizer is known
	// MaxReports is the maximum number of reports that the model writes, root levels
	// first; 0 means 10,000, negative none. The others are made without a model.
	MaxReports int
	// ReportSmall has the model write also the reports of communities of fewer than
	// smallCommunity entities.
	ReportSmall bool
}

// smallCommunity is the number of entities from which a model writes the report of a community.
// In a smaller one the descriptions hold all there is.
const smallCommunity = 4

// modeOf returns the mode that is stored with the corpus: the models that it is made
// with, or "offline".
func modeOf(o Options) string {
	m := o.Model
	names := []string{modeOffline}
	if m != nil {
		names[0] = m.Extract.Model()
		for _, chat := range []llm.Chat{m.Summarise, m.Report} {
			if name := chat.Model(); name != names[len(names)-1] {
				names = append(names, name)
			}
		}
	}
	return strings.Join(names, modeSeparator) + vectorMode(o.Embedder)
}

// isOffline reports whether a mode has no chat model; it may have an embedding model.
func isOffline(mode string) bool {
	chat, _, _ := strings.Cut(mode, modeSeparator)
	return chat == modeOffline
}

// vectorMode returns the end of a mode: the embedding model, if there is one.
func vectorMode(embedder Embedder) string {
	if e, ok := embedder.(*ModelEmbedder); ok {
		return modeSeparator + e.Model()
	}
	return ""
}

const modeSeparator = ", "

const modeOffline = "offline"

// newExtractor returns the extractor that uses the model.
func newExtractor(e *effective) *extract.Model {
	m := e.Model
	return &extract.Model{
		Chat: m.Extract, Prompts: m.Prompts, Types: e.EntityTypes, Domain: *e.Domain, Language: e.Language,
		Gleanings: m.Gleanings, Gleaning: m.Gleaning, Claims: m.Claims, Format: m.Format, YesNo: m.YesNo,
	}
}

func (e *effective) describer() describer {
	d := resolve.Describer{Options: e.Resolve, Counter: e.counter}
	if m := e.Model; m != nil {
		return &resolve.Model{Describer: d, Chat: m.Summarise, Prompts: m.Prompts, Language: e.Language}
	}
	return d
}

// offlineReporter returns the reporter that uses no model.
func (e *effective) offlineReporter() reporter {
	return report.Extractive{Options: e.Report, Counter: e.counter}
}

func (e *effective) reporter() reporter {
	if m := e.Model; m != nil {
		return &report.Model{Options: e.Report, Counter: e.counter, Chat: m.Report, Prompts: m.Prompts, Language: e.Language}
	}
	return e.offlineReporter()
}

// leavesOutSmall reports whether small communities get a report without a model.
func (e *effective) leavesOutSmall() bool {
	return e.showsOutside() && !e.Model.ReportSmall
}

// leavesOut reports whether a community of a number of entities gets a report without a model.
func (e *effective) leavesOut(members int) bool {
	return e.Model == nil || e.leavesOutSmall() && members < smallCommunity
}

// reportFP covers everything that affects reports. Of MaxReports, ContextTokens and ReportSmall
// only values other than the default are included.
func reportFP(e *effective) string {
	fp := e.reporter().Fingerprint()
	if e.Model != nil {
		fp = e.inEdition("report", fp)
	}
	if n := e.Report.Limits().ContextTokens; n != (report.Options{}).Limits().ContextTokens {
		fp = graph.Hash(fp, "context", strconv.Itoa(n))
	}
	if m := e.Model; m != nil && m.ReportSmall {
		fp = graph.Hash(fp, "small")
	}
	if stale := e.Rewrite.Stale; stale > 0 {
		fp = graph.Hash(fp, "drift", strconv.FormatFloat(stale, 'g', -1, 64))
	}
	if m := e.Model; m != nil && cmp.Or(m.MaxReports, defaultMaxReports) != defaultMaxReports {
		return graph.Hash(fp, "at most", strconv.Itoa(m.MaxReports))
	}
	return fp
}
