package index

import (
	"context"
	"encoding/json"
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

// hasOldProfiles reports whether vectors of relationships are made of something else than
// those that would be made now.
func (e *effective) hasOldProfiles(c neo4jstore.Corpus) bool {
	return e.profile != "" && c.Settings[profileSetting] != e.profile
}

// profileTokens is about how many tokens of a relationship are embedded.
const profileTokens = 100

// oldProfilesNote shows what it costs to replace the vectors of relationships, and how.
const oldProfilesNote = "the vectors of %d relationships were made without their keywords, which --method light searches by; `neorag embed` replaces them, about %d tokens"

// ProfilesNote returns what it costs that Embed makes the vectors of relationships of an
// older corpus again, "" if it does not.
func (x *Indexer) ProfilesNote(ctx context.Context) (string, error) {
	r, err := x.plannedRun(ctx, nil)
	if err != nil {
		return "", err
	}
	return oldProfiles(ctx, x.store, r.effective, r.diff.corpus, "the vectors of %d relationships are replaced, with their keywords: about %d tokens")
}

// oldProfiles formats how many relationships have vectors of an older form, and how many
// tokens it takes to replace them; "" if none has.
func oldProfiles(ctx context.Context, store *neo4jstore.Store, e *effective, c neo4jstore.Corpus, format string) (string, error) {
	if !e.hasOldProfiles(c) || c.Embedder != e.Embedder.Fingerprint() {
		return "", nil
	}
	counts, err := store.Counts(ctx, c.Name)
	if err != nil || counts.Relationships == 0 {
		return "", err
	}
	return fmt.Sprintf(format, counts.Relationships, profileTokens*counts.Relationships), nil
}

// fingerprints returns for each stage the fingerprint of everything that affects its
// results. Keys, limits and addresses of chat models are not included.
func fingerprints(e *effective) map[string]string {
	all := map[string]string{
		"extract":      e.Rules.Fingerprint(),
		"derive":       graph.Hash("types", strings.Join(e.EntityTypes, ",")),
		"describe":     graph.Hash(e.Resolve.Fingerprint(), "central"),
		"embed":        e.Embedder.Fingerprint(),
		"cluster":      graph.Hash(community.Fingerprint(e.Community), e.Weight),
		"report":       reportFP(e),
		"label":        graph.Hash(strconv.Itoa(e.Labels.Levels), strconv.Itoa(e.Labels.Max), e.Labels.Prefix),
		foldSetting:    "",
		similarSetting: similarVersion(e),
	}
	if e.Model != nil {
		all["extract"], all["describe"] = e.inEdition("extract", e.extractor.Fingerprint()), e.inEdition("describe", e.describer().Fingerprint())
		if e.edition < editions["extract"][0] {
			all["extract"] = e.extractor.FirstEdition()
		}
	}
	if e.folds {
		all[foldSetting] = e.nameRules.Version()
	}
	maps.Copy(all, e.artifactSettings())
	return all
}

// settingsDiff returns the settings that differ from those stored with the corpus. The
// dimension is the embedder's, if it is known: a model of the same name may
// return vectors of another one.
func (e *effective) settingsDiff(c neo4jstore.Corpus) map[string]string {
	out := map[string]string{}
	for name, fp := range e.settings {
		if c.Settings[name] != fp {
			out[name] = fp
		}
	}
	d := e.Embedder.Dimension()
	other := d > 0 && c.Dimension > 0 && d != c.Dimension
	if other {
		out["embed"] = e.settings["embed"]
	}
	for _, a := range artifacts {
		if e.has(a.name) && !c.Has(a.name) {
			out[a.stage] = e.settings[a.stage]
		}
		if e.has(a.name) && other && a.compares != "" {
			out[a.compares] = e.settings[a.compares]
		}
	}
	return out
}

// changedStored returns the settings that a corpus is to keep from now on and did not before.
func (e *effective) changedStored(c neo4jstore.Corpus) map[string]string {
	kept := map[string]string{domainSetting: "", languageSetting: e.Language, editionSetting: "", resolveSetting: ""}
	if e.joinsSimilar() {
		kept[resolveSetting] = string(NamesSimilar)
	}
	if d := *e.Domain; d.Description != "" || len(d.EntityTypes)+len(d.Examples) > 0 {
		if encoded, err := json.Marshal(d); err == nil { // a domain can be encoded
			kept[domainSetting] = string(encoded)
		}
	}
	if e.edition > 1 {
		kept[editionSetting] = strconv.Itoa(e.edition)
	}
	maps.DeleteFunc(kept, func(name, value string) bool { return c.Settings[name] == value })
	return kept
}

// storeSettings marks all nodes of the stages with changed settings, then stores the
// settings, and those that the corpus keeps. Cluster, label, and the folding and joining of names
// store their settings when they are done, because their unfinished work has no marks.
func (r *run) storeSettings(ctx context.Context, d runDiff) error {
	stored, changed := r.changedStored(d.corpus), d.changedSettings
	for _, stage := range slices.Sorted(maps.Keys(changed)) {
		if stage == "cluster" || stage == "label" || stage == similarSetting || stage == foldSetting && !d.isNew {
			continue
		}
		if !d.isNew && changed[stage] != "" { // a new corpus has nothing to mark, nor has one without pairs
			if _, err := r.writer.MarkAll(ctx, marksOf(stage)); err != nil {
				return fmt.Errorf("mark everything for %s: %w", stage, err)
			}
		}
		stored[stage] = changed[stage]
		if stage == "embed" { // all vectors are redone
			stored[profileSetting] = r.profile
		}
	}
	if len(stored) == 0 {
		return nil
	}
	set := neo4jstore.CorpusSet{Embedder: r.Embedder.Fingerprint(), Mode: r.mode, Dimension: r.Embedder.Dimension()}
	if err := r.writer.SetSettings(ctx, stored, set); err != nil {
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
