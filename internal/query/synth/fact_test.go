package synth

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/query/cite"
	"github.com/neorag/neorag/internal/query/retrieve"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// chunkBlocks returns chunks as blocks, the best first.
func chunkBlocks(texts ...string) []Block {
	var out []Block
	for i, text := range texts {
		key := fmt.Sprintf("c/%d", i)
		row := neo4jstore.ChunkRow{Chunk: graph.Chunk{Key: key, Text: text, NTokens: len(text) / 4}, DocumentTitle: fmt.Sprintf("log %d", i)}
		out = append(out, ChunkBlock(retrieve.Chunk{ChunkRow: row, Score: 1 / float64(1+i)}))
	}
	return out
}

const moving = `Time: 20260301_13:00
AnnLee: Hey Bob! When is a good time for me to come by about the move-in? Thanks!
BobRay: You can come by anytime after 5 PM today. The keys are with me.
AnnLee: Awesome, see you then!
BobRay: By the way, the Wi-Fi password is "Family123".
Carl: Does anyone know a good bakery near the station?
AnnLee: Try the one on Mill Street.`

// TestAnswerFact checks the first line of answers, and which questions nothing answers.
func TestAnswerFact(t *testing.T) {
	t.Parallel()
	prose := "The bridge was opened in 1921. Clara Hale built it. Who paid for it? The Lang Company did. It was closed after the fire. The fire burned for three days."
	blocks := func() []Block { return chunkBlocks(moving, prose) }
	for _, tt := range []struct {
		name, question, first string // "" for none
		bold                  string
	}{
		{"a reply to the same question", "What time can AnnLee come by about the move-in?", `BobRay: You can come by anytime after 5 PM today.`, "5 PM"},
		{"words of the message", "What is the Wi-Fi password?", `the Wi-Fi password is "Family123".`, ""},
		{"who says it", "Who looks for a good bakery near the station?", "Carl: Does anyone know a good bakery", ""},
		{"a sentence", "Who built the bridge?", "Clara Hale built it.", ""},
		{"a reply in prose", "Who paid?", "The Lang Company did.", ""},
		{"a number", "How many days did the fire burn?", "The fire burned for three days.", "three"},
		{"nothing", "Who founded Sikhism?", "", ""},
		{"only common words", "What colour of curtains did AnnLee choose for the kitchen?", "", ""},
	} {
		d, err := Extractive{}.Answer(context.Background(), Request{Question: tt.question, AnswerTokens: 400}, blocks())
		if err != nil {
			t.Fatal(err)
		}
		if tt.first == "" {
			if len(d.Items) > 0 || d.Closest != "log 0" {
				t.Errorf("%s: %d sentences, closest %q", tt.name, len(d.Items), d.Closest)
			}
			continue
		}
		if len(d.Items) == 0 || !strings.Contains(d.Items[0].Text, tt.first) || d.Items[0].Bold != tt.bold {
			t.Errorf("%s: got %+v, want first %q with %q in bold", tt.name, d.Items, tt.first, tt.bold)
		}
	}
}

// TestAnswerFactReply takes a reply in prose only if what it replies to asks for as much as the question.
func TestAnswerFactReply(t *testing.T) {
	t.Parallel()
	const text = "The old bridge was closed. Shall the old bridge be forgotten, whatever happens? Never, said all of them."
	for question, want := range map[string]bool{"What happens to the old bridge?": false, "Shall the old bridge be forgotten?": true} {
		d, err := Extractive{}.Answer(context.Background(), Request{Question: question, AnswerTokens: 400}, chunkBlocks(text))
		if err != nil || len(d.Items) == 0 {
			t.Fatalf("%s: %+v, %v", question, d, err)
		}
		if got := slices.ContainsFunc(d.Items, func(i cite.Item) bool { return strings.HasPrefix(i.Text, "Never") }); got != want {
			t.Errorf("%s: the reply is in %+v: %v, want %v", question, d.Items, got, want)
		}
	}
}

