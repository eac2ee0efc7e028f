package config

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var sample = []Key{
	{Name: "corpus", Default: []string{"main"}, Doc: "Which corpus."},
	{Name: "offline", Kind: Switch, Default: []string{"false"}},
	{Name: "models.chat.model"},
	{Name: "models.chat.api_key_env", Kind: Variable},
	{Name: "models.chat.parameters", Kind: Parameters},
	{Name: "models.chat.price_in", Kind: Number},
	{Name: "source.ignore", Kind: List},
	{Name: "source.fields", Kind: Pairs, Choices: []string{"text", "title"}},
	{Name: "chunk.size", Kind: Whole, Bounds: between(0, maxCount), Default: []string{"600"}, Doc: "Tokens.\nOf a chunk."},
	{Name: "chunk.boundary", Default: []string{"content"}, Choices: []string{"content", "exact"}},
	{Name: "labels.levels", Kind: Whole},
	{Name: "types", Kind: List, Default: []string{"person", "thing: of use"}},
}

func TestParseFile(t *testing.T) {
	t.Parallel()
	text := `
corpus: books
offline: true
models:
  chat:
    model: 4
    api_key_env: MISTRAL_API_KEY
    parameters: {top_p: 0.9, options: {num_ctx: 8192, mmap: true}, mode: "1", stop: [a, 2]}
    price_in: 0.15
source:
  ignore: ["*.log", 'a,b']
  fields: {text: body}
chunk:
  size:
  boundary: exact
labels: {levels: -1}
types: []
`
	want := map[string]fileValue{
		"corpus": {[]string{"books"}, 2}, "offline": {[]string{"true"}, 3}, "models.chat.model": {[]string{"4"}, 6},
		"models.chat.api_key_env": {[]string{"MISTRAL_API_KEY"}, 7},
		"models.chat.parameters":  {[]string{"top_p=0.9", "options.num_ctx=8192", "options.mmap=true", `mode="1"`, `stop=["a",2]`}, 8},
		"models.chat.price_in":    {[]string{"0.15"}, 9},
		"source.ignore":           {[]string{"*.log", "a,b"}, 11}, "source.fields": {[]string{"text=body"}, 12},
		"chunk.boundary": {[]string{"exact"}, 15}, "labels.levels": {[]string{"-1"}, 16},
	}
	got, err := parseFile("neorag.yaml", text, sample)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

const pasted = "sk-proj-0123456789abcdefghij"

func TestParseFileErrors(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		text string
		want []string // part of each line of the error
	}{
		{"corpsu: a", []string{`f:1: unknown key "corpsu"; the nearest is corpus`}},
		{"chunks: {size: 5}", []string{`f:1: unknown key "chunks"; the nearest is chunk`}},
		{"size: 5", []string{"the nearest is chunk.size"}},
		{"models:\n  size: 5", []string{"f:2: unknown key \"models.size\"; the nearest is chunk.size"}},
		{"chunk.size: 5", []string{"write the key chunk.size as a section"}},
		{"chunk:\n  size: many\n  boundarys: exact\noffline: 3\n", []string{"f:2: chunk.size: expected a whole number from 0 to 10000000", `f:3: unknown key "chunk.boundarys"; the nearest is chunk.boundary`, "f:4: offline: expected true or false"}},
		{"chunk: {size: -1}", []string{"expected a whole number from 0 to 10000000"}},
		{"chunk: {size: \"5\"}", []string{"expected a whole number from 0 to 10000000, found a text in quotes"}},
		{"chunk:\n  boundary: inexact", []string{"f:2: chunk.boundary: choose content or exact"}},
		{"chunk: 600", []string{"chunk is a section: expected keys below it, found a single value"}},
		{"corpus: [a]", []string{"corpus: expected a text, found a list"}},
		{"corpus: &a b\nlabels: *a", []string{"found an alias"}},
		{"- a", []string{"f:1: expected keys with values"}},
		{"source: {fields: {txt: a}}", []string{"the nearest is source.fields.text"}},
		{"source: {ignore: [[a]]}", []string{"found a list in it"}},
		{"models: {chat: {price_in: .nan}}", []string{"expected a number"}},
		{"models: {chat: {api_key: " + pasted + "}}", []string{"a key does not belong in a file"}},
		{"models: {chat: {api_key_env: " + pasted + "}}", []string{"put the key into an environment variable"}},
		{"models: {chat: {api_key_env: 0123456789abcdef}}", []string{"never the key"}},
		{"models: {chat: {api_key_env: AWS_SECRET_ACCESS_KEY}}", []string{"ending in _API_KEY"}},
		{"models: {chat: {model: " + pasted + "}}", []string{"looks like a key"}},
		{"source: {ignore: [" + pasted + "]}", []string{"looks like a key"}},
		{pasted + ": 5", []string{"this name is an API key"}},
		{"neo4j: {password: a}", []string{`unknown key "neo4j"`}},
		{"password: hunter2", []string{"NEO4J_PASSWORD"}},
		{"models: {chat: {parameters: {api_key: a}}}", []string{"a key cannot be a parameter"}},
		{"models: {chat: {parameters: {messages: a}}}", []string{"the program sets messages itself"}},
		{"corpus: a\ncorpus: b", []string{"f:2: duplicate key"}},
		{"corpus: \"" + pasted, []string{"f:1: invalid YAML"}},
		{"corpus: a\n---\ncorpus: b", []string{"more than one document"}},
		{strings.Repeat("#", maxFileSize+1), []string{"larger than"}},
	} {
		_, err := parseFile("f", tt.text, sample)
		if err == nil {
			t.Errorf("%.60q: no error", tt.text)
			continue
		}
		lines := strings.Split(err.Error(), "\n")
		for i, want := range tt.want {
			if len(lines) != len(tt.want) || !strings.Contains(lines[i], want) {
				t.Errorf("%.60q: got\n%v\nwant line %d with %q", tt.text, err, i+1, want)
			}
		}
		if strings.Contains(err.Error(), pasted) || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("the error shows a key: %v", err)
		}
	}
}

// FuzzParseFile checks that no error shows a key, and that every value passes the
// check of its key.
func FuzzParseFile(f *testing.F) {
	f.Add("models:\n  chat:\n    api_key: SECRET\n")
	f.Add("chunk: {size: 5, boundary: exact}\nsource: {ignore: [a, b], fields: {text: x}}\n")
	f.Add("models: {chat: {parameters: {a: {b: [1, {}]}}, price_in: 1e3}}\noffline: true\n")
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 4<<10 {
			return
		}
		text = strings.ReplaceAll(text, "SECRET", pasted)
		values, err := parseFile("f", text, sample)
		if err != nil && strings.Contains(err.Error(), pasted) {
			t.Fatalf("the error shows a key: %v", err)
		}
		for _, k := range sample {
			v, given := values[k.Name]
			if given && (len(v.Items) == 0 || v.Line < 1) {
				t.Fatalf("%s: %+v", k.Name, v)
			}
			for _, item := range v.Items {
				if err := k.Check(item); err != nil {
					t.Fatalf("%s was read as %q: %v", k.Name, item, err)
				}
			}
		}
	})
}
