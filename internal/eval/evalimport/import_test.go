package evalimport_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/eval/evalimport"
	"github.com/neorag/neorag/internal/eval/evalrun"
)

func TestRead(t *testing.T) {
	t.Parallel()
	named := evalimport.Fields{Question: "q", Answer: "a", Evidence: "e.title"}
	two := []evalrun.Question{{ID: "1", Text: "Who?", Answer: "Ada", Documents: []string{"x.md", "y.md"}}, {ID: "2", Text: "When?", Answer: "1843"}}
	for _, tt := range []struct {
		name, body string
		fields     evalimport.Fields
		want       []evalrun.Question
	}{
		{"lines", "\uFEFF{\"q\": \"Who?\", \"a\": \" Ada \", \"e\": [{\"title\": \"x.md\"}, {\"title\": \"y.md\"}, {\"title\": \"x.md\"}]}\n\n{\"q\": \"When?\", \"a\": 1843}\n", named, two},
		{"list", `[{"q": "Who?", "a": "Ada", "e": {"title": ["x.md", "y.md"]}}, {"q": "When?", "a": 1843, "e": null}]`, named, two},
		{
			"below a field", `{"version": 1, "data": [{"q": "Who?", "a": "Ada", "e": [{"title": "x.md"}, {"title": "y.md"}]}, {"q": "When?", "a": "1843"}]}`,
			evalimport.Fields{Items: "data", Question: "q", Answer: "a", Evidence: "e.title"},
			two,
		},
		{
			"several paths of the id", `[{"s": "A", "n": 1, "q": "Who?"}, {"s": "B", "n": 1, "q": "Who?"}]`,
			evalimport.Fields{ID: "s, n", Question: "q"},
			[]evalrun.Question{{ID: "A/1", Text: "Who?"}, {ID: "B/1", Text: "Who?"}},
		},
		{
			"questions without an answer in the documents", `[{"q": "Who?", "t": "null_query"}, {"q": "When?", "t": "temporal"}]`,
			evalimport.Fields{Question: "q", Type: "t", Unanswerable: "Null_Query"},
			[]evalrun.Question{{ID: "1", Text: "Who?", Type: "null"}, {ID: "2", Text: "When?", Type: "temporal"}},
		},
	} {
		got, err := evalimport.Read(strings.NewReader(tt.body), tt.fields)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		if diff := cmp.Diff(tt.want, got.Questions); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

// TestFormats reads an item in the form of each published set.
func TestFormats(t *testing.T) {
	t.Parallel()
	for format, tt := range map[string]struct {
		body string
		want evalrun.Question
	}{
		"graphrag-bench": {
			`[{"id": "Novel-1", "source": "Novel-30752", "question": "Who?", "answer": "Ada", "question_type": "Fact Retrieval", "evidence": ["A sentence."], "evidence_relations": "r"}]`,
			evalrun.Question{ID: "Novel-30752/Novel-1", Text: "Who?", Answer: "Ada", Type: "Fact Retrieval", Documents: []string{"Novel-30752"}},
		},
		"lihuaworld": {
			`{"7": {"question": "Who?", "answer": "Ada", "evidence": "20260121_10:00<and>20260701_10:00", "type": "Null"}}`,
			evalrun.Question{ID: "7", Text: "Who?", Answer: "Ada", Type: "null", Documents: []string{"20260121_10:00", "20260701_10:00"}},
		},
		"hotpotqa": {
			`[{"_id": "5a8b", "question": "Who?", "answer": "yes", "type": "comparison", "level": "hard", "supporting_facts": [["Ada", 0], ["Ada", 3], ["Babbage", 0]], "context": []}]`,
			evalrun.Question{ID: "5a8b", Text: "Who?", Answer: "yes", Type: "comparison", Documents: []string{"Ada", "Babbage"}},
		},
		"musique": {
			`{"id": "2hop__1_2", "question": "Who?", "answer": "Ada", "answer_aliases": [], "answerable": true, "paragraphs": [{"idx": 0, "title": "A", "is_supporting": false}, {"idx": 1, "title": "B", "is_supporting": true}]}`,
			evalrun.Question{ID: "2hop__1_2", Text: "Who?", Answer: "Ada", Documents: []string{"B"}},
		},
	} {
		got, err := evalimport.Read(strings.NewReader(tt.body), evalimport.Formats[format])
		if err != nil {
			t.Errorf("%s: %v", format, err)
			continue
		}
		if diff := cmp.Diff([]evalrun.Question{tt.want}, got.Questions); diff != "" {
			t.Errorf("%s (-want +got):\n%s", format, diff)
		}
	}
	if len(evalimport.Formats) != 4 {
		t.Errorf("%d formats: test each", len(evalimport.Formats))
	}
}

// TestReadErrors: a message names the line or the item, and what to change.
func TestReadErrors(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, body string
		fields     evalimport.Fields
		want       string
	}{
		{"no question", `{}`, evalimport.Fields{}, "--question"},
		{"wrong path", `{}`, evalimport.Fields{Question: "a..b"}, "--question: path"},
		{"other field", `[{"query": "Who?", "id": 3}]`, evalimport.Fields{Question: "question"}, "item 1 (line 1): --question question leads to 0 texts, not one: the item is an object with the fields id, query"},
		{"not JSON", "{\"q\": \"Who?\"}\n{\"q\": \n\n}", evalimport.Fields{Question: "q"}, "line 2: item 2: not valid JSON"},
		{"list does not end", "[{\"q\": \"Who?\"},\n", evalimport.Fields{Question: "q"}, "item 2"},
		{"empty", "", evalimport.Fields{Question: "q"}, "no items"},
		{"empty list", "[]", evalimport.Fields{Question: "q"}, "no items"},
		{"object", "[{\"q\": \"Who?\"},\n{\"q\": {\"text\": \"Who?\"}}]", evalimport.Fields{Question: "q"}, "item 2 (line 2): --question q leads to an object with the fields text"},
		{"same id", "{\"q\": \"Who?\", \"i\": 1}\n{\"q\": \"When?\", \"i\": 1}", evalimport.Fields{Question: "q", ID: "i"}, `item 2 (line 2): its id "1" is also the id of item 1 (line 1)`},
		{"answers nowhere", `[{"q": "Who?"}]`, evalimport.Fields{Question: "q", Answer: "gold"}, "--answer gold leads to nothing in all 1 items"},
		{"items nowhere", `{"rows": []}`, evalimport.Fields{Items: "data", Question: "q"}, "--items data leads to nothing: the value is an object with the fields rows"},
		{"long question", `[{"q": "` + strings.Repeat("x", 1<<20) + `"}]`, evalimport.Fields{Question: "q"}, "more than 1048576 bytes"},
	} {
		_, err := evalimport.Read(strings.NewReader(tt.body), tt.fields)
		if !errors.Is(err, evalimport.ErrImport) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %v, want %q", tt.name, err, tt.want)
		}
	}
}

