package eval

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/testkit/testcorpora"
)

func TestReadQuestions(t *testing.T) {
	t.Parallel()
	in := "\uFEFF" + `{"id": "a", "question": "Who?", "answer": "Bob", "type": "single", "evidence": ["x.txt"]}` + "\r\n\n" +
		`{"id": 7, "question": "When?", "documents": ["y", "z"]}` + "\n" +
		`{"question": "Why?"}`
	want := []Question{
		{ID: "a", Text: "Who?", Type: "single", Documents: []string{"x.txt"}, Answer: "Bob"},
		{ID: "7", Text: "When?", Documents: []string{"y", "z"}},
		{ID: "4", Text: "Why?"},
	}
	got, err := ReadQuestions(strings.NewReader(in))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for name, bad := range map[string]string{
		"invalid questions: line 1: write one JSON object": "Who?",
		`invalid questions: line 1: "question"`:            `{"id": "a"}`,
		`line 2: duplicate id "a"`:                         `{"id": "a", "question": "x"}` + "\n" + `{"id": "a", "question": "y"}`,
		"the file is empty":                                "\n\n",
		"token too long":                                   strings.Repeat(" ", maxLine+1),
	} {
		if _, err := ReadQuestions(strings.NewReader(bad)); !errors.Is(err, ErrQuestions) || !strings.Contains(err.Error(), name) {
			t.Errorf("got %v, want ErrQuestions with %q", err, name)
		}
	}
}

// TestReadSets reads the questions of the test corpora.
func TestReadSets(t *testing.T) {
	t.Parallel()
	dir := testcorpora.Dir(t)
	sets := map[string][2]int{ // questions, of which with evidence
		"lihuaworld": {386, 350}, "wild/mathematics": {}, "wild/nature": {}, "wild/history": {}, "wild/technology": {},
	}
	wild := 0
	for name, want := range sets {
		f, err := os.Open(filepath.Join(dir, name, "questions.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		questions, err := ReadQuestions(f)
		_ = f.Close()
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		with := 0
		for _, q := range questions {
			if len(q.Documents) > 0 {
				with++
			}
			if q.Type == "" {
				t.Errorf("%s: question %s has no type", name, q.ID)
			}
		}
		if strings.HasPrefix(name, "wild/") {
			wild += with
		} else if got := [2]int{len(questions), with}; got != want {
			t.Errorf("%s: got %v questions and questions with evidence, want %v", name, got, want)
		}
	}
	if wild != 201 {
		t.Errorf("wild: got %d questions with evidence, want 201", wild)
	}
}

func FuzzReadQuestions(f *testing.F) {
	f.Add(`{"id": 1, "question": "x", "documents": ["a"]}`)
	f.Add("{}\n[]")
	f.Fuzz(func(t *testing.T, in string) {
		questions, err := ReadQuestions(strings.NewReader(in))
		if (err == nil) == (len(questions) == 0) {
			t.Errorf("got %d questions and error %v", len(questions), err)
		}
		ids := map[string]bool{}
		for _, q := range questions {
			if q.Text == "" || q.ID == "" || ids[q.ID] {
				t.Errorf("question %+v", q)
			}
			ids[q.ID] = true
		}
	})
}
