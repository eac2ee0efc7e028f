package index

import (
	"context"
	"slices"

	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/stage/extract"
	"github.com/neorag/neorag/internal/stage/querygen"
	"github.com/neorag/neorag/internal/stage/report"
	"github.com/neorag/neorag/internal/stage/resolve"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// A stageSpec describes a stage of a run.
type stageSpec struct {
	name  string
	after []string // stages that must end before it begins
	task  string   // under which the calls of models are counted; empty for a stage without calls
	left  string   // what its marks count, for messages; empty for a stage without marks
	run   func(context.Context, *stage) error
	// artifact is what the stage makes; a corpus without it has nothing to do. Empty: all corpora need the stage.
	artifact neo4jstore.Artifact
}

// stageSpecs are the stages of a run, in their order. Each finds its own work by marks, so that the
// stages after an interrupted one continue where it stopped. Stages that run concurrently never write
// a node whose mark another one is about to clear: embed waits for describe before it embeds
// descriptions. All vectors count for embed, including the vectors of reports.
var stageSpecs = []stageSpec{
	{"chunk", nil, "", "", func(ctx context.Context, s *stage) error { return (&documentWriter{stage: s}).run(ctx) }, ""},
	{"extract", []string{"chunk"}, extract.TaskExtract, "chunks to extract", func(ctx context.Context, s *stage) error { return (&extraction{stage: s}).run(ctx) }, ""},
	{"derive", []string{"extract"}, resolve.TaskNames, "nodes to derive", func(ctx context.Context, s *stage) error { return (&derivation{stage: s}).run(ctx) }, ""},
	{"describe", []string{"derive"}, resolve.TaskSummarise, "nodes to describe", func(ctx context.Context, s *stage) error { return (&description{stage: s}).run(ctx) }, ""},
	{"sentences", []string{"derive"}, "", "chunks to make sentences of", func(ctx context.Context, s *stage) error { return (&sentenceMaker{stage: s}).run(ctx) }, neo4jstore.ArtifactSentences},
	{"synonyms", []string{"derive"}, "", "entities to find synonyms of", func(ctx context.Context, s *stage) error { return (&synonymFinder{stage: s}).run(ctx) }, neo4jstore.ArtifactSynonyms},
	{"embed", nil, llm.TaskEmbed, "texts to embed", func(ctx context.Context, s *stage) error { return (&embedding{stage: s}).run(ctx) }, ""},
	{"documents", []string{"embed"}, "", "documents to find similar ones of", func(ctx context.Context, s *stage) error { return (&documentLinker{stage: s}).run(ctx) }, neo4jstore.ArtifactDocumentLinks},
	{"cluster", []string{"derive"}, "", "", func(ctx context.Context, s *stage) error { return (&clustering{stage: s}).run(ctx) }, ""},
	{"report", []string{"describe", "cluster"}, report.TaskReport, "communities to report", func(ctx context.Context, s *stage) error { return (&reporting{stage: s}).run(ctx) }, ""},
	{"label", []string{"report"}, "", "", func(ctx context.Context, s *stage) error { return (&labelling{stage: s}).run(ctx) }, ""},
	{"queries", []string{"embed"}, querygen.TaskQueries, "chunks to make pairs of", func(ctx context.Context, s *stage) error { return (&pairMaking{stage: s}).run(ctx) }, neo4jstore.ArtifactQueries},
	{"link", []string{"queries"}, "", "pairs to link", func(ctx context.Context, s *stage) error { return (&pairLinker{stage: s}).run(ctx) }, neo4jstore.ArtifactQueries},
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
