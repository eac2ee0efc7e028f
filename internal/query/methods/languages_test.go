package methods_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/query/methods/auto"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

// A languageCase is what a corpus in one language holds and is asked.
type languageCase struct {
	folder   string
	entities []string // that are found
	question string
	says     string // part of the sentence that answers it, in the first line
	overview string // a question about the whole
	unsaid   string // a question that nothing answers
}

var languageCases = []languageCase{
	{
		folder: "arabic", entities: []string{"سلامان", "أسال"},
		question: "ماذا يسمى الفتيان من أهل الفضل والخير اللذان نشآ بالجزيرة؟", says: "يسمى أحدهما أسال والآخر سلامان",
		overview: "ما هي أهم الشخصيات؟", unsaid: "متى افتتح مطار القاهرة الدولي؟",
	},
	{
		folder: "chinese", entities: []string{"玄德", "张飞", "卢植", "张角", "刘焉", "皇甫嵩"},
		question: "云长造的青龙偃月刀重多少斤？", says: "重**八十二斤**",
		overview: "主要人物是谁？", unsaid: "上海火车站的票价是多少钱？",
	},
	{
		folder: "french", entities: []string{"Charles", "Emma", "Lavaltrie", "Joe"},
		question: "Quel est le nom du boss des piqueurs qui secoue rudement Joe ?", says: "le boss des piqueurs, Baptiste Durand",
		overview: "Quels sont les personnages principaux ?", unsaid: "Quel est le prix d'un billet d'avion pour Marseille ?",
	},
	{
		folder: "german", entities: []string{"Lotte", "Albert", "Wilhelm"},
		question: "Wie nennen sie den Ort, der ungefähr eine Stunde von der Stadt liegt?", says: "ein Ort, den sie Wahlheim nennen",
		overview: "Welche Personen kommen vor?", unsaid: "Wann wurde der Hamburger Flughafen eröffnet?",
	},
	{
		folder: "spanish", entities: []string{"Doña Francisca", "D. Alonso", "Marcial", "Córdova"},
		question: "¿Durante cuántos años había sido Marcial contramaestre en barcos de guerra?", says: "contramaestre en barcos de guerra durante cuarenta años",
		overview: "¿Quiénes son los personajes importantes?", unsaid: "¿Qué equipo ganó el campeonato mundial de fútbol?",
	},
}

// TestLanguages indexes and asks texts in other languages than English without a model.
func TestLanguages(t *testing.T) {
	t.Parallel()
	for _, c := range languageCases {
		t.Run(c.folder, func(t *testing.T) {
			t.Parallel()
			store := open(t)
			corpus := neo4jtest.Borrow(t, "index")
			e := indexed(t, store, index.Options{Corpus: corpus}, filepath.Join("testdata", "languages", c.folder))
			entities, err := store.MostMentioned(t.Context(), corpus, nil, 1000)
			if err != nil {
				t.Fatal(err)
			}
			var names []string
			for _, found := range entities {
				names = append(names, found.Name)
			}
			for _, want := range c.entities {
				if !slices.Contains(names, want) {
					t.Errorf("no entity %s among %s", want, strings.Join(names, "; "))
				}
			}
			ask := func(question string) query.Answer {
				a, err := e.Ask(t.Context(), query.Question{Text: question, Method: "auto"})
				if err != nil {
					t.Fatalf("%s: %v", question, err)
				}
				t.Logf("%s\n(%s)\n%s", question, traceOf[auto.Choice](a).Method, a.Answer)
				return a
			}
			if a := ask(c.question); !strings.Contains(a.Answer, c.says) || len(a.References) == 0 {
				t.Errorf("%s: %q does not contain %q, %d references", c.question, a.Answer, c.says, len(a.References))
			}
			if a := ask(c.overview); traceOf[auto.Choice](a).Method != "global" || len(a.References) == 0 {
				t.Errorf("%s: by %s with %d references", c.overview, traceOf[auto.Choice](a).Method, len(a.References))
			}
			if a := ask(c.unsaid); len(a.References) > 0 {
				t.Errorf("%s: %q", c.unsaid, a.Answer)
			}
		})
	}
}
