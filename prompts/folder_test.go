package prompts_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/neorag/neorag/prompts"
)

func TestExport(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "mine")
	files, err := prompts.Set{}.Export(dir, false)
	if err != nil || len(files) <= len(prompts.Names()) {
		t.Fatalf("wrote %d files, %v", len(files), err)
	}
	mine := prompts.Set{Dir: dir}
	if problems := mine.Problems(); len(problems) > 0 {
		t.Errorf("exported prompts: %v", problems)
	}
	if mine.Fingerprint(prompts.Names()...) != (prompts.Set{}).Fingerprint(prompts.Names()...) {
		t.Error("exported prompts have another fingerprint than the built-in ones")
	}
	if !mine.IsReplaced(prompts.Report) || (prompts.Set{}).IsReplaced(prompts.Report) {
		t.Error("IsReplaced is wrong")
	}
	changed := filepath.Join(dir, "report.md")
	if err := os.WriteFile(changed, []byte("mine: {{context}}"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := (prompts.Set{}).Export(dir, false); !errors.Is(err, prompts.ErrExists) || !strings.Contains(err.Error(), "answer-claims.md") || !strings.Contains(err.Error(), "more") {
		t.Errorf("a second export: %v", err)
	}
	if b, err := os.ReadFile(changed); err != nil || string(b) != "mine: {{context}}" {
		t.Errorf("the changed file holds %q, %v", b, err)
	}
	if _, err := (prompts.Set{}).Export(dir, true); err != nil {
		t.Error(err)
	}
	if text, schema, err := mine.Text(prompts.Report); err != nil || !strings.Contains(text, "{{findings}}") || !strings.Contains(schema, "rating") {
		t.Errorf("after an export that overwrites: %q, %v", text, err)
	}
}

func TestProblems(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for file, content := range map[string]string{
		"map.md": "Answer {{question}}.", "report.md": "{{contxt}} {{context}}", "extract.schema.json": "{", "repot.md": "x", "domain.json": "{}", "README.md": "x",
	} {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var all []string
	for _, err := range (prompts.Set{Dir: dir}).Problems() {
		all = append(all, err.Error())
	}
	text := strings.Join(all, "\n")
	for _, want := range []string{`"repot.md"`, "schema of prompt extract: not valid JSON", "{{context}} is missing", "unknown placeholder {{contxt}}"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if len(all) != 4 {
		t.Errorf("%d problems, want 4:\n%s", len(all), text)
	}
	if got := (prompts.Set{Dir: filepath.Join(dir, "none")}).Problems(); len(got) != 1 {
		t.Errorf("a folder that does not exist: %v", got)
	}
	known, needed := prompts.Placeholders(prompts.Report)
	if len(known) < 5 || len(needed) != 1 || needed[0] != "context" {
		t.Errorf("placeholders of report: %v, of which needed %v", known, needed)
	}
}
