package extract_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/stage/extract"
	"github.com/neorag/neorag/internal/testkit/fakemodel"
	"github.com/neorag/neorag/prompts"
)

// TestRepeats: what a model says twice of a chunk counts once; what it says of the same names
// in one answer and in other words counts as often as it says it.
func TestRepeats(t *testing.T) {
	t.Parallel()
	tuple := fakemodel.Tuple
	first := tuple("entity", "Clara Hale", "person", "She met Reed.") + "##" +
		tuple("entity", "CLARA  HALE", "person", "She met Reed.") + "##" +
		tuple("entity", "Clara Hale", "person", "She is a painter.") + "##" +
		tuple("relationship", "Clara Hale", "Tobias Reed", "They met in 1921.", "meeting", 5) + "##" +
		tuple("relationship", "Tobias Reed", "Clara Hale", "They met  in 1921.", "meeting", 5) + "##" +
		tuple("relationship", "Clara Hale", "Tobias Reed", "He kept her keys.", "trust", 5) + "##" +
		tuple("claim", "Clara Hale", "NONE", "meeting", "TRUE", "1921", "1921", "She met him.", "Clara Hale met Tobias Reed") + "<|COMPLETE|>"
	more := tuple("entity", "Clara Hale", "person", "She is somebody.") + "##" +
		tuple("relationship", "Tobias Reed", "clara hale", "The two know each other.", "meeting", 5) + "##" +
		tuple("claim", "Clara Hale", "NONE", "act", "TRUE", "1921", "1921", "They met.", "“Clara Hale met Tobias Reed”") + "##" +
		tuple("entity", "Glasgow", "location", "They met there.") + "<|COMPLETE|>"
	_, c := chat(t, llmtest.Options{Handler: func(r llmtest.Request) llmtest.Reply {
		if fakemodel.Task(r) == prompts.GleanList {
			return llmtest.Reply{Text: more}
		}
		return llmtest.Reply{Text: first}
	}})
	got, err := (&extract.Model{Chat: c, Format: extract.FormatTuples}).Chunk(t.Context(), passage)
	if err != nil {
		t.Fatal(err)
	}
	want := graph.Extraction{
		Chunk: passage.Key, Alone: true,
		Entities: []graph.EntityRecord{
			{Name: "Clara Hale", Type: "person", Description: "She met Reed."},
			{Name: "Clara Hale", Type: "person", Description: "She is a painter."},
			{Name: "Glasgow", Type: "location", Description: "They met there."},
		},
		Relationships: []graph.RelationshipRecord{
			{Source: "Clara Hale", Target: "Tobias Reed", Description: "They met in 1921.", Keywords: []string{"meeting"}, Strength: 500},
			{Source: "Clara Hale", Target: "Tobias Reed", Description: "He kept her keys.", Keywords: []string{"trust"}, Strength: 500},
		},
		Claims: []graph.ClaimRecord{{Subject: "Clara Hale", Object: "NONE", Type: "meeting", Status: "TRUE", StartDate: "1921", EndDate: "1921", Description: "She met him.", SourceText: "Clara Hale met Tobias Reed"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("records (-want +got):\n%s", diff)
	}
}
