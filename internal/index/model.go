package index

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/neorag/neorag/internal/extract"
	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/report"
	"github.com/neorag/neorag/internal/resolve"
	"github.com/neorag/neorag/prompts"
)

// A Model is the chat models that a corpus is made with, one for each task, and
// how they are asked.
type Model struct {
	Extract, Summarise, Report llm.Chat
	Prompts                    prompts.Set
	Examples                   string
	Gleanings                  int // 0 means one, negative none
	WithoutClaims              bool
	Format                     extract.Format
	YesNo                      map[string]int64 // tokens of YES and NO, where they are known
	// MaxReports bounds the reports that the model writes, root levels first; 0
	// means 10,000, negative none. The others are made without a model.
	MaxReports int
}

// defaultConcurrency is how many calls run at once with a model.
const defaultConcurrency = 16

// mode is what the corpus notes of how it is made.
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

// vectorMode is the end of a mode: the embedding model, if there is one.
func (x *Indexer) vectorMode() string {
	if e, ok := x.options.Embedder.(*ModelEmbedder); ok {
		return modeSeparator + e.Model()
	}
	return ""
}

const modeSeparator = ", "

const modeOffline = "offline"

// newExtractor gives the model's extractor; nil without a model.
func newExtractor(o Options) *extract.Model {
	m := o.Model
	if m == nil {
		return nil
	}
	return &extract.Model{
		Chat: m.Extract, Prompts: m.Prompts, Types: o.EntityTypes, Examples: m.Examples,
		Gleanings: m.Gleanings, WithoutClaims: m.WithoutClaims, Format: m.Format, YesNo: m.YesNo,
	}
}

func (x *Indexer) describer() describer {
	d := resolve.Describer{Options: x.options.Resolve, Counter: x.counter}
	if m := x.options.Model; m != nil {
		return &resolve.Model{Describer: d, Chat: m.Summarise, Prompts: m.Prompts}
	}
	return d
}

// offlineReporter writes reports without a model.
func (x *Indexer) offlineReporter() reporter {
	return report.Extractive{Options: x.options.Report, Counter: x.counter}
}

func (x *Indexer) reporter() reporter {
	if m := x.options.Model; m != nil {
		return &report.Model{Options: x.options.Report, Counter: x.counter, Chat: m.Report, Prompts: m.Prompts}
	}
	return x.offlineReporter()
}

// reportFP covers all that changes reports. The bound on those that the model
// writes is no part of it while it is the usual one.
func (x *Indexer) reportFP() string {
	fp := x.reporter().Fingerprint()
	if m := x.options.Model; m != nil && cmp.Or(m.MaxReports, defaultMaxReports) != defaultMaxReports {
		return graph.Hash(fp, "at most", strconv.Itoa(m.MaxReports))
	}
	return fp
}

const defaultMaxReports = 10_000

// communitiesForModel tells which communities the model writes on: as many as it may, root
// levels first. Nil stands for all.
func (x *Indexer) communitiesForModel(all []graph.Community) map[string]bool {
	if x.options.Model == nil {
		return nil
	}
	most := max(0, cmp.Or(x.options.Model.MaxReports, defaultMaxReports))
	if len(all) <= most {
		return nil
	}
	keys := map[string]bool{}
	for _, k := range all[:most] { // by level and ordinal: larger ones come first
		keys[k.Key] = true
	}
	return keys
}
