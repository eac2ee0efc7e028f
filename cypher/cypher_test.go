package cypher

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var parameter = regexp.MustCompile(`\$([a-z][a-z_]*)`)

func TestDeclaredParametersAreUsed(t *testing.T) {
	all, err := load()
	if err != nil {
		t.Fatal(err)
	}
	for name, file := range all {
		var used []string
		for _, match := range parameter.FindAllStringSubmatch(file.Body, -1) {
			used = append(used, match[1])
		}
		slices.Sort(used)
		declared := slices.Sorted(slices.Values(file.Params))
		if diff := cmp.Diff(slices.Compact(used), declared); diff != "" {
			t.Errorf("%s: parameters (-used +declared):\n%s", name, diff)
		}
	}
}

// No statement reaches another corpus: one that selects by a range of keys or by a mark
// also compares the corpus.
func TestRangesCompareTheCorpus(t *testing.T) {
	all, err := load()
	if err != nil {
		t.Fatal(err)
	}
	for name, file := range all {
		if strings.Contains(file.Body, "$after") && !strings.Contains(file.Body, "$corpus") {
			t.Errorf("%s pages without comparing the corpus", name)
		}
	}
}

func TestTextReplacesPlaceholders(t *testing.T) {
	tests := []struct {
		statement Statement
		corpus    string
		want      string
	}{
		{SchemaKey.For("Chunk"), "", "CREATE CONSTRAINT chunk_key IF NOT EXISTS FOR (n:Chunk) REQUIRE n.key IS UNIQUE"},
		{SchemaTodo.For("Entity", "derive"), "", "CREATE INDEX entity_todo_derive IF NOT EXISTS FOR (n:Entity) ON (n.todo_derive, n.key)"},
		{SchemaVector.For("Report"), "news_a", "CREATE VECTOR INDEX report_vector_news_a IF NOT EXISTS FOR (n:Report_news_a) ON (n.embedding)\n" +
			"OPTIONS {indexConfig: {`vector.dimensions`: $dimension, `vector.similarity_function`: 'cosine', `vector.quantization.enabled`: false}}"},
	}
	for _, test := range tests {
		got, err := test.statement.Text(test.corpus)
		if err != nil {
			t.Errorf("Text(%s): %v", test.statement, err)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("Text(%s) (-want +got):\n%s", test.statement, diff)
		}
	}
}

func TestTextRefusesOtherVariants(t *testing.T) {
	for _, s := range []Statement{
		SchemaKey, SchemaKey.For("Person"), SchemaTodo.For("Chunk", "derive"), WriteFence.For("Chunk"), "write/nothing",
	} {
		if text, err := s.Text("news"); err == nil {
			t.Errorf("Text(%s) = %q, want an error", s, text)
		}
	}
	if text, err := SchemaFulltextPairs.Text(""); err == nil {
		t.Errorf("Text without corpus = %q, want an error", text)
	}
}

func TestTextOfAll(t *testing.T) {
	all, err := All()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range all {
		text, err := s.Text("news")
		if err != nil {
			t.Errorf("Text(%s): %v", s, err)
		}
		if strings.Contains(text, "__") {
			t.Errorf("Text(%s) leaves a placeholder:\n%s", s, text)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for name, text := range map[string]string{
		"no colon":       "// Title\n// params:\n// returns key string\nRETURN 1",
		"open braces":    "// Title\n// params:\n// returns: node {key string\nRETURN 1",
		"no field":       "// Title\n// params:\n// returns: key string >\nRETURN 1",
		"no title":       "RETURN 1",
		"no params":      "// Title\nRETURN 1",
		"nothing":        "// Title\n// params:\n",
		"two statements": "// Title\n// params:\nRETURN 1; RETURN 2",
	} {
		if file, err := parse(text); err == nil {
			t.Errorf("parse of %s = %+v, want an error", name, file)
		}
	}
}

var (
	keyMatch  = regexp.MustCompile(`(?m)^\s*(?:OPTIONAL )?MATCH .*\{key: (?:row\.\w+|[a-z]+(?:\.key)?)[,}].*$`)
	savedKeys = regexp.MustCompile(`(?m)^\s*MATCH \(\w+:\w+(?: \{key: \$corpus\}\).*|\).*\n\s*WHERE \w+\.key IN \[.*)$`)
	seekHint  = regexp.MustCompile(`USING INDEX SEEK \w+:\w+\(key\)`)
)

// TestMatchesOfKeysSeek checks that a statement that matches a node for each row, and a saved
// query that starts from a key, names the index. Until the server has counted the keys of an
// index that was just filled, it plans to scan it instead, and keeps that plan.
func TestMatchesOfKeysSeek(t *testing.T) {
	all, err := load()
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	patterns := map[string]*regexp.Regexp{"read": keyMatch, "write": keyMatch, "saved": savedKeys}
	for name, file := range all {
		folder, _, _ := strings.Cut(string(name), "/")
		pattern := patterns[folder]
		if pattern == nil {
			continue
		}
		for _, line := range pattern.FindAllString(file.Body, -1) {
			found++
			if !seekHint.MatchString(line) {
				t.Errorf("%s: no USING INDEX SEEK in %q", name, line)
			}
		}
	}
	if found < 140 {
		t.Errorf("%d matches of keys, want more", found)
	}
}

// TestUnion checks that the statements on marked nodes read those of every kind and stage.
func TestUnion(t *testing.T) {
	t.Parallel()
	marks, err := SchemaTodo.File()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []Statement{ReadPending, ReadFailed, "saved/checks/pending", "saved/checks/failed"} {
		text, err := name.Text("")
		if err != nil {
			t.Fatal(err)
		}
		for _, variant := range marks.For {
			kind, stage, _ := strings.Cut(variant, " ")
			if !strings.Contains(text, "n:"+kind+"(todo_"+stage+", key)") {
				t.Errorf("%s does not read nodes of the kind %s with a mark of %s", name, kind, stage)
			}
		}
	}
}
