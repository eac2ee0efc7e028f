package config

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
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
	{Name: "chunk.size", Kind: Natural, Default: []string{"600"}, Doc: "Tokens.\nOf a chunk."},
	{Name: "chunk.boundary", Default: []string{"content"}, Choices: []string{"content", "exact"}},
	{Name: "labels.levels", Kind: Whole},
	{Name: "types", Kind: List, Default: []string{"person", "thing: of use"}},
}

func TestParse(t *testing.T) {
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
	want := map[string]Value{
		"corpus": {[]string{"books"}, 2}, "offline": {[]string{"true"}, 3}, "models.chat.model": {[]string{"4"}, 6},
		"models.chat.api_key_env": {[]string{"MISTRAL_API_KEY"}, 7},
		"models.chat.parameters":  {[]string{"top_p=0.9", "options.num_ctx=8192", "options.mmap=true", `mode="1"`, `stop=["a",2]`}, 8},
		"models.chat.price_in":    {[]string{"0.15"}, 9},
		"source.ignore":           {[]string{"*.log", "a,b"}, 11}, "source.fields": {[]string{"text=body"}, 12},
		"chunk.boundary": {[]string{"exact"}, 15}, "labels.levels": {[]string{"-1"}, 16},
	}
	got, err := Parse("neorag.yaml", text, sample)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

const pasted = "sk-proj-0123456789abcdefghij"

func TestParseErrors(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		text string
		want []string // each line of the error, in part
	}{
		{"corpsu: a", []string{`f:1: unknown key "corpsu"; the nearest is corpus`}},
		{"chunks: {size: 5}", []string{`f:1: unknown key "chunks"; the nearest is chunk`}},
		{"size: 5", []string{"the nearest is chunk.size"}},
		{"models:\n  size: 5", []string{"f:2: unknown key \"models.size\"; the nearest is chunk.size"}},
		{"chunk.size: 5", []string{"write the key chunk.size as a section"}},
		{"chunk:\n  size: many\n  boundarys: exact\noffline: 3\n", []string{"f:2: chunk.size: expected a whole number from 0", `f:3: unknown key "chunk.boundarys"; the nearest is chunk.boundary`, "f:4: offline: expected true or false"}},
		{"chunk: {size: -1}", []string{"expected a whole number from 0"}},
		{"chunk: {size: \"5\"}", []string{"expected a whole number from 0, found a text in quotes"}},
		{"chunk:\n  boundary: inexact", []string{"f:2: chunk.boundary: choose content or exact"}},
		{"chunk: 600", []string{"chunk is a section: expected keys below it, found a single value"}},
		{"corpus: [a]", []string{"corpus: expected a text, found a list"}},
		{"corpus: &a b\nlabels: *a", []string{"found an alias"}},
		{"- a", []string{"f:1: expected keys with values"}},
		{"source: {fields: {txt: a}}", []string{"the nearest is source.fields.text"}},
		{"source: {ignore: [[a]]}", []string{"found a list in it"}},
		{"models: {chat: {price_in: .nan}}", []string{"expected a number"}},
		{"models: {chat: {api_key: " + pasted + "}}", []string{"a key does not belong in a file"}},
		{"models: {chat: {api_key_env: " + pasted + "}}", []string{"keys stand in environment variables"}},
		{"models: {chat: {api_key_env: 0123456789abcdef}}", []string{"never the key"}},
		{"models: {chat: {api_key_env: AWS_SECRET_ACCESS_KEY}}", []string{"_API_KEY at the end"}},
		{"models: {chat: {model: " + pasted + "}}", []string{"looks like a key"}},
		{"source: {ignore: [" + pasted + "]}", []string{"looks like a key"}},
		{pasted + ": 5", []string{"in place of a name"}},
		{"neo4j: {password: a}", []string{`unknown key "neo4j"`}},
		{"password: geheim", []string{"NEO4J_PASSWORD"}},
		{"models: {chat: {parameters: {api_key: a}}}", []string{"a key is no parameter"}},
		{"models: {chat: {parameters: {messages: a}}}", []string{"messages is set by the program"}},
		{"corpus: a\ncorpus: b", []string{"f:2: a key stands here for the second time"}},
		{"corpus: \"" + pasted, []string{"f:1: this is not YAML"}},
		{"corpus: a\n---\ncorpus: b", []string{"more than one document"}},
		{strings.Repeat("#", MaxSize+1), []string{"larger than"}},
	} {
		_, err := Parse("f", tt.text, sample)
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
		if strings.Contains(err.Error(), pasted) || strings.Contains(err.Error(), "geheim") {
			t.Errorf("the error shows a key: %v", err)
		}
	}
}

// TestRender reads back what was written, whatever the defaults are.
func TestRender(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[ -~ä€\n]{1,12}`).Filter(func(s string) bool { return strings.TrimSpace(s) == s && !secret(s) })
		keys := []Key{
			{Name: "a", Default: []string{text.Draw(t, "a")}, Doc: "A."},
			{Name: "b.c", Kind: List, Default: rapid.SliceOfN(text, 1, 4).Draw(t, "c")},
			{Name: "b.d.e", Kind: Whole, Default: []string{"-7"}},
			{Name: "b.d.f", Kind: Path},
			{Name: "g", Kind: Switch, Default: []string{"true"}},
		}
		file := Render("Head.\nMore.", keys, map[string]string{"b": "Section."})
		got, err := Parse("f", file, keys)
		if err != nil {
			t.Fatalf("%v in\n%s", err, file)
		}
		for _, k := range keys {
			if diff := cmp.Diff(k.Default, got[k.Name].Items); diff != "" {
				t.Errorf("%s (-want +got):\n%s\nin\n%s", k.Name, diff, file)
			}
		}
	})
}

// FuzzParse holds that nothing of a key is shown, and that what is read passes
// its own check.
func FuzzParse(f *testing.F) {
	f.Add("models:\n  chat:\n    api_key: SECRET\n")
	f.Add("chunk: {size: 5, boundary: exact}\nsource: {ignore: [a, b], fields: {text: x}}\n")
	f.Add("models: {chat: {parameters: {a: {b: [1, {}]}}, price_in: 1e3}}\noffline: true\n")
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 4<<10 {
			return
		}
		text = strings.ReplaceAll(text, "SECRET", pasted)
		values, err := Parse("f", text, sample)
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
