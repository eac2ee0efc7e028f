package index

import (
	"context"
	"slices"

	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/stage/extract"
	"github.com/neorag/neorag/internal/stage/querygen"
	"github.com/neorag/neorag/internal/stage/report"
	"github.com/neorag/neorag/internal/stage/resolve"
)

// A stageSpec describes a stage of a run.
type stageSpec struct {
	name  string
	after []string // stages that must end before it begins
	task  string   // under which the calls of models are counted; empty for a stage without calls
	left  string   // what its marks count, for messages; empty for a stage without marks
	run   func(*run, context.Context, *stage) error
}

// stageSpecs are the stages of a run, in their order. Each finds its own work by marks, so that the
// stages after an interrupted one continue where it stopped. Stages that run concurrently never write
// a node whose mark another one is about to clear: embed waits for describe before it embeds
// descriptions. All vectors count for embed, including those of reports.
var stageSpecs = []stageSpec{
	{"chunk", nil, "", "", (*run).documents},
	{"extract", []string{"chunk"}, extract.TaskExtract, "chunks to extract", (*run).extract},
	{"derive", []string{"extract"}, resolve.TaskNames, "nodes to derive", (*run).derive},
	{"describe", []string{"derive"}, resolve.TaskSummarise, "nodes to describe", (*run).describe},
	{"sentences", []string{"derive"}, "", "chunks to make sentences of", (*run).makeSentences},
	{"synonyms", []string{"derive"}, "", "entities to find synonyms of", (*run).findSynonyms},
	{"embed", nil, llm.TaskEmbed, "texts to embed", (*run).embed},
	{"documents", []string{"embed"}, "", "documents to find similar ones of", (*run).linkDocuments},
	{"cluster", []string{"derive"}, "", "", (*run).cluster},
	{"report", []string{"describe", "cluster"}, report.TaskReport, "communities to report", (*run).report},
	{"label", []string{"report"}, "", "", (*run).label},
	{"queries", []string{"embed"}, querygen.TaskQueries, "chunks to make pairs of", (*run).makeQueries},
	{"link", []string{"queries"}, "", "pairs to link", (*run).link},
}

// Stages are the names of the stages of a run, in their order.
var Stages = stageNames(stageSpecs)

func stageNames(specs []stageSpec) []string {
	names := make([]string, len(specs))
	for i, s := range specs {
		names[i] = s.name
	}
	return names
}

// specOf returns the stage with a name.
func specOf(name string) stageSpec {
	return stageSpecs[slices.IndexFunc(stageSpecs, func(s stageSpec) bool { return s.name == name })]
}
