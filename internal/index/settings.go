package index

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/neorag/neorag/internal/community"
	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/neo4jstore"
)

// settings are the fingerprints of everything that changes what a stage makes.
// Addresses, keys and limits are no part of them.
func (x *Indexer) settings() map[string]string {
	return map[string]string{
		"extract":  x.extractFP,
		"derive":   graph.Hash("types", strings.Join(x.options.EntityTypes, ",")),
		"describe": x.describeFP,
		"embed":    x.options.Embedder.Fingerprint(),
		"cluster":  graph.Hash(community.Fingerprint(x.options.Community), x.options.Weight),
		"report":   x.reportFP(),
		"label":    graph.Hash(strconv.Itoa(x.options.Labels.Levels), strconv.Itoa(x.options.Labels.Max), x.options.Labels.Prefix),
	}
}

// settingsDiff are the settings that differ from those noted on the corpus.
func (x *Indexer) settingsDiff(c neo4jstore.Corpus) map[string]string {
	out := map[string]string{}
	for stage, fp := range x.settings() {
		if c.Settings[stage] != fp {
			out[stage] = fp
		}
	}
	return out
}

// noteSettings marks what changed settings make doubtful, then notes them.
// The settings of cluster and label are noted by those stages when they are
// done, since no mark holds what they leave undone.
func (r *run) noteSettings(ctx context.Context, changed map[string]string, fresh bool) error {
	noted := map[string]string{}
	for _, stage := range slices.Sorted(maps.Keys(changed)) {
		if stage == "cluster" || stage == "label" {
			continue
		}
		if !fresh { // else there is nothing to mark
			if _, err := r.writer.MarkAll(ctx, stage); err != nil {
				return fmt.Errorf("mark everything for %s: %w", stage, err)
			}
		}
		noted[stage] = changed[stage]
	}
	if len(noted) == 0 {
		return nil
	}
	set := neo4jstore.CorpusSet{Embedder: r.options.Embedder.Fingerprint(), Mode: r.mode(), Dimension: r.options.Embedder.Dimension()}
	if err := r.writer.SetSettings(ctx, noted, set); err != nil {
		return fmt.Errorf("note settings: %w", err)
	}
	return nil
}
