package index

import (
	"context"
	"errors"
	"fmt"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/stage/resolve"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// ErrNoName means that no entity has a name.
var ErrNoName = errors.New("no entity has this name")

// MergeNames records that two names denote the same entity, and updates the graph as far as
// that takes no model. applied reports whether it did; else the next run does.
func (x *Indexer) MergeNames(ctx context.Context, a, b string) (applied bool, err error) {
	return x.decideNames(ctx, []string{a, b}, func(d graph.NameDecisions) graph.NameDecisions {
		return d.Merge(resolve.Normalise(a), resolve.Normalise(b))
	})
}

// SplitName undoes what MergeNames recorded about a name. If it recorded nothing, or the model
// joined the name, from now on it denotes a separate entity, whatever rules and models say.
// applied is as in MergeNames.
func (x *Indexer) SplitName(ctx context.Context, name string) (applied bool, err error) {
	return x.decideNames(ctx, []string{name}, func(d graph.NameDecisions) graph.NameDecisions {
		return d.Unmerge(resolve.Normalise(name))
	})
}

// decideNames records a decision about names, and marks the entities that have them.
func (x *Indexer) decideNames(ctx context.Context, names []string, decide func(graph.NameDecisions) graph.NameDecisions) (applied bool, err error) {
	out := newOutcome(x.requested)
	err = x.withWriter(ctx, func(ctx context.Context, writer *neo4jstore.Writer, _ bool) error {
		out.writer = writer
		r, err := x.plannedRun(ctx, out)
		if err != nil {
			return err
		}
		c := r.diff.corpus
		keys, err := x.entitiesNamed(ctx, names)
		if err != nil {
			return err
		}
		if c.Decisions.Asked, err = x.store.NamePairs(ctx, x.requested.Corpus); err != nil {
			return err
		}
		if err := writer.SetNameDecisions(ctx, decide(c.Decisions), keys); err != nil {
			return fmt.Errorf("record the decision about %q: %w", names, err)
		}
		if applied = r.makesAgain(); !applied {
			return nil
		}
		if err := r.schedule(ctx, stageSpecs[1:]); err != nil {
			return err
		}
		return r.recordRun(ctx)
	})
	out.finish()
	return applied, err
}

// entitiesNamed returns the keys of the entities that have any of some names, each of which some
// entity has.
func (x *Indexer) entitiesNamed(ctx context.Context, names []string) ([]string, error) {
	wanted, found := map[string]bool{}, map[string]bool{}
	for _, n := range names {
		wanted[resolve.Normalise(n)] = true
	}
	var keys []string
	err := x.store.EntityAliases(ctx, x.requested.Corpus, func(e neo4jstore.AliasedEntity) {
		has := false
		for _, n := range namesOf(e) {
			if wanted[n] {
				has, found[n] = true, true
			}
		}
		if has {
			keys = append(keys, e.Key)
		}
	})
	if err != nil {
		return nil, err
	}
	for _, n := range names {
		if !found[resolve.Normalise(n)] {
			return nil, fmt.Errorf("%q: %w", n, ErrNoName)
		}
	}
	return keys, nil
}
