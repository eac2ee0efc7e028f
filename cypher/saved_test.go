package cypher

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Every saved query is bounded, described, and stays in its corpus.
func TestSavedQueries(t *testing.T) {
	all, err := SavedQueries()
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 30 {
		t.Errorf("%d queries", len(all))
	}
	titles := map[string]string{}
	for _, q := range all {
		if other := titles[q.Title]; other != "" {
			t.Errorf("%s has the title of %s", q.Name, other)
		}
		titles[q.Title] = q.Name
		if !strings.HasPrefix(strings.ToLower(q.Title), q.Category()+": ") {
			t.Errorf("%s: the title %q does not begin with its category", q.Name, q.Title)
		}
		if strings.Count(q.Name, "/") != 1 || !strings.HasSuffix(q.Description, ".") {
			t.Errorf("%s: its name is not folder/name, or its description %q is not a sentence", q.Name, q.Description)
		}
		if !strings.Contains(q.Text, "__corpus__") && !strings.Contains(q.Text, "$corpus") && q.Name != "overview/corpora" {
			t.Errorf("%s: not restricted to a corpus", q.Name)
		}
		for _, p := range q.Params {
			if p.From == "" && p.Default == nil || p.From != "" && p.Default != nil {
				t.Errorf("%s: %s has no default, or two", q.Name, p.Name)
			}
			if file, err := p.From.File(); p.From != "" && (err != nil || !strings.Contains(file.Body, "AS value")) {
				t.Errorf("%s: the default of %s: %v", q.Name, p.Name, err)
			}
			if p.Name == "limit" && !strings.Contains(q.Text, "LIMIT $limit") {
				t.Errorf("%s: limit is not used as a limit", q.Name)
			}
		}
		if found, ok := FindSavedQuery(q.Name); !ok || found.Title != q.Title {
			t.Errorf("FindSavedQuery(%s) = %s, %v", q.Name, found.Name, ok)
		}
	}
	if _, ok := FindSavedQuery("entities/nothing"); ok {
		t.Error("found a query that does not exist")
	}
}

var sample = SavedQuery{
	Name: "a/b", Title: "A: b", Text: "MATCH (e:Entity___corpus__ {corpus: $corpus})\nWHERE e.name = $entity AND e.x > $share\nRETURN e LIMIT $limit",
	Params: []SavedParam{{Name: "entity", Type: TypeText, From: ReadDefaultEntity}, {Name: "share", Type: TypeNumber, Default: 2.0}, {Name: "limit", Type: TypeWhole, Default: int64(25)}},
}

func TestSavedQueryText(t *testing.T) {
	values := map[string]any{"entity": "O'Neil \\ \n;"}
	got, err := sample.Literal("news", values)
	if err != nil {
		t.Fatal(err)
	}
	want := "// A: b\nMATCH (e:Entity_news {corpus: 'news'})\nWHERE e.name = 'O\\'Neil \\\\ \\n;' AND e.x > 2.0\nRETURN e LIMIT 25"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Literal (-want +got):\n%s", diff)
	}
	if got, err = sample.WithParams("news", values); err != nil {
		t.Fatal(err)
	}
	want = "// A: b\n:param corpus => 'news';\n:param entity => 'O\\'Neil \\\\ \\n;';\n:param share => 2.0;\n:param limit => 25;\n" +
		"MATCH (e:Entity_news {corpus: $corpus})\nWHERE e.name = $entity AND e.x > $share\nRETURN e LIMIT $limit"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("WithParams (-want +got):\n%s", diff)
	}
	for name, values := range map[string]map[string]any{"none": nil, "a list": {"entity": []string{"a"}}} {
		if text, err := sample.Literal("news", values); err == nil {
			t.Errorf("Literal with %s = %s, want an error", name, text)
		}
	}
}

func TestParseSavedQueryRefuses(t *testing.T) {
	for name, text := range map[string]string{
		"no about line":             "// T\n// params:\nRETURN 1",
		"an undescribed parameter":  "// T\n// params: x\n// about: A.\nRETURN $x",
		"an unused parameter":       "// T\n// params:\n// about: A.\n// param: x whole 1: x\nRETURN 1",
		"no default":                "// T\n// params: x\n// about: A.\n// param: x whole: x\nRETURN $x",
		"a default of another type": "// T\n// params: x\n// about: A.\n// param: x whole 'a': x\nRETURN $x",
		"an unquoted text":          "// T\n// params: x\n// about: A.\n// param: x text a: x\nRETURN $x",
		"an unknown type":           "// T\n// params: x\n// about: A.\n// param: x date 1: x\nRETURN $x",
	} {
		if q, err := parseSavedQuery("a/b", text); err == nil {
			t.Errorf("%s: %+v, want an error", name, q)
		}
	}
}