// TestSeveralAnswers: the first is kept, and the questions are counted.
func TestSeveralAnswers(t *testing.T) {
	t.Parallel()
	got, err := evalimport.Read(strings.NewReader(`[{"q": "Who?", "a": ["Ada", "Ada Lovelace"]}, {"q": "When?", "a": ["1843"]}]`), evalimport.Fields{Question: "q", Answer: "a"})
	if err != nil || got.SeveralAnswers != 1 || got.Questions[0].Answer != "Ada" {
		t.Errorf("got %+v, %v", got, err)
	}
}

// FuzzRead: any file is refused with a message, or gives questions with a text and different ids.
func FuzzRead(f *testing.F) {
	f.Add(`[{"q": "Who?", "e": [["A", 0]]}]`)
	f.Add("{\"q\": \"Who?\"}\n{\"q\": 1}")
	f.Add(`[1, "a", null, [[]]`)
	f.Fuzz(func(t *testing.T, body string) {
		got, err := evalimport.Read(strings.NewReader(body), evalimport.Fields{Question: "q", Answer: "e.*.0"})
		if err != nil {
			return
		}
		ids := map[string]bool{}
		for _, q := range got.Questions {
			if q.Text == "" || ids[q.ID] {
				t.Errorf("question %+v", q)
			}
			ids[q.ID] = true
		}
	})
}
