package index

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/stage/community"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// A corpus notes what the vectors of its relationships are made of. It is not one of the
// settings that a run compares: a change of it must not make an index run pay for vectors.
const (
	profileSetting = "profile"
	profile        = "keywords, ends, description"
)

// profile returns what the vectors of relationships are made of, "" if there are none.
func (x *Indexer) profile() string {
	if x.embeds(graph.KindRelationship) {
		return profile
	}
	return ""
}

// hasOldProfiles reports whether vectors of relationships are made of something else than
// those that would be made now.
func (x *Indexer) hasOldProfiles(c neo4jstore.Corpus) bool {
	return x.profile() != "" && c.Settings[profileSetting] != x.profile()
}

// profileTokens is about how many tokens of a relationship are embedded.
const profileTokens = 100

// oldProfilesNote returns what it costs to make the vectors of relationships again, and
// how, "" if there is no reason to.
func (x *Indexer) oldProfilesNote(ctx context.Context, c neo4jstore.Corpus) (string, error) {
	return x.oldProfiles(ctx, c, "the vectors of %d relationships were made without their keywords, which --method light searches by; `neorag embed` makes them again, about %d tokens")
}

// ProfilesNote returns what it costs that Embed makes the vectors of relationships of an
// older corpus again, "" if it does not.
func (x *Indexer) ProfilesNote(ctx context.Context) (string, error) {
	c, err := x.store.Corpus(ctx, x.options.Corpus)
	if err != nil {
		return "", err
	}
	x.keepEmbedder(c)
	return x.oldProfiles(ctx, c, "the vectors of %d relationships are made again, with their keywords: about %d tokens")
}

// oldProfiles formats how many relationships have vectors of an older form, and how many
// tokens it takes to make them again; "" if none has.
func (x *Indexer) oldProfiles(ctx context.Context, c neo4jstore.Corpus, format string) (string, error) {
	if !x.hasOldProfiles(c) || c.Embedder != x.options.Embedder.Fingerprint() {
		return "", nil
	}
	counts, err := x.store.Counts(ctx, c.Name)
	if err != nil || counts.Relationships == 0 {
		return "", err
	}
	return fmt.Sprintf(format, counts.Relationships, profileTokens*counts.Relationships), nil
}

// settings returns for each stage the fingerprint of everything that affects its
// results. Keys, limits and addresses of chat models are not included.
func (x *Indexer) settings() map[string]string {
	all := map[string]string{
		"extract":  x.extractFP,
		"derive":   graph.Hash("types", strings.Join(x.options.EntityTypes, ",")),
		"describe": x.describeFP,
		"embed":    x.options.Embedder.Fingerprint(),
		"cluster":  graph.Hash(community.Fingerprint(x.options.Community), x.options.Weight),
		"report":   x.reportFP(),
		"label":    graph.Hash(strconv.Itoa(x.options.Labels.Levels), strconv.Itoa(x.options.Labels.Max), x.options.Labels.Prefix),
	}
	all[foldSetting], all[similarSetting] = x.foldFP(), x.similarFP()
	maps.Copy(all, x.querySettings())
	all["sentences"], all["synonyms"], all["documents"] = x.sentencesFP(), x.synonymsFP(), x.documentLinksFP()
	return all
}

// settingsDiff returns the settings that differ from those stored with the corpus. The
// dimension is one of those of the embedder, if it is known: a model of the same name may
// return vectors of another one.
func (x *Indexer) settingsDiff(c neo4jstore.Corpus) map[string]string {
	out := map[string]string{}
	for stage, fp := range x.settings() {
		if c.Settings[stage] != fp {
			out[stage] = fp
		}
	}
	if x.sentences && !c.Sentences {
		out["sentences"] = x.sentencesFP()
	}
	d := x.options.Embedder.Dimension()
	other := d > 0 && c.Dimension > 0 && d != c.Dimension
	if other {
		out["embed"] = x.options.Embedder.Fingerprint()
	}
	if x.synonyms && (other || !c.Synonyms) {
		out["synonyms"] = x.synonymsFP()
	}
	if x.documentLinks && (other || !c.DocumentLinks) {
		out["documents"] = x.documentLinksFP()
	}
	return out
}

// noteSettings marks all nodes of the stages with changed settings, then stores the
// settings, and those that the corpus keeps. Those of cluster, label, and the folding and joining
// of names are stored by these when they are done, because their unfinished work has no marks.
func (r *run) noteSettings(ctx context.Context, d runDiff) error {
	noted, changed := r.changedKept(d.corpus), d.changedSettings
	for _, stage := range slices.Sorted(maps.Keys(changed)) {
		if stage == "cluster" || stage == "label" || stage == similarSetting || stage == foldSetting && !d.isNew {
			continue
		}
		if !d.isNew && changed[stage] != "" { // a new corpus has nothing to mark, nor has one without pairs
			if _, err := r.writer.MarkAll(ctx, marksOf(stage)); err != nil {
				return fmt.Errorf("mark everything for %s: %w", stage, err)
			}
		}
		noted[stage] = changed[stage]
		if stage == "embed" { // all vectors are made again
			noted[profileSetting] = r.profile()
		}
	}
	if len(noted) == 0 {
		return nil
	}
	set := neo4jstore.CorpusSet{Embedder: r.options.Embedder.Fingerprint(), Mode: r.mode(), Dimension: r.options.Embedder.Dimension()}
	if err := r.writer.SetSettings(ctx, noted, set); err != nil {
		return fmt.Errorf("store settings: %w", err)
	}
	return nil
}

// marksOf returns the stage whose marks redo what a setting affects.
func marksOf(setting string) string {
	if setting == "pairs" {
		return "queries"
	}
	return setting
}
