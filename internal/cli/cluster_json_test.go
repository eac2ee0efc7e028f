//go:build unix

package cli_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/cli"
	"github.com/neorag/neorag/internal/neo4jtest"
)

// What the schema in docs/json promises is what --json prints, and no more.
func TestClusterJSONFitsItsSchema(t *testing.T) {
	t.Parallel()
	p := newProgram(t, neo4jtest.Server(t))
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "json", "cluster.schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	var schema map[string]any
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	edges := save(t, []namedEdge{{"a", "b", 1}, {"b", "c", 2}, {"d", "d", 1}})
	label := p.put([]namedEdge{{"a", "b", 1}, {"b", "c", 2}})
	for _, args := range [][]string{
		{"cluster", "--json", edges},
		{"cluster", "--json", "--nodes", label, "--write", "--prefix", "s" + strings.TrimPrefix(p.corpus, "t_")},
	} {
		var printed any
		if err := json.Unmarshal([]byte(p.ok(args...).stdout), &printed); err != nil {
			t.Fatal(err)
		}
		for _, wrong := range misfits("$", schema, printed) {
			t.Errorf("%v: %s", args, wrong)
		}
		if m, _ := printed.(map[string]any); args[1] == "--json" && len(args) > 3 && m["written"] == nil {
			t.Error("--write prints no word on what was written")
		}
	}
	// Every field of the shape is described.
	for field := range reflect.TypeFor[cli.Clustering]().Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if properties, _ := schema["properties"].(map[string]any); properties[name] == nil {
			t.Errorf("the schema lacks %s", name)
		}
	}
	if got := misfits("$", schema, map[string]any{"nodes": "x", "more": 1.0}); len(got) < 4 {
		t.Errorf("the check of schemas finds %q alone", got)
	}
}

// misfits is what a value has or lacks against a schema of objects, arrays,
// numbers and texts.
func misfits(at string, schema map[string]any, value any) []string {
	var wrong []string
	switch v := value.(type) {
	case map[string]any:
		properties, _ := schema["properties"].(map[string]any)
		required, _ := schema["required"].([]any)
		for _, name := range required {
			if key, _ := name.(string); v[key] == nil {
				wrong = append(wrong, at+" lacks "+key)
			}
		}
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if sub, ok := properties[name].(map[string]any); ok {
				wrong = append(wrong, misfits(at+"."+name, sub, v[name])...)
			} else {
				wrong = append(wrong, at+" has "+name)
			}
		}
		if schema["type"] != "object" {
			wrong = append(wrong, at+" is an object")
		}
	case []any:
		items, ok := schema["items"].(map[string]any)
		if !ok {
			return append(wrong, at+" is a list")
		}
		for i, item := range v {
			wrong = append(wrong, misfits(fmt.Sprintf("%s[%d]", at, i), items, item)...)
		}
	case float64:
		if schema["type"] != "number" && (schema["type"] != "integer" || v != float64(int64(v))) {
			wrong = append(wrong, fmt.Sprintf("%s is the number %v", at, v))
		}
	case string:
		if schema["type"] != "string" {
			wrong = append(wrong, at+" is a text")
		}
	default:
		wrong = append(wrong, fmt.Sprintf("%s is %v", at, v))
	}
	return wrong
}
