package index

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/stage/extract"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/text"
)

// Settings that a corpus keeps: a run that names none takes over those of the run before.
const (
	domainSetting   = "domain"
	languageSetting = "language"
	editionSetting  = "edition"
)

// NoLanguage is the value of Options.Language that undoes an earlier one.
const NoLanguage = "documents"

// editions lists for each stage that a model can make the editions in which its prompts or
// rules changed so that results are better, while those of earlier editions may stay. A corpus
// has the edition of the version that made it until a run with Options.Upgrade, so that a new
// version redoes nothing that was paid for.
//
// Edition 2: extraction asks for claims with the entities, and lists what is missing in one call, for
// half the calls. Reports have a number of findings that fits their length, name all members of
// lists and both sides of contradictions, and show relationships to other communities; small
// communities get a report without a model. Summaries name all members of lists.
//
// Edition 3: names that differ in number or hyphens, and abbreviations, are those of one entity.
//
// Edition 4: chunks begin and end with sentences, and the texts of several formats are read better.
var editions = map[string][]int{"chunk": {4}, "extract": {2}, "derive": {3}, "describe": {2}, "report": {2}}

// currentEdition is the edition of a new corpus.
const currentEdition = 4

// keepSettings sets what the options leave open to what the corpus has, and computes the
// fingerprints that depend on it.
func (x *Indexer) keepSettings(c neo4jstore.Corpus) {
	o := x.given
	stored, language := DomainOf(c)
	domain := stored
	if o.Domain != nil {
		domain = *o.Domain
	}
	switch {
	case o.EntityTypes != nil:
		domain.EntityTypes = slices.Clone(o.EntityTypes)
	case len(domain.EntityTypes) == 0:
		domain.EntityTypes = stored.EntityTypes
	}
	if slices.Equal(domain.EntityTypes, DefaultEntityTypes) {
		domain.EntityTypes = nil
	}
	x.domain = domain
	x.options.EntityTypes = domain.EntityTypes
	if domain.EntityTypes == nil {
		x.options.EntityTypes = DefaultEntityTypes
	}
	if x.language = cmp.Or(o.Language, language); x.language == NoLanguage {
		x.language = ""
	}
	x.similar = cmp.Or(o.Names, NamesOf(c)) == NamesSimilar
	x.folded = c.Settings[foldSetting] != ""
	x.edition = x.editionOf(c)
	older := EditionOf(c)
	x.keepsChunks = older != nil && older.Edition < editions["chunk"][0] && !o.Upgrade
	x.setFingerprints()
}

// editionOf returns the edition that a run makes: that of the corpus if a model made it, else
// the current one. Without a model nothing depends on it.
func (x *Indexer) editionOf(c neo4jstore.Corpus) int {
	made, _, _ := strings.Cut(c.Mode, modeSeparator)
	switch {
	case x.options.Model == nil:
		return storedEdition(c)
	case made == "" || made == modeOffline || x.options.Upgrade:
		return x.newest
	}
	return cmp.Or(storedEdition(c), 1)
}

// storedEdition returns the edition that a corpus notes, 0 for none.
func storedEdition(c neo4jstore.Corpus) int {
	n, err := strconv.Atoi(c.Settings[editionSetting])
	if err != nil {
		return 0
	}
	return n
}

// setFingerprints computes the fingerprints of extraction and descriptions.
func (x *Indexer) setFingerprints() {
	x.modelExtractor = x.newExtractor()
	x.extractFP, x.describeFP = x.options.Rules.Fingerprint(), graph.Hash(x.options.Resolve.Fingerprint(), "central")
	if x.options.Model != nil {
		if x.edition < editions["extract"][0] {
			x.extractFP = x.modelExtractor.FirstEdition()
		} else {
			x.extractFP = x.inEdition("extract", x.modelExtractor.Fingerprint())
		}
		x.describeFP = x.inEdition("describe", x.describer().Fingerprint())
	}
}

// inEdition adds to the fingerprint of a stage the last edition that changed its results.
func (x *Indexer) inEdition(stage, fp string) string {
	last := 0
	for _, e := range editions[stage] {
		if e <= x.edition {
			last = e
		}
	}
	if last == 0 {
		return fp
	}
	return graph.Hash(fp, editionSetting, strconv.Itoa(last))
}

// showsOutside reports whether the model that writes reports reads relationships to other
// communities.
func (x *Indexer) showsOutside() bool { return x.options.Model != nil && x.edition >= 2 }

// keptSettings returns what the corpus keeps.
func (x *Indexer) keptSettings() map[string]string {
	kept := map[string]string{domainSetting: "", languageSetting: x.language, editionSetting: "", resolveSetting: ""}
	if x.similar {
		kept[resolveSetting] = string(NamesSimilar)
	}
	if d := x.domain; d.Description != "" || len(d.EntityTypes)+len(d.Examples) > 0 {
		if encoded, err := json.Marshal(d); err == nil { // a domain can be encoded
			kept[domainSetting] = string(encoded)
		}
	}
	if x.edition > 1 {
		kept[editionSetting] = strconv.Itoa(x.edition)
	}
	return kept
}

// changedKept returns what a corpus is to keep from now on and did not before.
func (x *Indexer) changedKept(c neo4jstore.Corpus) map[string]string {
	kept := x.keptSettings()
	maps.DeleteFunc(kept, func(name, value string) bool { return c.Settings[name] == value })
	return kept
}

// Note returns what is of an older edition, and how to make it again.
func (o *OlderEdition) Note(c neo4jstore.Counts) string {
	count := map[string]string{
		"chunk":    fmt.Sprintf("the chunks of %d documents", c.Documents),
		"extract":  fmt.Sprintf("the records of %d chunks", c.Chunks),
		"derive":   fmt.Sprintf("the names of %d entities", c.Entities),
		"describe": fmt.Sprintf("the descriptions of %d entities and relationships", c.Entities+c.Relationships),
		"report":   fmt.Sprintf("%d reports", c.Reports),
	}
	what := make([]string, len(o.Stages))
	for i, stage := range o.Stages {
		what[i] = count[stage]
	}
	return fmt.Sprintf("%s were made with the prompts and rules of an earlier version (edition %d of %d) and stay as they are; `neorag index --upgrade` makes them again, and with --dry-run it shows the cost",
		text.JoinAnd(what), o.Edition, o.Current)
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

// An OlderEdition is that of a corpus whose prompts and rules are not those of this version.
type OlderEdition struct {
	Edition int      `json:"edition"`
	Current int      `json:"current"`
	Stages  []string `json:"stages"` // that `neorag index --upgrade` makes again
}

// EditionOf returns the edition of a corpus that a model made if it is an older one, else nil.
func EditionOf(c neo4jstore.Corpus) *OlderEdition {
	made, _, _ := strings.Cut(c.Mode, modeSeparator)
	have := cmp.Or(storedEdition(c), 1)
	if made == "" || made == modeOffline || have >= currentEdition {
		return nil
	}
	out := &OlderEdition{Edition: have, Current: currentEdition}
	for stage, changes := range editions {
		if slices.ContainsFunc(changes, func(e int) bool { return e > have }) {
			out.Stages = append(out.Stages, stage)
		}
	}
	slices.Sort(out.Stages)
	return out
}
