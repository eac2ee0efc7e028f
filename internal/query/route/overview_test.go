package route

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/text/textproc"
)

func TestOverviewTypes(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		question string
		overview bool
		want     []string
	}{
		{"Who are the main characters?", true, []string{"person"}},
		{"Who appears in the story?", true, []string{"person"}},
		{"Which places are mentioned?", true, []string{"location"}},
		{"What organisations and people are important?", true, []string{"person", "organization"}},
		{"What happens?", true, []string{"event"}},
		{"What are the main themes?", true, nil},
		{"Which people did Scrooge meet?", false, []string{"person"}},
		{"Worum geht es in diesem Buch?", true, nil},
		{"Welche Orte sind wichtig?", true, []string{"location"}},
		{"Welche Personen kennt Lotte?", false, []string{"person"}},
		{"Quels sont les thèmes principaux ?", true, nil},
		{"Qui sont les personnages principaux ?", true, []string{"person"}},
		{"Qui a tué le loup ?", false, []string{"person"}},
		{"¿De qué trata este libro?", true, nil},
		{"¿Qué ciudades aparecen en el libro con Marcial?", false, []string{"location"}},
		{"这本书的主要主题是什么？", true, nil},
		{"主要人物是谁？", true, []string{"person"}},
		{"谁杀了程远志？", false, []string{"person"}},
		{"ما هو موضوع القصة؟", true, nil},
		{"أين ولد الملك؟", false, nil},
	} {
		if got := IsOverview(textproc.ReadQuestion(tt.question)); got != tt.overview {
			t.Errorf("%q is an overview question: %v", tt.question, got)
		}
		if diff := cmp.Diff(tt.want, OverviewTypes(tt.question)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tt.question, diff)
		}
	}
}
