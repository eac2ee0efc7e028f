//go:build unix

package cli_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/neorag/neorag/internal/neo4jtest"
	"github.com/neorag/neorag/internal/query"
)

// A schema is what docs/json uses of JSON Schema.
type schema struct {
	Schema               string            `json:"$schema"`
	Title                string            `json:"title"`
	Description          string            `json:"description"`
	Ref                  string            `json:"$ref"`
	Defs                 map[string]schema `json:"$defs"`
	Type                 types             `json:"type"`
	Format               string            `json:"format"`
	Enum                 []string          `json:"enum"`
	Properties           map[string]schema `json:"properties"`
	Required             []string          `json:"required"`
	AdditionalProperties json.RawMessage   `json:"additionalProperties"`
	Items                *schema           `json:"items"`
	AnyOf                []schema          `json:"anyOf"`
}

// types is one type or several.
type types []string

func (t *types) UnmarshalJSON(b []byte) error {
	if strings.HasPrefix(string(b), "[") {
		return json.Unmarshal(b, (*[]string)(t))
	}
	*t = types{""}
	return json.Unmarshal(b, &(*t)[0])
}

func readSchema(t *testing.T, name string) schema {
	t.Helper()
	body, err := os.ReadFile(filepath.Join("..", "..", "docs", "json", name+".schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	var s schema
	strict := json.NewDecoder(strings.NewReader(string(body)))
	strict.DisallowUnknownFields()
	if err := strict.Decode(&s); err != nil {
		t.Fatalf("schema %s: %v", name, err)
	}
	return s
}

// check says how a value differs from a schema. It is stricter than a reader of
// the schema would be: a property that the schema does not name is a fault.
func (s schema) check(root schema, at string, v any) error {
	if name, ok := strings.CutPrefix(s.Ref, "#/$defs/"); ok {
		return root.Defs[name].check(root, at, v)
	}
	if len(s.AnyOf) > 0 {
		var faults []string
		for _, one := range s.AnyOf {
			err := one.check(root, at, v)
			if err == nil {
				return nil
			}
			faults = append(faults, err.Error())
		}
		return fmt.Errorf("%s fits none: %s", at, strings.Join(faults, "; "))
	}
	kind := typeOf(v)
	if !slices.Contains(s.Type, kind) && (kind != "integer" || !slices.Contains(s.Type, "number")) {
		return fmt.Errorf("%s is %s, want %v", at, kind, s.Type)
	}
	switch v := v.(type) {
	case string:
		return s.checkText(at, v)
	case []any:
		for i, item := range v {
			if err := s.Items.check(root, fmt.Sprintf("%s[%d]", at, i), item); err != nil {
				return err
			}
		}
	case map[string]any:
		return s.checkObject(root, at, v)
	}
	return nil
}

func (s schema) checkText(at, v string) error {
	if s.Enum != nil && !slices.Contains(s.Enum, v) {
		return fmt.Errorf("%s is %q, want one of %v", at, v, s.Enum)
	}
	if s.Format == "date-time" {
		if _, err := time.Parse(time.RFC3339Nano, v); err != nil {
			return fmt.Errorf("%s: %w", at, err)
		}
	}
	return nil
}

func (s schema) checkObject(root schema, at string, v map[string]any) error {
	for _, name := range s.Required {
		if _, ok := v[name]; !ok {
			return fmt.Errorf("%s lacks %s", at, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(v)) {
		if of, known := s.Properties[name]; known {
			if err := of.check(root, at+"."+name, v[name]); err != nil {
				return err
			}
			continue
		}
		if string(s.AdditionalProperties) == "true" {
			continue
		}
		var more schema
		if len(s.AdditionalProperties) == 0 || json.Unmarshal(s.AdditionalProperties, &more) != nil {
			return fmt.Errorf("%s has %s, which the schema does not name", at, name)
		}
		if err := more.check(root, at+"."+name, v[name]); err != nil {
			return err
		}
	}
	return nil
}

func typeOf(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case string:
		return "string"
	case bool:
		return "boolean"
	case float64:
		if v == math.Trunc(v) {
			return "integer"
		}
		return "number"
	case []any:
		return "array"
	}
	return "object"
}

// fits holds one JSON object to a schema.
func fits(t *testing.T, name, what, text string) {
	t.Helper()
	s := readSchema(t, name)
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Errorf("%s: %v in %.300q", what, err, text)
		return
	}
	if err := s.check(s, what, v); err != nil {
		t.Error(err)
	}
}

// TestJSONSchemas holds what commands print with --json to docs/json.
func TestJSONSchemas(t *testing.T) {
	t.Parallel()
	p := newProgram(t, neo4jtest.Server(t))
	docs := letters(t)
	used := map[string]bool{}
	say := func(name string, args ...string) {
		t.Helper()
		used[name] = true
		code, out, errs := command(t, p.env, append(args, "--json")...)
		if code != 0 {
			t.Errorf("neorag %q: exit %d\n%s", args, code, errs)
		}
		fits(t, name, "neorag "+strings.Join(args, " "), out)
	}
	say("estimate", "index", "--offline", docs, "--dry-run")
	say("index", "index", "--offline", docs, "--quiet")
	for _, method := range query.MethodNames() {
		say("query", "query", "--offline", "--method", method, "Who kept the books of the Harbour Museum?")
		say("trace", "trace", "1")
	}
	for _, spec := range []string{"entity:Tobias Reed", "document:letters/first.txt", "relationship:Clara Hale — Tobias Reed", "community:C0_0"} {
		say("trace", "trace", spec)
	}
	say("query", "query", "--offline", "--dynamic", "Who kept the books of the Harbour Museum?")
	turns := filepath.Join(t.TempDir(), "turns.jsonl")
	for _, q := range []string{"Who kept the books of the Harbour Museum?", "Where did he go?"} {
		say("query", "query", "--offline", "--method", "basic", "--history", turns, q)
	}
	for _, args := range [][]string{{}, {"C0_0"}, {"--level", "0"}, {"--tree"}, {"--export", filepath.Join(t.TempDir(), "pages")}} {
		say("report", append([]string{"report"}, args...)...)
	}
	say("sizes", "query", "--dry-run")
	say("eval", "eval", "retrieval", "--offline", filed(t, "questions.jsonl", `{"id": 1, "question": "Who kept the books?", "type": "who", "documents": ["letters/first.txt"]}`))
	say("cluster", "cluster", filed(t, "edges.txt", "a b\nb c\nc a\n"))
	say("status", "status", "--corpus", p.corpus)
	say("methods", "methods")
	say("cypher", "cypher", "entities/neighbourhood")
	say("cypher", "cypher", "MATCH (n:Entity___corpus__) RETURN n, n.embedding AS v", "--limit", "2")
	say("cypher", "cypher", "--explain", "overview/counts")
	say("cypher", "cypher", "--list")
	say("doctor", "doctor")
	say("cache", "cache")
	say("cache", "cache", "check")
	say("cache", "cache", "prune", "--older-than", "1h")
	say("init", "init", "--file", filepath.Join(t.TempDir(), "neorag.yaml"))
	say("down", "down", "--data", t.TempDir())
	checkExport(t, p)
	used["export"] = true
	checkErrors(t, p)
	used["error"] = true
	bare := neo4jtest.Corpus(t) // no index goes with it, so that the plans of other tests stay
	p.ask("CREATE (:Corpus {key: $corpus}) CREATE (:Document {key: $corpus + '/letter', corpus: $corpus})", map[string]any{"corpus": bare})
	say("remove", "remove", "--corpus", bare, "--yes")
	names, err := filepath.Glob(filepath.Join("..", "..", "docs", "json", "*.schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range names {
		if name := strings.TrimSuffix(filepath.Base(path), ".schema.json"); !used[name] {
			t.Errorf("schema %s is held against nothing", name)
		}
	}
}

// filed is the path of a file with that text.
func filed(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func checkExport(t *testing.T, p *program) {
	t.Helper()
	code, out, errs := command(t, p.env, "export")
	if code != 0 || strings.Count(out, "\n") < 20 {
		t.Errorf("export: exit %d\n%s", code, errs)
	}
	s := readSchema(t, "export")
	for line := range strings.Lines(out) {
		var v any
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			t.Fatal(err)
		}
		if err := s.check(s, "export", v); err != nil {
			t.Fatalf("%v in %.200s", err, line)
		}
	}
}

func checkErrors(t *testing.T, p *program) {
	t.Helper()
	for _, args := range [][]string{{"query", "--method", "none", "who"}, {"query"}, {"index", "/nowhere"}, {"trace", "99"}, {"nothing"}} {
		code, out, errs := command(t, p.env, append(args, "--json")...)
		if code == 0 || out != "" {
			t.Errorf("neorag %q: exit %d, %s", args, code, out)
		}
		lines := strings.Split(strings.TrimSpace(errs), "\n")
		fits(t, "error", fmt.Sprintf("neorag %q", args), lines[len(lines)-1])
	}
}

// TestSchemaChecker: what does not fit is told.
func TestSchemaChecker(t *testing.T) {
	t.Parallel()
	var s schema
	if err := json.Unmarshal([]byte(`{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":["string","null"],"enum":["x"]},
		"c":{"type":"array","items":{"$ref":"#/$defs/d"}},"m":{"type":"object","additionalProperties":{"type":"boolean"}}},"required":["a"],
		"$defs":{"d":{"anyOf":[{"type":"boolean"},{"type":"number"}]}}}`), &s); err != nil {
		t.Fatal(err)
	}
	tests := map[string]bool{
		`{"a":1}`: true, `{"a":1,"b":"x","c":[true,1.5,2],"m":{"k":true}}`: true, `{"a":1,"b":null}`: true,
		`{}`: false, `{"a":1.5}`: false, `{"a":"1"}`: false, `{"a":1,"b":"y"}`: false, `{"a":1,"c":["x"]}`: false, `{"a":1,"z":0}`: false, `{"a":1,"m":{"k":1}}`: false, `[]`: false,
	}
	for text, want := range tests {
		var v any
		if err := json.Unmarshal([]byte(text), &v); err != nil {
			t.Fatal(err)
		}
		if err := s.check(s, "it", v); (err == nil) != want {
			t.Errorf("%s: %v, want it to fit: %v", text, err, want)
		}
	}
}
