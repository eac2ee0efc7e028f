package index

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/stage/report"
)

// reporterOf returns who writes the report of a community.
func (r *run) reporterOf(k graph.Community) reporter {
	isSmall := r.leavesOutSmall() && len(k.Members) < smallCommunity
	if isSmall || r.modelReports != nil && !r.modelReports[k.Key] {
		return r.offlineReporter()
	}
	author := r.reporter()
	if m, ok := author.(*report.Model); ok {
		m.Usual = r.usualLanguage
	}
	return author
}

const defaultMaxReports = 10_000

// communitiesForModel returns the keys of the communities of a generation whose reports the
// model writes: at most MaxReports, root levels first. Nil means all but small ones.
func (r *run) communitiesForModel(ctx context.Context, generation int64, all []graph.Community) (map[string]bool, error) {
	if r.Model == nil {
		return nil, nil
	}
	most := max(0, cmp.Or(r.Model.MaxReports, defaultMaxReports))
	if len(all) <= most {
		return nil, nil
	}
	if r.leavesOutSmall() && slices.ContainsFunc(all, func(k graph.Community) bool { return len(k.Members) == 0 }) {
		var err error
		if all, err = r.store.Communities(ctx, r.Corpus, generation, true); err != nil {
			return nil, fmt.Errorf("read members of communities: %w", err)
		}
	}
	keys := map[string]bool{}
	for _, k := range all { // sorted by level and ordinal, so larger ones come first
		if len(keys) < most && (!r.leavesOutSmall() || len(k.Members) >= smallCommunity) {
			keys[k.Key] = true
		}
	}
	return keys, nil
}
