package neo4jstore

import (
	"context"
	"fmt"

	"github.com/neorag/neorag/cypher"
)

// An indexPlan is what must change so that the wanted indexes exist, and no others of
// vectors: indexes in another form are dropped first, by name.
type indexPlan struct {
	drop   []string
	create []index
	reason string // why the first of them is created or dropped

	unfinished bool // one of them may be in the making by another process
}

func (p indexPlan) isEmpty() bool { return len(p.create)+len(p.drop) == 0 }

// first returns the name of the first index to create or drop.
func (p indexPlan) first() string {
	if len(p.create) > 0 {
		return p.create[0].name
	}
	return p.drop[0]
}

// planIndexes compares the wanted indexes of a corpus, or for "" those that all share,
// with the existing ones. An index in another form is an error if it is not the corpus'
// own: on a label of the user, or shared by all corpora; but not one that the server did
// not complete.
func planIndexes(corpus string, meant []index, shown map[string]index) (indexPlan, error) {
	var plan indexPlan
	for _, m := range meant {
		reason := "another index or constraint has the same labels and properties; drop it"
		if have, found := m.findIn(shown); found {
			difference := m.difference(have)
			switch {
			case difference == "":
				continue
			case m.unfinished(have):
				plan.unfinished = true
			case corpus == "" || !have.belongsTo(corpus):
				what := "INDEX"
				if have.unique {
					what = "CONSTRAINT"
				}
				return indexPlan{}, fmt.Errorf("index %s exists in another form: %s; drop it (DROP %s %s) and run again", m.name, difference, what, have.name)
			}
			reason = difference + "; check the logs of the server"
			plan.drop = append(plan.drop, have.name)
		}
		if len(plan.create) == 0 {
			plan.reason = reason
		}
		plan.create = append(plan.create, m)
	}
	for _, name := range unwantedVectors(corpus, meant, shown) {
		if plan.isEmpty() {
			plan.reason = "it could not be dropped"
		}
		plan.drop = append(plan.drop, name)
	}
	return plan, nil
}

// unwantedVectors returns the names of the vector indexes of a corpus on kinds that have no
// vectors. If no vector index is wanted, the dimension is not known yet, and all stay.
func unwantedVectors(corpus string, meant []index, shown map[string]index) []string {
	wanted := map[string]bool{}
	for _, m := range meant {
		if m.kind == vectorIndex {
			wanted[m.name] = true
		}
	}
	var names []string
	for _, x := range corpusIndexes(corpus, Vectors{Dimension: 1, Artifacts: []Artifact{ArtifactQueries, ArtifactSentences}}) {
		have, found := shown[x.name]
		if found && len(wanted) > 0 && x.kind == vectorIndex && have.belongsTo(corpus) && !wanted[x.name] {
			names = append(names, x.name)
		}
	}
	return names
}

// populating returns an index that is not populated yet, of the wanted ones.
func populating(meant []index, shown map[string]index) (index, bool) {
	for _, m := range meant {
		if have, found := m.findIn(shown); found && have.state == statePopulating {
			return have, true
		}
	}
	return index{}, false
}

// dropping returns the body of a transaction that drops indexes. They are dropped in one
// transaction, because the server replans all statements whenever indexes change.
func dropping(ctx context.Context, names []string) func(tx *transaction) error {
	return func(tx *transaction) error {
		for _, name := range names {
			if err := tx.each(ctx, cypher.SchemaDropIndex, "", map[string]any{"name": name}, nil); err != nil {
				return fmt.Errorf("index %s: %w", name, err)
			}
		}
		return nil
	}
}

// creating returns the body of a transaction that creates indexes.
func creating(ctx context.Context, corpus string, missing []index) func(tx *transaction) error {
	return func(tx *transaction) error {
		for _, x := range missing {
			if err := tx.each(ctx, x.create, corpus, x.params, nil); err != nil {
				return fmt.Errorf("index %s: %w", x.name, err)
			}
		}
		return nil
	}
}
