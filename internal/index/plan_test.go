package index

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/stage/extract"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// A namedChat is a model that is not called.
type namedChat struct{}

func (namedChat) Model() string { return "gpt" }

func (namedChat) Chat(context.Context, llm.Request) (llm.Response, error) { panic("called") }

// A planned is what the cases of TestPlan compare.
type planned struct {
	Types, Description, Language, Names string
	Edition                             int
	KeepsChunks, Folds                  bool
	NameRules                           string
	Artifacts                           string
	Queries                             neo4jstore.QuerySettings
}

// TestPlan checks what is in force for what was requested and what a corpus keeps.
func TestPlan(t *testing.T) {
	t.Parallel()
	model := &Model{Extract: namedChat{}, Summarise: namedChat{}, Report: namedChat{}}
	plain := planned{Types: strings.Join(extract.FirstTypes, ","), Names: "exact", Folds: true, NameRules: "fold-3"}
	current := plain
	current.Types, current.Edition = strings.Join(extract.DefaultTypes, ","), currentEdition
	news := neo4jstore.QuerySettings{Count: 20, Alpha: .8, Neighbours: 3, Preset: "news"}
	measured := neo4jstore.QuerySettings{Count: 4, Alpha: .5, Neighbours: 7, Preset: "news", Unrelated: .1, Near: .7}
	keeps := func(pairs ...string) neo4jstore.Corpus {
		c := neo4jstore.Corpus{Settings: map[string]string{}, Mode: modeOffline}
		for i := 0; i < len(pairs); i += 2 {
			c.Settings[pairs[i]] = pairs[i+1]
		}
		if c.Settings[editionSetting] != "" {
			c.Mode = namedChat{}.Model()
		}
		return c
	}
	with := func(p planned, change func(*planned)) planned {
		change(&p)
		return p
	}
	for _, tc := range []struct {
		name      string
		requested Options
		kept      neo4jstore.Corpus
		want      planned
	}{
		{"a new corpus", Options{}, neo4jstore.Corpus{}, plain},
		{"a new corpus of a model", Options{Model: model}, neo4jstore.Corpus{}, current},
		{
			"what the corpus keeps",
			Options{},
			keeps("domain", `{"description": "Letters.", "entity_types": ["ship"]}`, "language", "German", "resolve", "similar", "edition", "4"),
			planned{Types: "ship", Description: "Letters.", Language: "German", Names: "similar", Edition: 4, Folds: true, NameRules: "fold-3"},
		},
		{
			"what was requested",
			Options{EntityTypes: []string{"person"}, Language: NoLanguage, Names: NamesExact},
			keeps("domain", `{"description": "Letters.", "entity_types": ["ship"]}`, "language", "German", "resolve", "similar"),
			planned{Types: "person", Description: "Letters.", Names: "exact", Folds: true, NameRules: "fold-3"},
		},
		{
			"another domain keeps the types",
			Options{Domain: &extract.Domain{Description: "Mail."}},
			keeps("domain", `{"description": "Letters.", "entity_types": ["ship"]}`),
			planned{Types: "ship", Description: "Mail.", Names: "exact", Folds: true, NameRules: "fold-3"},
		},
		{"the default types", Options{EntityTypes: extract.FirstTypes}, keeps("domain", `{"entity_types": ["ship"]}`), plain},
		{"an older edition", Options{Model: model}, keeps("edition", "2"), with(plain, func(p *planned) { p.Edition, p.KeepsChunks, p.Folds, p.NameRules = 2, true, false, "fold-2" })},
		{"an older edition whose names were folded", Options{Model: model}, keeps("edition", "2", "fold", "1"), with(plain, func(p *planned) { p.Edition, p.KeepsChunks, p.NameRules = 2, true, "fold-2" })},
		{"an edition with other types and names", Options{Model: model}, keeps("edition", "4"), with(plain, func(p *planned) { p.Edition, p.NameRules = 4, "fold-2" })},
		{
			"the current default types in an older edition",
			Options{Model: model, EntityTypes: extract.DefaultTypes},
			keeps("edition", "4"),
			with(plain, func(p *planned) { p.Edition, p.NameRules, p.Types = 4, "fold-2", current.Types }),
		},
		{"an upgrade keeps types", Options{Model: model, Upgrade: true}, keeps("edition", "4", "domain", `{"entity_types": ["ship"]}`), with(current, func(p *planned) { p.Types = "ship" })},
		{"an upgrade", Options{Model: model, Upgrade: true}, keeps("edition", "2"), current},
		{"artifacts that are asked for", Options{With: []string{"documents", "queries"}}, neo4jstore.Corpus{}, with(plain, func(p *planned) { p.Artifacts, p.Queries = "document-links queries", news })},
		{"artifacts that the corpus has", Options{}, neo4jstore.Corpus{Artifacts: []neo4jstore.Artifact{"queries", "synonyms"}, Queries: measured}, with(plain, func(p *planned) { p.Artifacts, p.Queries = "synonyms queries", measured })},
		{"artifacts that are dropped", Options{Without: []string{"queries", "reports"}}, neo4jstore.Corpus{Artifacts: []neo4jstore.Artifact{"queries", "synonyms"}, Queries: measured}, with(plain, func(p *planned) { p.Artifacts = "synonyms" })},
		{"another preset has its own neighbours", Options{Queries: Queries{Preset: "dialogue"}}, neo4jstore.Corpus{Artifacts: []neo4jstore.Artifact{"queries"}, Queries: measured}, with(plain, func(p *planned) {
			p.Artifacts, p.Queries = "queries", measured
			p.Queries.Preset, p.Queries.Neighbours = "dialogue", 2
		})},
		{"without a model again", Options{}, keeps("edition", "2"), with(plain, func(p *planned) { p.Edition, p.KeepsChunks = 2, true })},
	} {
		e, err := plan(tc.requested.withDefaults(), tc.kept)
		if err != nil {
			t.Fatalf("%s: %v", tc.name, err)
		}
		got := planned{
			Types: strings.Join(e.EntityTypes, ","), Description: e.Domain.Description, Language: e.Language, Names: string(e.Names),
			Edition: e.edition, KeepsChunks: e.keepsChunks, Folds: e.folds, NameRules: e.nameRules.Version(), Queries: e.queries,
			Artifacts: strings.Trim(fmt.Sprint(e.artifacts), "[]"),
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.name, diff)
		}
	}
	_, _ = news, measured
}

// A wide embedder has vectors of a dimension.
type wide struct {
	hashed
	dimension int
}

func (w wide) Dimension() int { return w.dimension }

// TestEmbedCalls checks that the vectors of concurrent calls have at most embedBytes, whatever their dimension is.
func TestEmbedCalls(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ concurrency, dimension, want int }{
		{4, 384, 4}, {512, 384, 170}, {512, 1536, 42}, {512, 4096, 16}, {512, 1 << 20, 1}, {512, 0, 512},
	} {
		e := effective{Options: Options{Concurrency: tt.concurrency, Embedder: wide{dimension: tt.dimension}}}
		if got := e.embedCalls(); got != tt.want {
			t.Errorf("%d concurrent calls of %d dimensions: %d, want %d", tt.concurrency, tt.dimension, got, tt.want)
		}
	}
}
