package neo4jstore

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/graph"
)

// existing returns the indexes of a corpus as the server shows them.
func existing(corpus string, dimension int) map[string]index {
	shown := map[string]index{}
	for _, x := range corpusIndexes(corpus, Vectors{Dimension: dimension}) {
		x.state = "ONLINE"
		shown[x.name] = x
	}
	return shown
}

func TestPlanIndexes(t *testing.T) {
	t.Parallel()
	meant, shown := corpusIndexes("news", Vectors{Dimension: 8}), existing("news", 8)
	if plan, err := planIndexes("news", meant, shown); err != nil || !plan.isEmpty() {
		t.Errorf("all exist: %+v, %v", plan, err)
	}
	few := corpusIndexes("news", Vectors{Dimension: 8, Kinds: []graph.Kind{graph.KindChunk}})
	if plan, err := planIndexes("news", few, shown); err != nil || len(plan.create) > 0 || strings.Join(plan.drop, " ") != "entity_vector_news relationship_vector_news report_vector_news" {
		t.Errorf("kinds without vectors: %+v, %v", plan, err)
	}
	if plan, err := planIndexes("news", corpusIndexes("news", Vectors{}), shown); err != nil || !plan.isEmpty() {
		t.Errorf("a dimension that is not known yet: %+v, %v", plan, err)
	}
	for name, change := range map[string]func(*index){
		"analyzer": func(x *index) { x.analyzer = "english" }, "properties": func(x *index) { x.properties = []string{"text"} },
		"labels": func(x *index) { x.labels = []string{"Chunk_news"} }, "type": func(x *index) { x.kind = rangeIndex }, "FAILED": func(x *index) { x.state = stateFailed },
	} {
		x, changed := shown["terms_news"], maps.Clone(shown)
		change(&x)
		changed["terms_news"] = x
		plan, err := planIndexes("news", meant, changed)
		if err != nil || !slices.Equal(plan.drop, []string{"terms_news"}) || len(plan.create) != 1 || plan.create[0].name != "terms_news" || !strings.Contains(plan.reason, name) {
			t.Errorf("another %s: %+v, %v", name, plan, err)
		}
		x.labels = []string{"Elsewhere"}
		changed["terms_news"] = x
		if plan, err := planIndexes("news", meant, changed); err == nil || !strings.Contains(err.Error(), "DROP INDEX terms_news") || !plan.isEmpty() {
			t.Errorf("an index of the user: %+v, %v", plan, err)
		}
	}
	if plan, err := planIndexes("news", corpusIndexes("news", Vectors{Dimension: 9}), shown); err != nil || len(plan.drop) != 4 || len(plan.create) != 4 {
		t.Errorf("another dimension: %+v, %v, want the vector indexes", plan, err)
	}
	delete(shown, "lead_news")
	if plan, err := planIndexes("news", meant, shown); err != nil || len(plan.drop) != 0 || len(plan.create) != 1 || plan.create[0].name != "lead_news" {
		t.Errorf("lead_news is missing: %+v, %v", plan, err)
	}
}

func TestPopulating(t *testing.T) {
	t.Parallel()
	meant, shown := corpusIndexes("news", Vectors{Dimension: 8}), existing("news", 8)
	if x, waiting := populating(meant, shown); waiting {
		t.Errorf("all are online: %+v", x)
	}
	x := shown["chunk_vector_news"]
	x.state = statePopulating
	shown["chunk_vector_other"] = x
	if x, waiting := populating(meant, shown); waiting {
		t.Errorf("an index of another corpus is being populated: %+v", x)
	}
	shown["chunk_vector_news"] = x
	if x, waiting := populating(meant, shown); !waiting || x.name != "chunk_vector_news" {
		t.Errorf("got %+v, %t, want chunk_vector_news", x, waiting)
	}
	if plan, err := planIndexes("news", meant, shown); err != nil || !plan.isEmpty() {
		t.Errorf("an index that is being populated: %+v, %v, want no change", plan, err)
	}
}

// No index of a corpus has the name of a constraint or index that all share, whatever the
// corpus is called, or that of another corpus.
func TestIndexNamesAreUnique(t *testing.T) {
	t.Parallel()
	owners := map[string]string{}
	add := func(owner string, all []index) {
		for _, x := range all {
			if other, taken := owners[x.name]; taken {
				t.Errorf("index %s of %q and of %q", x.name, owner, other)
			}
			owners[x.name] = owner
		}
	}
	shared := schemaIndexes()
	add("", shared)
	corpora := map[string]bool{"news": true}
	for _, x := range shared { // the name of a corpus that ends the name of a shared index
		for at, c := range x.name {
			if c == '_' {
				corpora[x.name[at+1:]] = true
			}
		}
	}
	for corpus := range corpora {
		add(corpus, corpusIndexes(corpus, Vectors{Dimension: 8}))
	}
}

// TestUnfinishedIndexes checks that a shared index that the server did not complete is
// made again, but no index that somebody else made in another form.
func TestUnfinishedIndexes(t *testing.T) {
	t.Parallel()
	const key, mark = "run_key", "entity_todo_embed"
	meant := schemaIndexes()
	for _, tt := range []struct {
		name, of string
		change   func(*index)
		err      bool
	}{
		{"without its constraint", key, func(x *index) { x.unique = false }, false},
		{"failed", mark, func(x *index) { x.state = stateFailed }, false},
		{"failed without its constraint", key, func(x *index) { x.unique, x.state = false, stateFailed }, false},
		{"failed with its constraint", key, func(x *index) { x.state = stateFailed }, true},
		{"of other properties", key, func(x *index) { x.unique, x.properties = false, []string{"name"} }, true},
		{"failed, of another label", mark, func(x *index) { x.state, x.labels = stateFailed, []string{"Mine"} }, true},
		{"with a constraint", mark, func(x *index) { x.unique, x.state = true, stateFailed }, true},
	} {
		shown := map[string]index{}
		for _, x := range meant {
			if x.name == tt.of {
				tt.change(&x)
			}
			shown[x.name] = x
		}
		plan, err := planIndexes("", meant, shown)
		if tt.err != (err != nil) || !tt.err && (!plan.unfinished || !slices.Equal(plan.drop, []string{tt.of}) || len(plan.create) != 1) {
			t.Errorf("%s: %+v, %v", tt.name, plan, err)
		}
	}
}
