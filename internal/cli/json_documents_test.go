package cli

import (
	"bytes"
	"cmp"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"

	"github.com/neorag/neorag/internal/cli/table"
	"github.com/neorag/neorag/internal/eval"
	"github.com/neorag/neorag/internal/eval/evalimport"
	"github.com/neorag/neorag/internal/eval/evalreport"
	"github.com/neorag/neorag/internal/eval/score"
	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/llm/calllog"
	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/view/exportdiff"
	"github.com/neorag/neorag/internal/view/reportbook"
)

// jsonDocuments are the JSON documents that commands print, by the name of the schema: what prints
// the document, and a value of each type that it can have.
var jsonDocuments = map[string]struct {
	title string
	types []any
}{
	"cache":          {"neorag cache --json: size, check, prune, servers and forget", []any{cacheSize{}, llm.CacheCheck{}, llm.CachePruned{}, knownServers{}, forgottenServers{}}},
	"calls":          {"a line of the file of --calls: a call to a model", []any{calllog.Entry{}}},
	"cluster":        {"neorag cluster --json", []any{Clustering{}}},
	"compare":        {"neorag eval compare --json", []any{evalreport.Comparison{}}},
	"context":        {"neorag query --context --json", []any{query.Context{}}},
	"cost":           {"neorag eval cost --json", []any{evalreport.CostReport{}}},
	"cypher":         {"neorag cypher --json: rows of a query; with --explain its plan, with --list the saved queries", []any{table.JSON{}, cypherPlan{}, savedQueries{}}},
	"diff":           {"neorag diff --json", []any{exportdiff.Diff{}}},
	"doctor":         {"neorag doctor --json", []any{diagnosis{}}},
	"down":           {"neorag down --json", []any{stoppedServer{}}},
	"entities":       {"neorag entities --json: the entities of a corpus with all their names, those in most chunks first, and what was decided about names", []any{Entities{}}},
	"error":          {"what any command writes to stderr with --json when it fails", []any{errorReport{}}},
	"estimate":       {"neorag index --dry-run --json", []any{index.Estimate{}}},
	"eval":           {"neorag eval retrieval --json", []any{eval.Retrieval{}}},
	"eval-answer":    {"neorag eval answer --json", []any{answerSummary{}}},
	"eval-claims":    {"neorag eval claims --json", []any{score.ClaimScores{}}},
	"eval-evidence":  {"neorag eval evidence --run FOLDER --json", []any{score.EvidenceScores{}}},
	"eval-import":    {"neorag eval import --json", []any{evalimport.Import{}}},
	"eval-judge":     {"neorag eval judge --json", []any{judgeSummary{}}},
	"eval-questions": {"neorag eval questions --json", []any{questionsSummary{}}},
	"evaluation":     {"neorag eval report --json", []any{evalreport.Report{}}},
	"evidence":       {"neorag eval evidence --json", []any{eval.Evidence{}}},
	"export":         {"a line of neorag export", []any{neo4jstore.DumpedNode{}, neo4jstore.DumpedEdge{}}},
	"index":          {"neorag index --json", []any{index.Result{}}},
	"init":           {"neorag init --json", []any{writtenSettings{}}},
	"methods":        {"neorag methods --json", []any{methodList{}}},
	"prompts":        {"neorag prompts --json: list, show, export and check", []any{promptList{}, promptText{}, exportedPrompts{}, checkedPrompts{}}},
	"qa":             {"neorag eval qa --json", []any{score.QA{}}},
	"query":          {"neorag query --json", []any{query.Answer{}}},
	"remove":         {"neorag remove --json: of documents, or of a corpus", []any{Removal{}, deletedCorpus{}}},
	"report":         {"neorag report --json: reports of a list, report of a name, tree with --tree; folder, index, files and reports with --export", []any{reportList{}, shownReport{}, reportTree{}, exportedReports{}}},
	"sizes":          {"neorag query --dry-run --json", []any{query.LevelSizes{}}},
	"status":         {"neorag status --json: of one corpus, or of all", []any{Status{}, statusList{}}},
	"trace":          {"neorag trace --json", []any{traced{}}},
	"trust":          {"neorag trust --json", []any{trustReport{}}},
	"tune":           {"neorag tune --json", []any{Tuned{}}},
	"version":        {"neorag version --json", []any{build{}}},
}

