package prompts_test

import (
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/prompts"
)

func TestBuiltInPromptsAreValid(t *testing.T) {
	t.Parallel()
	var set prompts.Set
	if err := set.Check(); err != nil {
		t.Fatal(err)
	}
	withSchema := map[string]bool{prompts.Extract: true, prompts.JointJSON: true, prompts.Tune: true, prompts.AnswerClaims: true, prompts.AnswerCorrect: true, prompts.AnswerEvidence: true, prompts.CorpusDescription: true, prompts.Personas: true, prompts.PersonaTasks: true, prompts.PersonaQuestions: true, prompts.HeadToHead: true, prompts.Claims: true, prompts.Report: true, prompts.Map: true, prompts.Rate: true, prompts.Drift: true, prompts.DriftFollow: true, prompts.Route: true, prompts.Keywords: true, prompts.Support: true, prompts.Queries: true, prompts.HyDE: true, prompts.Refine: true, prompts.Facts: true, prompts.AnswerTypes: true, prompts.SameNames: true, prompts.CheckQuotes: true}
	seen := map[string]string{}
	for _, name := range prompts.Names() {
		p, err := set.Get(name)
		if err != nil {
			t.Fatal(err)
		}
		if (p.Schema != nil) != withSchema[name] {
			t.Errorf("%s: has a schema: %t, want %t", name, p.Schema != nil, withSchema[name])
		}
		if twin, duplicate := seen[p.Fingerprint()]; duplicate {
			t.Errorf("%s and %s have the same fingerprint", name, twin)
		}
		seen[p.Fingerprint()] = name
	}
	if _, err := set.Get("nothing"); !errors.Is(err, prompts.ErrUnknown) {
		t.Errorf("unknown name: got %v, want ErrUnknown", err)
	}
}

// TestFolderOfPrompts checks that a file that would have no effect is reported.
func TestFolderOfPrompts(t *testing.T) {
	t.Parallel()
	built, err := os.ReadFile("map.md")
	if err != nil {
		t.Fatal(err)
	}
	for file, valid := range map[string]bool{
		"map.md": true, "README.md": true, "readme.md": true, ".draft.md": true, "notes.go": true, "map.md~": true,
		"mapp.md": false, "Map.md": false, "map.MD": false, "map.txt": false, "map.prompt.md": false, "map.json": false, "mapp.schema.json": false, "map": true,
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, file), built, 0o600); err != nil {
			t.Fatal(err)
		}
		err := prompts.Set{Dir: dir}.Check()
		if (err == nil) != valid || err != nil && (!strings.Contains(err.Error(), file) || !strings.Contains(err.Error(), "glean-ask, glean-list, head-to-head, hyde, joint-json, joint-tuples, keywords, local, map, persona-questions, persona-tasks, personas, queries, queries-more, rate, reduce, refine")) {
			t.Errorf("a folder with %s: got %v, want it valid: %v", file, err, valid)
		}
	}
	if err := (prompts.Set{Dir: filepath.Join(t.TempDir(), "none")}).Check(); err == nil {
		t.Error("a folder that does not exist is valid")
	}
}

func TestOverride(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, text, wrong string
	}{
		{"map", "Answer {{question}} from {{context}}.\r\n---\r\nNow.", ""},
		{"map", "Answer {{question}}.", "{{context}} is missing"},
		{"map", "Answer {{question}} from {{context}} and {{contxt}}.", "unknown placeholder {{contxt}}"},
		{"reduce", "{{ braces }} and {{}} are text: {{question}} {{points}}", ""},
	}
	for _, tt := range tests {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, tt.name+".md"), []byte(tt.text), 0o600); err != nil {
			t.Fatal(err)
		}
		set := prompts.Set{Dir: dir}
		p, err := set.Get(tt.name)
		switch {
		case tt.wrong == "" && err != nil:
			t.Errorf("%q: %v", tt.text, err)
		case tt.wrong != "" && (err == nil || !strings.Contains(err.Error(), tt.wrong)):
			t.Errorf("%q: got %v, want %q", tt.text, err, tt.wrong)
		case tt.wrong == "":
			if builtIn, _ := (prompts.Set{}).Get(tt.name); builtIn.Fingerprint() == p.Fingerprint() {
				t.Errorf("%q: same fingerprint as the built-in prompt", tt.text)
			}
		}
		if set.Fingerprint(prompts.Extract) != (prompts.Set{}).Fingerprint(prompts.Extract) {
			t.Error("a prompt that is not overridden has a different fingerprint")
		}
	}
}

