package index

import (
	"cmp"
	"context"
	"fmt"
	"slices"
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

// mode returns the mode that is stored with the corpus: the models that it is made
// with, or "offline".
func (x *Indexer) mode() string {
	m := x.options.Model
	names := []string{modeOffline}
	if m != nil {
		names[0] = m.Extract.Model()
		for _, chat := range []llm.Chat{m.Summarise, m.Report} {
			if name := chat.Model(); name != names[len(names)-1] {
				names = append(names, name)
			}
		}
	}
	return strings.Join(names, modeSeparator) + x.vectorMode()
}

// vectorMode returns the end of a mode: the embedding model, if there is one.
func (x *Indexer) vectorMode() string {
	if e, ok := x.options.Embedder.(*ModelEmbedder); ok {
		return modeSeparator + e.Model()
	}
	return ""
}

const modeSeparator = ", "

const modeOffline = "offline"

// newExtractor returns the extractor that uses the model, or nil without a model.
func (x *Indexer) newExtractor() *extract.Model {
	m := x.options.Model
	if m == nil {
		return nil
	}
	return &extract.Model{
		Chat: m.Extract, Prompts: m.Prompts, Types: x.options.EntityTypes, Domain: x.domain, Language: x.language,
		Gleanings: m.Gleanings, Gleaning: m.Gleaning, Claims: m.Claims, Format: m.Format, YesNo: m.YesNo,
	}
}

func (x *Indexer) describer() describer {
	d := resolve.Describer{Options: x.options.Resolve, Counter: x.counter}
	if m := x.options.Model; m != nil {
		return &resolve.Model{Describer: d, Chat: m.Summarise, Prompts: m.Prompts, Language: x.language}
	}
	return d
}

// offlineReporter returns the reporter that uses no model.
func (x *Indexer) offlineReporter() reporter {
	return report.Extractive{Options: x.options.Report, Counter: x.counter}
}

func (x *Indexer) reporter() reporter {
	if m := x.options.Model; m != nil {
		return &report.Model{Options: x.options.Report, Counter: x.counter, Chat: m.Report, Prompts: m.Prompts, Language: x.language, Usual: x.usualLanguage}
	}
	return x.offlineReporter()
}

// reporterOf returns who writes the report of a community.
func (r *run) reporterOf(k graph.Community) reporter {
	isSmall := r.leavesOutSmall() && len(k.Members) < smallCommunity
	if isSmall || r.modelReports != nil && !r.modelReports[k.Key] {
		return r.offlineReporter()
	}
	return r.reporter()
}

// leavesOutSmall reports whether small communities get a report without a model.
func (x *Indexer) leavesOutSmall() bool {
	return x.showsOutside() && !x.options.Model.ReportSmall
}

// reportFP covers everything that affects reports. Of MaxReports, ContextTokens and ReportSmall
// only values other than the default are included.
func (x *Indexer) reportFP() string {
	fp := x.reporter().Fingerprint()
	if x.options.Model != nil {
		fp = x.inEdition("report", fp)
	}
	if n := x.options.Report.Limits().ContextTokens; n != (report.Options{}).Limits().ContextTokens {
		fp = graph.Hash(fp, "context", strconv.Itoa(n))
	}
	if m := x.options.Model; m != nil && m.ReportSmall {
		fp = graph.Hash(fp, "small")
	}
	if drift := x.options.Rewrite.Drift; drift > 0 {
		fp = graph.Hash(fp, "drift", strconv.FormatFloat(drift, 'g', -1, 64))
	}
	if m := x.options.Model; m != nil && cmp.Or(m.MaxReports, defaultMaxReports) != defaultMaxReports {
		return graph.Hash(fp, "at most", strconv.Itoa(m.MaxReports))
	}
	return fp
}

const defaultMaxReports = 10_000

// communitiesForModel returns the keys of the communities of a generation whose reports the
// model writes: at most MaxReports, root levels first. Nil means all but small ones.
func (x *Indexer) communitiesForModel(ctx context.Context, generation int64, all []graph.Community) (map[string]bool, error) {
	if x.options.Model == nil {
		return nil, nil
	}
	most := max(0, cmp.Or(x.options.Model.MaxReports, defaultMaxReports))
	if len(all) <= most {
		return nil, nil
	}
	if x.leavesOutSmall() && slices.ContainsFunc(all, func(k graph.Community) bool { return len(k.Members) == 0 }) {
		var err error
		if all, err = x.store.Communities(ctx, x.options.Corpus, generation, true); err != nil {
			return nil, fmt.Errorf("read members of communities: %w", err)
		}
	}
	keys := map[string]bool{}
	for _, k := range all { // sorted by level and ordinal, so larger ones come first
		if len(keys) < most && (!x.leavesOutSmall() || len(k.Members) >= smallCommunity) {
			keys[k.Key] = true
		}
	}
	return keys, nil
}