// TestJSONDocuments compares docs/json with the types, and rewrites it with NEORAG_UPDATE=1.
func TestJSONDocuments(t *testing.T) {
	t.Parallel()
	g := schemaGenerator{comments: map[string]map[string]string{}}
	paths := []string{}
	for _, name := range JSONDocuments() {
		path := filepath.Join("..", "..", "docs", "json", name+".schema.json")
		paths = append(paths, path)
		var got bytes.Buffer
		enc := json.NewEncoder(&got)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		if err := enc.Encode(g.document(t, name)); err != nil {
			t.Fatal(err)
		}
		if os.Getenv("NEORAG_UPDATE") == "1" {
			if err := os.WriteFile(path, got.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if diff := gocmp.Diff(string(want), got.String()); diff != "" {
			t.Errorf("%s: run with NEORAG_UPDATE=1 (-want +got):\n%s", path, diff)
		}
	}
	slices.Sort(paths)
	files, err := filepath.Glob(filepath.Join("..", "..", "docs", "json", "*"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := gocmp.Diff(paths, files); diff != "" {
		t.Errorf("files of docs/json (-want +got):\n%s", diff)
	}
}

// JSONDocuments returns the names of the schemas.
func JSONDocuments() []string { return slices.Sorted(maps.Keys(jsonDocuments)) }

// StrictSchema returns the schema of a document, stricter than the file in docs/json.
func StrictSchema(t *testing.T, name string) *jsonschema.Resolved {
	t.Helper()
	resolved, err := schemaGenerator{strict: true}.document(t, name).Resolve(nil)
	if err != nil {
		t.Fatalf("schema %s: %v", name, err)
	}
	return resolved
}

// A schemaGenerator makes schemas of types.
type schemaGenerator struct {
	// A strict schema has no descriptions. It refuses properties that the type does not have, which a
	// later version may add, and times in another format, which validators need not check.
	strict bool
	// comments are those of the fields of structs, by package, then "Type.Field".
	comments map[string]map[string]string
}

// document returns the schema of a document.
func (g schemaGenerator) document(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	d := jsonDocuments[name]
	s := &jsonschema.Schema{}
	if len(d.types) == 1 {
		s = g.value(t, d.types[0])
	} else {
		for _, v := range d.types {
			s.AnyOf = append(s.AnyOf, g.value(t, v))
		}
	}
	if name == "report" {
		type node reportbook.Node // has no entry in TypeSchemas
		s.Defs = map[string]*jsonschema.Schema{"node": g.value(t, node{})}
	}
	if name == "query" { // the methods add their traces
		for _, m := range query.Methods() {
			for _, trace := range m.Traces {
				own := g.value(t, trace)
				if !g.strict {
					own.Description = g.comment(t, reflect.TypeOf(trace), "")
				}
				s.Properties[trace.TraceName()] = own
			}
		}
	}
	s.Schema, s.Title = "https://json-schema.org/draft/2020-12/schema", d.title
	return s
}

// value returns the schema of the type of a value.
func (g schemaGenerator) value(t *testing.T, v any) *jsonschema.Schema {
	t.Helper()
	kinds := []any{}
	for _, k := range []graph.Kind{graph.KindDocument, graph.KindChunk, graph.KindPassage, graph.KindEntity, graph.KindRelationship, graph.KindClaim, graph.KindCommunity, graph.KindReport, graph.KindFinding, graph.KindQuery, graph.KindSentence} {
		kinds = append(kinds, k)
	}
	date := &jsonschema.Schema{Type: "string", Format: "date-time"}
	if g.strict {
		date.Pattern = `^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$`
	}
	text := &jsonschema.Schema{Type: "string"}
	s, err := jsonschema.ForType(reflect.TypeOf(v), &jsonschema.ForOptions{TypeSchemas: map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[time.Time]():       date,
		reflect.TypeFor[graph.Kind]():      {Type: "string", Enum: kinds},
		reflect.TypeFor[settingValue]():    {AnyOf: []*jsonschema.Schema{text, {Type: "array", Items: text}, {Type: "null"}}},
		reflect.TypeFor[reportbook.Node](): {Ref: "#/$defs/node"}, // it has nodes below it
	}})
	if err != nil {
		t.Fatal(err)
	}
	g.complete(t, s, reflect.TypeOf(v))
	return s
}

// complete adds to a schema what the library does not read of the type. The library lets each pointer
// and slice be null; here only those are whose tag "types" says so. The tag "enum" lists the values of
// a text. Comments of fields become descriptions.
func (g schemaGenerator) complete(t *testing.T, s *jsonschema.Schema, typ reflect.Type) {
	t.Helper()
	for typ.Kind() == reflect.Pointer {
		typ = typ.Elem()
	}
	s.Types = slices.DeleteFunc(s.Types, func(t string) bool { return t == "null" })
	if len(s.Types) < 2 {
		s.Type, s.Types = cmp.Or(s.Type, strings.Join(s.Types, "")), nil
	}
	switch {
	case s.Items != nil:
		g.complete(t, s.Items, typ.Elem())
	case typ.Kind() == reflect.Map:
		g.complete(t, s.AdditionalProperties, typ.Elem())
	case len(s.Properties) > 0:
		if !g.strict {
			s.AdditionalProperties, s.Description = nil, g.comment(t, typ, "")
		}
		for _, f := range reflect.VisibleFields(typ) {
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if p := s.Properties[name]; p != nil {
				g.complete(t, p, f.Type)
				g.completeField(t, p, typ, f)
			}
		}
	}
}

// completeField adds what tags and comments say of a field of a struct.
func (g schemaGenerator) completeField(t *testing.T, s *jsonschema.Schema, typ reflect.Type, f reflect.StructField) {
	t.Helper()
	if types := f.Tag.Get("types"); types != "" {
		s.Type, s.Types = "", strings.Split(types, ",")
	}
	if values := f.Tag.Get("enum"); values != "" {
		for v := range strings.SplitSeq(values, ",") {
			s.Enum = append(s.Enum, v)
		}
	}
	if g.strict {
		return
	}
	for _, i := range f.Index[:len(f.Index)-1] { // to the embedded struct that has the field
		if typ = typ.Field(i).Type; typ.Kind() == reflect.Pointer {
			typ = typ.Elem()
		}
	}
	if comment := g.comment(t, typ, "."+f.Name); comment != "" {
		s.Description = comment
	}
}

// comment returns the comment of a struct, or that of its field ".Name".
func (g schemaGenerator) comment(t *testing.T, typ reflect.Type, field string) string {
	t.Helper()
	if g.comments[typ.PkgPath()] == nil {
		g.comments[typ.PkgPath()] = readComments(t, typ.PkgPath())
	}
	return g.comments[typ.PkgPath()][typ.Name()+field]
}

// TestStrictSchema checks what strict schemas refuse.
func TestStrictSchema(t *testing.T) {
	t.Parallel()
	type part struct {
		Text string `json:"text" enum:"one,two"`
	}
	s := schemaGenerator{strict: true}.value(t, struct {
		Number int             `json:"number"`
		Parts  []part          `json:"parts,omitempty"`
		Names  []string        `json:"names,omitempty" types:"array,null"`
		Flags  map[string]bool `json:"flags,omitempty"`
		Time   time.Time       `json:"time,omitzero"`
		Kind   graph.Kind      `json:"kind,omitempty"`
	}{})
	resolved, err := s.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]bool{
		`{"number":1}`: true,
		`{"number":1,"parts":[{"text":"two"}],"names":null,"flags":{"f":true},"time":"2026-01-02T03:04:05.6Z","kind":"Chunk"}`: true,
		`{}`: false, `{"number":1.5}`: false, `{"number":1,"other":0}`: false, `{"number":1,"parts":null}`: false, `{"number":1,"parts":[{"text":"two","z":0}]}`: false,
		`{"number":1,"parts":[{"text":"three"}]}`: false, `{"number":1,"names":[1]}`: false, `{"number":1,"flags":{"f":1}}`: false, `{"number":1,"time":"today"}`: false,
		`{"number":1,"kind":"chunk"}`: false, `[]`: false,
	} {
		var v any
		if err := json.Unmarshal([]byte(text), &v); err != nil {
			t.Fatal(err)
		}
		if err := resolved.Validate(v); (err == nil) != want {
			t.Errorf("%s: got %v, want it to be valid: %v", text, err, want)
		}
	}
}

// readComments reads the comments of the structs and fields of a package.
func readComments(t *testing.T, pkg string) map[string]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "..", strings.TrimPrefix(pkg, "github.com/neorag/neorag/"), "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	comments := map[string]string{}
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range file.Decls {
			types, ok := decl.(*ast.GenDecl)
			if !ok || types.Tok != token.TYPE {
				continue
			}
			for _, spec := range types.Specs {
				typ := spec.(*ast.TypeSpec)
				fields, ok := typ.Type.(*ast.StructType)
				if !ok {
					continue
				}
				name := typ.Name.Name
				if typ.Doc == nil && !types.Lparen.IsValid() {
					typ.Doc = types.Doc
				}
				comments[name] = withoutName(typ.Doc.Text(), name)
				for _, field := range fields.Fields.List {
					for _, n := range field.Names {
						comments[name+"."+n.Name] = withoutName(field.Doc.Text()+field.Comment.Text(), n.Name)
					}
				}
			}
		}
	}
	return comments
}

// withoutName returns a comment without line breaks, "Name is" and a full stop.
func withoutName(comment, name string) string {
	text := strings.TrimSuffix(strings.Join(strings.Fields(comment), " "), ".")
	return regexp.MustCompile("^(An? )?"+name+" (is|are|means that) ").ReplaceAllString(text, "")
}
