package methods_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/query/methods/global"
	"github.com/neorag/neorag/internal/query/methods/lazy"
	"github.com/neorag/neorag/internal/query/methods/light"
	"github.com/neorag/neorag/internal/query/methods/local"
	"github.com/neorag/neorag/internal/query/methods/qcg"
	"github.com/neorag/neorag/prompts"
)

func level(t *testing.T, s string) query.Level {
	t.Helper()
	l, err := query.ParseLevel(s)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestParseVariant(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]struct {
		method   string
		settings map[string]string
		question query.Question
	}{
		"global":                     {"global", nil, query.Question{Method: "global"}},
		"global level=root":          {"global", map[string]string{"level": "0"}, query.Question{Method: "global", Level: level(t, "0")}},
		" global  level=C2 ":         {"global", nil, query.Question{Method: "global", Level: level(t, "2")}},
		"global level=leaf dynamic":  {"global", map[string]string{"level": "leaf", "dynamic": "true"}, query.Question{Method: "global", Level: level(t, "leaf"), Own: map[string]any{"global": global.Settings{Dynamic: true}}}},
		"text map-tokens=016000":     {"text", map[string]string{"map-tokens": "16000"}, query.Question{Method: "text", MapTokens: 16000}},
		"basic:vectors map-reduce":   {"basic:vectors", map[string]string{"map-reduce": "true"}, query.Question{Method: "basic", Paths: []string{"vectors"}, MapReduce: true}},
		"light:low max-tokens=9000":  {"light:low", map[string]string{"max-tokens": "9000"}, query.Question{Method: "light", Mode: "low", Own: map[string]any{"light": light.Settings{MaxTokens: 9000}}}},
		"qcg hops=0 node=query":      {"qcg", map[string]string{"hops": "0", "node": "query"}, query.Question{Method: "qcg", Own: map[string]any{"qcg": qcg.Settings{Hops: -1, Node: "query"}}}},
		"local diversity=.50 spread": {"local", map[string]string{"diversity": "0.5", "spread": "true"}, query.Question{Method: "local", Own: map[string]any{"local": local.Settings{Diversity: .5, PageRank: true}}}},
		"local cite=sentences":       {"local", nil, query.Question{Method: "local"}},
		"lazy budget=20":             {"lazy", map[string]string{"budget": "20"}, query.Question{Method: "lazy", Own: map[string]any{"lazy": lazy.Settings{Budget: 20}}}},
	} {
		got, err := query.ParseVariant(text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		want.question.Text = "Who?"
		if diff := cmp.Diff(want.question, got.Ask("Who?"), cmp.AllowUnexported(query.Level{}), cmpopts.IgnoreUnexported(query.Question{})); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
		if diff := cmp.Diff(want.settings, got.Settings); got.Method != want.method || diff != "" {
			t.Errorf("%q: method %s, want %s, settings (-want +got):\n%s", text, got.Method, want.method, diff)
		}
	}
	for text, want := range map[string]string{
		"":                       "unknown method",
		"best":                   `unknown method "best"`,
		"basic:smell":            `unknown path "smell"`,
		"light:deep":             `has no mode "deep"`,
		"global:vectors":         "no mode",
		"basic level=0":          "choose from answer-tokens, check-quotes, cite, map-reduce, map-tokens, reduce-tokens",
		"global level=deep":      `level "deep"`,
		"global level":           "give a value, as in level=2",
		"global map-tokens=0":    "whole number from 1",
		"global dynamic=perhaps": "expected true or false",
		"qcg hops=3":             "from 0 to 2",
		"qcg gamma=0":            "from 0.01 to 2",
		"local diversity=NaN":    "from 0 to 1",
		"auto route=dice":        "choose rules or model",
	} {
		if _, err := query.ParseVariant(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// TestPromptNames expects that the prompts which the code behind an answer names are those that
// answers are said to depend on.
func TestPromptNames(t *testing.T) {
	t.Parallel()
	names := constantsOf(t, filepath.Join("..", "..", "..", "prompts", "prompts.go"))
	used := map[string]bool{}
	err := filepath.WalkDir("..", func(file string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(file) != ".go" || strings.HasSuffix(file, "_test.go") {
			return err
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			if field, ok := n.(*ast.KeyValueExpr); ok {
				if key, ok := field.Key.(*ast.Ident); ok && key.Name == "Prompts" {
					return false // the list of a method, which the test checks
				}
			}
			if s, ok := n.(*ast.SelectorExpr); ok {
				if x, ok := s.X.(*ast.Ident); ok && x.Name == "prompts" && names[s.Sel.Name] != "" {
					used[names[s.Sel.Name]] = true
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	got := slices.Sorted(slices.Values(query.PromptNames()))
	want := slices.DeleteFunc(prompts.Names(), func(name string) bool { return !used[name] })
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("prompts (-in the code +in PromptNames):\n%s", diff)
	}
}

// constantsOf returns the values of the constants of a file that are strings.
func constantsOf(t *testing.T, file string) map[string]string {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	values := map[string]string{}
	ast.Inspect(parsed, func(n ast.Node) bool {
		if s, ok := n.(*ast.ValueSpec); ok && len(s.Names) == 1 && len(s.Values) == 1 {
			if value, ok := s.Values[0].(*ast.BasicLit); ok && value.Kind == token.STRING {
				values[s.Names[0].Name] = strings.Trim(value.Value, `"`)
			}
		}
		return true
	})
	return values
}
