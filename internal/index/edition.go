package index

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/stage/extract"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/text"
)

// editions lists for each stage that a model can make the editions in which its prompts or
// rules changed so that results are better, while results of earlier editions may stay. A corpus
// has the edition of the version that made it until a run with Options.Upgrade, so that a new
// version redoes nothing that was paid for.
//
// Edition 2: extraction asks for claims with the entities, and lists what is missing in one call, for
// half the calls. Reports have a number of findings that fits their length, name all members of
// lists and both sides of contradictions, and show relationships to other communities; small
// communities get a report without a model. Summaries name all members of lists.
//
// Edition 3: names that differ in number or hyphens, and abbreviations, denote one entity.
//
// Edition 4: chunks begin and end with sentences, and the texts of several formats are read better.
//
// Edition 5: extraction has types for things, substances, diseases and others, asks for full forms of
// names, and for fewer claims and trifles. The full form of a name is shown, not its abbreviation. Joined
// descriptions repeat no sentence. Reports say one fact a sentence, and nothing twice: those on small
// communities are a summary alone. They show up to 20 relationships to other communities, and how many more
// there are.
var editions = map[string][]int{"chunk": {4}, "extract": {2, 5}, "derive": {3, 5}, "describe": {2, 5}, "report": {2, 5}}

// currentEdition is the edition of a new corpus.
const currentEdition = 5

// editionFor returns the edition that a run makes: the edition of the corpus if a model made it, else
// the current one. Without a model nothing depends on it.
func editionFor(requested Options, kept neo4jstore.Corpus) int {
	made, _, _ := strings.Cut(kept.Mode, modeSeparator)
	switch {
	case requested.Model == nil:
		return storedEdition(kept)
	case made == "" || made == modeOffline || requested.Upgrade:
		return cmp.Or(requested.newEdition, currentEdition)
	}
	return cmp.Or(storedEdition(kept), 1)
}

// storedEdition returns the edition that a corpus notes, 0 for none.
func storedEdition(c neo4jstore.Corpus) int {
	n, err := strconv.Atoi(c.Settings[editionSetting])
	if err != nil {
		return 0
	}
	return n
}

// inEdition adds to the fingerprint of a stage the last edition that changed its results.
func (e *effective) inEdition(stage, fp string) string {
	last := 0
	for _, n := range editions[stage] {
		if n <= e.edition {
			last = n
		}
	}
	if last == 0 {
		return fp
	}
	return graph.Hash(fp, editionSetting, strconv.Itoa(last))
}

// isCurrent reports whether the rules of an edition are in force. Without a model all rules are the current
// ones.
func (e *effective) isCurrent(edition int) bool { return e.Model == nil || e.edition >= edition }

// defaultTypes returns the types of entities of a corpus that was given none.
func (e *effective) defaultTypes() []string {
	if e.Model != nil && e.edition >= 5 {
		return extract.DefaultTypes
	}
	return extract.FirstTypes
}

// showsOutside reports whether the model that writes reports reads relationships to other
// communities.
func (e *effective) showsOutside() bool { return e.Model != nil && e.edition >= 2 }

// Note returns what is of an older edition, and how to regenerate it.
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
	return fmt.Sprintf("%s were made with the prompts and rules of an earlier version (edition %d of %d) and are kept; `neorag index --upgrade` regenerates them, and with --dry-run it shows the cost",
		text.JoinAnd(what), o.Edition, o.Current)
}

// An OlderEdition is the edition of a corpus that an earlier version indexed, while this version has newer prompts or rules.
type OlderEdition struct {
	Edition int      `json:"edition"`
	Current int      `json:"current"`
	Stages  []string `json:"stages"` // that Options.Upgrade regenerates
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