// TestAnswerFactTime adds when a chat log was to an answer about a time.
func TestAnswerFactTime(t *testing.T) {
	t.Parallel()
	d, err := Extractive{}.Answer(context.Background(), Request{Question: "When did AnnLee ask Bob about the move-in?", AnswerTokens: 400}, chunkBlocks(moving))
	if err != nil || len(d.Items) < 2 || d.Items[1].Text != "Time: 20260301_13:00" {
		t.Errorf("got %+v, %v, want the time second", d.Items, err)
	}
}

// TestAnswerFactBounds holds answers of any text to their limits: few sentences of the text, best
// first, none of which repeats another.
func TestAnswerFactBounds(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(rapid.SampledFrom([]string{"Ann", "Bob", "met", "bridge", "fire", "1921", "the", "paid", ".", ".", "?", "\n", "Ann: ", "Time: 20260301"}), 1, 150)
		var texts []string
		for range rapid.IntRange(1, 4).Draw(t, "chunks") {
			texts = append(texts, strings.Join(words.Draw(t, "words"), " "))
		}
		limit := rapid.IntRange(1, 200).Draw(t, "limit")
		chosen := answerFact(Request{Question: "When did Ann meet Bob at the bridge?", AnswerTokens: limit}, chunkBlocks(texts...))
		tokens := 0
		for _, s := range chosen {
			tokens += ApproximateTokens(s.Text)
			if !strings.Contains(strings.Join(strings.Fields(strings.Join(texts, " ")), " "), s.Text) {
				t.Errorf("%q is not in the texts", s.Text)
			}
		}
		times := 1 // the line with the time has room besides
		if len(chosen) > factSentences+times || len(chosen) > 1+times && tokens > limit+ApproximateTokens(chosen[1].Text) {
			t.Errorf("%d sentences of %d tokens, at most %d and %d", len(chosen), tokens, factSentences, limit)
		}
		again := answerFact(Request{Question: "When did Ann meet Bob at the bridge?", AnswerTokens: limit}, chunkBlocks(texts...))
		if diff := cmp.Diff(chosen, again, cmp.AllowUnexported(Sentence{})); diff != "" {
			t.Errorf("the second time (-first +second):\n%s", diff)
		}
	})
}

// TestAnswerOrder answers by the times of chat logs.
func TestAnswerOrder(t *testing.T) {
	t.Parallel()
	party := "Time: 20260405_18:00\nBobRay: I just bought the tickets for the ferry trip to the island.\nAnnLee: Great!"
	for _, tt := range []struct {
		name, question, said, want string // "" for an answer of other sentences
		blocks                     []Block
	}{
		{"before", "Did AnnLee ask BobRay about the move-in before BobRay bought the tickets for the ferry?", "Yes", "20260301_13:00, AnnLee: Hey Bob!", chunkBlocks(moving, party)},
		{"after", "Did AnnLee ask BobRay about the move-in after BobRay bought the tickets for the ferry?", "No", "20260301_13:00, AnnLee: Hey Bob!", chunkBlocks(moving, party)},
		{"one log", "Did AnnLee ask BobRay about the move-in before BobRay told the Wi-Fi password Family123?", "", "", chunkBlocks(moving)},
		{"no times", "Did AnnLee ask BobRay about the move-in before BobRay bought the tickets for the ferry?", "", "", chunkBlocks(strings.SplitN(moving, "\n", 2)[1], strings.SplitN(party, "\n", 2)[1])},
	} {
		d, err := Extractive{}.Answer(context.Background(), Request{Question: tt.question, AnswerTokens: 400}, tt.blocks)
		if err != nil || len(d.Items) == 0 {
			t.Fatalf("%s: %+v, %v", tt.name, d, err)
		}
		got := d.Items[0].Text
		if tt.said == "" {
			if strings.HasPrefix(got, "Yes") || strings.HasPrefix(got, "No:") {
				t.Errorf("%s: got %q", tt.name, got)
			}
			continue
		}
		if !strings.HasPrefix(got, tt.said+": "+tt.want) || d.Items[0].Bold != tt.said || len(d.Items) != 2 {
			t.Errorf("%s: got %+v, want %s: %q", tt.name, d.Items, tt.said, tt.want)
		}
	}
}
