package neo4jstore

import (
	"errors"
	"maps"
	"strings"
	"testing"
)

func TestIndexesAreCompared(t *testing.T) {
	meant := corpusIndexes("news", 8)
	shown := map[string]index{}
	for _, x := range meant {
		x.state = "ONLINE"
		shown[x.name] = x
	}
	if missing, unfinished, err := missingIndexes(meant, shown); err != nil || len(missing)+len(unfinished) > 0 {
		t.Errorf("all stand: %v missing, %v unfinished, %v", missing, unfinished, err)
	}
	for name, change := range map[string]func(*index){
		"analyzer": func(x *index) { x.analyzer = "english" }, "properties": func(x *index) { x.properties = []string{"text"} },
		"labels": func(x *index) { x.labels = []string{"Chunk_news"} }, "type": func(x *index) { x.kind = rangeIndex },
	} {
		x := shown["terms_news"]
		change(&x)
		changed := maps.Clone(shown)
		changed["terms_news"] = x
		if _, _, err := missingIndexes(meant, changed); err == nil || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), "terms_news") {
			t.Errorf("another %s: %v", name, err)
		}
	}
	if _, _, err := missingIndexes(corpusIndexes("news", 9), shown); !errors.Is(err, ErrDimension) {
		t.Errorf("another dimension: %v, want ErrDimension", err)
	}
	delete(shown, "lead_news")
	if missing, _, err := missingIndexes(meant, shown); err != nil || len(missing) != 1 || missing[0].name != "lead_news" {
		t.Errorf("lead_news is missing: %v, %v", missing, err)
	}
}

// TestUnfinishedIndexes checks that an index that the server did not complete is made
// again, but no index that somebody else made in another form.
func TestUnfinishedIndexes(t *testing.T) {
	const key, mark = "run_key", "entity_todo_embed"
	meant := schemaIndexes()
	for _, tt := range []struct {
		name, of string
		change   func(*index)
		err      bool
	}{
		{"without its constraint", key, func(x *index) { x.unique = false }, false},
		{"failed", mark, func(x *index) { x.state = "FAILED" }, false},
		{"failed without its constraint", key, func(x *index) { x.unique, x.state = false, "FAILED" }, false},
		{"failed with its constraint", key, func(x *index) { x.state = "FAILED" }, true},
		{"of other properties", key, func(x *index) { x.unique, x.properties = false, []string{"name"} }, true},
		{"failed, of another label", mark, func(x *index) { x.state, x.labels = "FAILED", []string{"Mine"} }, true},
		{"with a constraint", mark, func(x *index) { x.unique, x.state = true, "FAILED" }, true},
	} {
		shown := map[string]index{}
		for _, x := range meant {
			if x.name == tt.of {
				tt.change(&x)
			}
			shown[x.name] = x
		}
		missing, unfinished, err := missingIndexes(meant, shown)
		if tt.err != (err != nil) || len(missing) > 0 || !tt.err && (len(unfinished) != 1 || unfinished[0].name != tt.of) {
			t.Errorf("%s: %v missing, %v unfinished, %v", tt.name, missing, unfinished, err)
		}
	}
}
