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
	if missing, err := missingIndexes(meant, shown); err != nil || len(missing) > 0 {
		t.Errorf("all stand: %v missing, %v", missing, err)
	}
	for name, change := range map[string]func(*index){
		"analyzer": func(x *index) { x.analyzer = "english" }, "properties": func(x *index) { x.properties = []string{"text"} },
		"labels": func(x *index) { x.labels = []string{"Chunk_news"} }, "type": func(x *index) { x.kind = rangeIndex }, "FAILED": func(x *index) { x.state = "FAILED" },
	} {
		x := shown["terms_news"]
		change(&x)
		changed := maps.Clone(shown)
		changed["terms_news"] = x
		if _, err := missingIndexes(meant, changed); err == nil || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), "terms_news") {
			t.Errorf("another %s: %v", name, err)
		}
	}
	if _, err := missingIndexes(corpusIndexes("news", 9), shown); !errors.Is(err, ErrDimension) {
		t.Errorf("another dimension: %v, want ErrDimension", err)
	}
	delete(shown, "lead_news")
	if missing, err := missingIndexes(meant, shown); err != nil || len(missing) != 1 || missing[0].name != "lead_news" {
		t.Errorf("lead_news is missing: %v, %v", missing, err)
	}
}