// TestPromptsDescribeTheirSchema compares the fields that a prompt describes with
// those of its schema.
func TestPromptsDescribeTheirSchema(t *testing.T) {
	t.Parallel()
	type object struct {
		Properties map[string]struct {
			Items struct {
				Properties map[string]any `json:"properties"`
			} `json:"items"`
		} `json:"properties"`
	}
	bullet := regexp.MustCompile(`(?m)^- ([a-z_]+)(?: and ([a-z_]+))?:`)
	for _, name := range []string{prompts.Extract, prompts.Claims, prompts.Report, prompts.Map, prompts.Rate, prompts.Drift, prompts.DriftFollow, prompts.CheckQuotes} {
		p, err := (prompts.Set{}).Get(name)
		if err != nil {
			t.Fatal(err)
		}
		var schema object
		if err := json.Unmarshal(p.Schema, &schema); err != nil {
			t.Fatal(err)
		}
		step, err := (prompts.Set{}).Get(prompts.ClaimsStep)
		if err != nil {
			t.Fatal(err)
		}
		described, defined := map[string]bool{}, map[string]bool{}
		text := p.System
		if name == prompts.Claims {
			text, _ = p.Render(prompts.Values{"claims": step.User})
		}
		for _, m := range bullet.FindAllStringSubmatch(text, -1) {
			for _, field := range m[1:] {
				if field != "" {
					described[field] = true
				}
			}
		}
		for field, of := range schema.Properties {
			// The prompt of a report describes the fields of the report, the other prompts
			// those of the elements of their lists.
			if name == prompts.Report {
				defined[field] = true
				continue
			}
			for inner := range of.Items.Properties {
				defined[inner] = true
			}
		}
		if diff := cmp.Diff(defined, described); diff != "" {
			t.Errorf("%s (-schema +prompt):\n%s", name, diff)
		}
	}
}

// TestSchemaOfJointAnswer: the answer that holds claims too has the lists of the two answers that
// it replaces.
func TestSchemaOfJointAnswer(t *testing.T) {
	t.Parallel()
	lists := map[string]any{}
	for _, name := range []string{prompts.Extract, prompts.Claims, prompts.JointJSON} {
		p, err := (prompts.Set{}).Get(name)
		if err != nil {
			t.Fatal(err)
		}
		schema, err := p.SchemaWith("types", []string{"ship", "port"})
		if err != nil {
			t.Fatal(err)
		}
		var s struct {
			Properties map[string]any `json:"properties"`
			Required   []string       `json:"required"`
		}
		if err := json.Unmarshal(schema, &s); err != nil {
			t.Fatal(err)
		}
		if name != prompts.JointJSON {
			maps.Copy(lists, s.Properties)
			continue
		}
		if diff := cmp.Diff(lists, s.Properties); diff != "" || !slices.Equal(s.Required, []string{"entities", "relationships", "claims"}) {
			t.Errorf("required %v (-two answers +joint answer):\n%s", s.Required, diff)
		}
		if !strings.Contains(string(schema), `"enum": ["ship","port"]`) || strings.Contains(string(schema), "{{") {
			t.Errorf("the types are not in the schema:\n%s", schema)
		}
	}
}

// TestPromptsSayHowToCite: every prompt that shows records says which kinds are shown, shows an
// example, keeps marks in English, and lets a statement that something is not said stand alone.
func TestPromptsSayHowToCite(t *testing.T) {
	t.Parallel()
	english := regexp.MustCompile(`these English words in any language`)
	notSaid := regexp.MustCompile(`(?:A statement that|except that) something is not said`)
	for _, name := range []string{prompts.Report, prompts.Map, prompts.Reduce, prompts.Answer, prompts.Local, prompts.Drift, prompts.DriftFollow} {
		p, err := (prompts.Set{}).Get(name)
		if err != nil {
			t.Fatal(err)
		}
		system, _ := p.Render(prompts.Values{"kinds": "KINDS", "example": "EXAMPLE", "numbers": "NUMBERS"})
		for _, want := range []string{"KINDS", "[Data: EXAMPLE]"} {
			if !strings.Contains(system, want) {
				t.Errorf("%s: %s is missing", name, want)
			}
		}
		if !english.MatchString(system) || !notSaid.MatchString(system) {
			t.Errorf("%s does not say that marks are English, or what needs no reference:\n%s", name, system)
		}
	}
}

// TestFingerprintsStay: what corpora have paid for is not made again because the words of a
// prompt changed. If a prompt changes so that earlier results are no longer valid, change its
// fingerprint here; if they are, add it to sameResults.
func TestFingerprintsStay(t *testing.T) {
	t.Parallel()
	var set prompts.Set
	got := map[string]string{}
	for _, name := range []string{prompts.Extract, prompts.JointJSON, prompts.Claims, prompts.ClaimsStep, prompts.GleanList, prompts.Glean, prompts.GleanAsk, prompts.Summarise, prompts.Report} {
		got[name] = set.Fingerprint(name)
	}
	want := map[string]string{
		prompts.Extract: "b8b73b34cd58719fff518aa2a094266f", prompts.JointJSON: "63e01f367e45273b91fe87d910df4d06",
		prompts.Claims: "1f3ef462e327ec00a91200759b3ea25b", prompts.ClaimsStep: "4f7d04698e8082bb81c06bea650d70dc",
		prompts.GleanList: "a9b335dba42963a5335686aed2fe25f0",
		prompts.Glean:     "92300f7e6903c255fb10789e8e2a7725", prompts.GleanAsk: "892abbf362ab179d1ba8bf12be837712",
		prompts.Summarise: "02dfc015bc86a5973d93bc76af2e2d39", prompts.Report: "bcbf46b1e73abab1ad58e7218fc9da1f",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("fingerprints (-want +got):\n%s", diff)
	}
}
