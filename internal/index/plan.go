package index

import (
	"cmp"
	"encoding/json"
	"slices"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/stage/extract"
	"github.com/neorag/neorag/internal/stage/resolve"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/text/tokens"
)

// Settings that a corpus keeps: a run that leaves them open takes over the values of the last run.
const (
	domainSetting   = "domain"
	languageSetting = "language"
	editionSetting  = "edition"
)

// NoLanguage is the value of Options.Language that undoes an earlier one.
const NoLanguage = "documents"

// An effective holds the settings that are in force in a run. It is made by plan, and never changed.
type effective struct {
	// Options are the requested ones, except for Domain, EntityTypes, Language and Names, which are never
	// left open, and Embedder (see embedderFor). An empty Language means the language of the documents.
	Options

	counter     *tokens.Counter
	edition     int               // of the prompts and rules
	keepsChunks bool              // unchanged documents keep the chunks of an earlier edition
	folds       bool              // names are folded
	nameRules   resolve.NameRules // by which names are joined and shown
	extractor   *extract.Model    // extracts chunk by chunk; nil without a model: rules count over a whole document
	mode        string            // stored with the corpus: the models that it is made with, or "offline"
	profile     string            // what the vectors of relationships are made of; empty without vectors
	settings    map[string]string // fingerprints of everything that affects the results of stages, by stage

	artifacts []neo4jstore.Artifact    // that the corpus has after the run
	queries   neo4jstore.QuerySettings // how question-answer pairs are made; zero for none
}

// plan returns the settings in force in a run with the requested options over a corpus, which is the
// zero value before the first run.
func plan(requested Options, kept neo4jstore.Corpus) (*effective, error) {
	counter, err := tokens.Get(requested.Chunk.Encoding)
	if err != nil {
		return nil, err
	}
	e := &effective{Options: requested, counter: counter}
	domain, language := DomainOf(kept)
	e.edition = editionFor(requested, kept)
	defaultTypes := e.defaultTypes()
	e.Domain = domainFor(requested, domain, defaultTypes)
	if e.EntityTypes = e.Domain.EntityTypes; e.EntityTypes == nil {
		e.EntityTypes = defaultTypes
	}
	if e.Language = cmp.Or(requested.Language, language); e.Language == NoLanguage {
		e.Language = ""
	}
	e.Names = cmp.Or(requested.Names, NamesOf(kept))
	e.Embedder = embedderFor(requested.Embedder, kept.Embedder)
	older := EditionOf(kept)
	e.keepsChunks = older != nil && older.Edition < editions["chunk"][0] && !requested.Upgrade
	// The entities of editions before the third one were described and reported under separate names.
	e.folds = requested.Model == nil || e.edition >= editions["derive"][0] || e.joinsSimilar() || kept.Settings[foldSetting] != ""
	if !e.isCurrent(5) {
		e.nameRules = resolve.EarlierNameRules
	}
	if e.Model != nil {
		isOlder := e.edition < 5
		e.Report.FewOutside, e.Resolve.KeepsRepeated = isOlder, isOlder
		e.extractor = newExtractor(e)
	}
	e.planArtifacts(kept)
	e.mode = modeOf(e.Options)
	if e.embeds(graph.KindRelationship) {
		e.profile = profile
	}
	e.settings = fingerprints(e)
	return e, nil
}

// domainFor returns the domain of the prompts, without entity types if these are the default ones.
func domainFor(requested Options, kept extract.Domain, defaultTypes []string) *extract.Domain {
	domain := kept
	if requested.Domain != nil {
		domain = *requested.Domain
	}
	switch {
	case requested.EntityTypes != nil:
		domain.EntityTypes = slices.Clone(requested.EntityTypes)
	case len(domain.EntityTypes) == 0:
		domain.EntityTypes = kept.EntityTypes
	}
	if slices.Equal(domain.EntityTypes, defaultTypes) {
		domain.EntityTypes = nil
	}
	return &domain
}

// embedderFor returns the requested embedder. If a corpus does not name the server of its embedding
// model, which has the same name, the corpus is taken to be embedded by this server, and still does
// not name it. If it names one of several servers of the model, it still names that one.
func embedderFor(requested Embedder, kept string) Embedder {
	e, ok := requested.(*ModelEmbedder)
	if !ok {
		return requested
	}
	for _, server := range append([]string{""}, e.More...) {
		if kept == embedderName(e.Model(), server) {
			return &ModelEmbedder{BatchEmbedder: e.BatchEmbedder, Server: server}
		}
	}
	return requested
}

// DomainOf returns what a corpus keeps of its domain, and the language that it was given; empty
// for none.
func DomainOf(c neo4jstore.Corpus) (extract.Domain, string) {
	var domain extract.Domain
	if err := json.Unmarshal([]byte(c.Settings[domainSetting]), &domain); err != nil {
		domain = extract.Domain{} // nothing is stored, or by a later version in another form
	}
	return domain, c.Settings[languageSetting]
}
