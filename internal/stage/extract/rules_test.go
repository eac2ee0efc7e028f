package extract

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/neorag/neorag/internal/graph"
)

// windows splits a text into overlapping chunks at spaces.
func windows(text string, size, overlap int) []graph.Chunk {
	var out []graph.Chunk
	for start := 0; start < len(text); {
		end := min(len(text), start+size)
		if i := strings.LastIndexByte(text[start:end], ' '); end < len(text) && i > size/2 {
			end = start + i
		}
		for end < len(text) && !utf8.RuneStart(text[end]) {
			end++
		}
		out = append(out, graph.Chunk{Key: "c" + strconv.Itoa(len(out)), Text: text[start:end], Index: len(out), Start: start, End: end})
		if end == len(text) {
			break
		}
		for start = max(start+1, end-overlap); start < len(text) && !utf8.RuneStart(text[start]); start++ {
		}
	}
	return out
}

func document(tb testing.TB, r Rules, text string, chunks []graph.Chunk) []graph.Extraction {
	tb.Helper()
	out, err := r.Document(tb.Context(), text, chunks)
	if err != nil {
		tb.Fatal(err)
	}
	return out
}

// extractText extracts from a text that is one chunk.
func extractText(tb testing.TB, text string) graph.Extraction {
	tb.Helper()
	return document(tb, Rules{}, text, []graph.Chunk{{Key: "c", Text: text, End: len(text)}})[0]
}

func typesOf(x graph.Extraction) map[string]string {
	out := map[string]string{}
	for _, e := range x.Entities {
		out[e.Name] = e.Type
	}
	return out
}

func pairsOf(x graph.Extraction) []string {
	var out []string
	for _, r := range x.Relationships {
		out = append(out, strings.Join(append([]string{r.Source, r.Target}, r.Keywords...), " | "))
	}
	return out
}

func TestTypes(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]map[string]string{
		"Mr. Marley met Professor Brown, and then Harriet spoke to them.":                   {"Mr. Marley": "person", "Professor Brown": "person", "Harriet": "person"},
		"They sailed from Lisbon to Lake Victoria and lived near Whitby for a while.":       {"Lisbon": "location", "Lake Victoria": "location", "Whitby": "location"},
		"It was told to Acme Ltd and to the University of Leeds by the publisher Zorbex.":   {"Acme Ltd": "organization", "University of Leeds": "organization", "Zorbex": "organization"},
		"He fought during the Crimean War and he saw Typhoon Bopha after that.":             {"Crimean War": "event", "Typhoon Bopha": "event"},
		"We went to see King's Landing, and we spoke of Prime Minister Alf Tubb after it.":  {"King's Landing": "concept", "Prime Minister Alf Tubb": "person"},
		"In the evening they listen to \"Stairway to Heaven\" in the house with the others": {"Stairway to Heaven": "concept"},

		"They believe in Islam and Zoroastrianism. She went from Buddhism to Sikhism.":                  {"Islam": "concept", "Zoroastrianism": "concept", "Buddhism": "concept", "Sikhism": "concept"},
		"He lived near the Sikhs for years. The Kurds asked for it, and in Sanskrit it is told.":        {"Sikhs": "concept", "Kurds": "concept", "Sanskrit": "concept"},
		"We wrote it on an iPhone, then in Linux, and at last in Zorbex 4 with the others.":             {"iPhone": "concept", "Linux": "concept", "Zorbex 4": "concept"},
		"They saw the film Vertigo Heights again. In Vertigo Heights he plays a poor clerk.":            {"Vertigo Heights": "concept"},
		"She read it in Grim Harvest, a novel by the well-known writer from the north of it.":           {"Grim Harvest": "concept"},
		"It came out in Zedfall, which is a game. Zedfall is a game of skill for two of them.":          {"Zedfall": "concept"},
		"The users of Flexix were glad of it. They installed Flexix, and in Flexix it never failed.":    {"Flexix": "concept"},
		"We heard it at Brimwell, a town in the hills. Later she spoke of Brimwell again.":              {"Brimwell": "location"},
		"They went on from Trimpool to Ostermark, and all of it took them many days.":                   {"Trimpool": "location", "Ostermark": "location"},
		"It was made by Acme Games for them, as the people of Acme Games told us later on.":             {"Acme Games": "organization"},
		"He spoke to the Secretary of State and the Norwegian Ambassador about the case again.":         {"Secretary of State": "person", "Norwegian Ambassador": "person"},
		"She watched Lords of War with him. The war was long over by then, as we all knew well.":        {"Lords of War": "concept"},
		"The OpenZed driver is good. He ran it in OpenZed, and she ran it with the OpenZed too.":        {"OpenZed": "concept"},
		"It runs as a QVX process. They wrote a QVX for it, and the QVX files are large ones.":          {"QVX": "concept"},
		"They signed it in the General Assembly of the land, and the Fighter Command was told.":         {"General Assembly": "organization", "Fighter Command": "organization"},
		"They wrote MAX DEPTH under it. The MAX DEPTH was read off twice, and then MAX DEPTH fell.":     {"MAX DEPTH": "concept"},
		"Many left General Wardship then. They said that General Wardship was poor in those years.":     {"General Wardship": "concept"},
		"Parliament passed the Grain Relief Act in that year, and she spoke of the Lend-Lease Program.": {"Grain Relief Act": "concept", "Lend-Lease Program": "concept"},
	} {
		got := typesOf(extractText(t, text))
		for name, kind := range want {
			if got[name] != kind {
				t.Errorf("%q: type of %s is %q, want %q (all: %v)", text, name, got[name], kind, got)
			}
		}
	}
}

func TestAliases(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"long form": {"We saw Bob Cratchit there. Then Bob went, and Mr. Cratchit, as they call him, sat with Bob Cratchit.", []string{"Bob Cratchit"}},
		"short form when it is far more frequent": {
			"It was Ebenezer Scrooge. " + strings.Repeat("They asked Scrooge again and again. ", 9) + "Scrooge Scrooge and Mr. Scrooge came.",
			[]string{"Scrooge"},
		},
		"two long forms stay separate": {"We saw Bob Cratchit and Peter Cratchit there, and of a Cratchit we heard.", []string{"Bob Cratchit", "Peter Cratchit", "Cratchit"}},
		"wives stay separate":          {"We saw Mrs. Cratchit there, and of Mr. Cratchit we heard.", []string{"Mrs. Cratchit", "Mr. Cratchit"}},
		"initials":                     {"He works for the World Meteorological Organization (WMO) and he likes WMO a lot.", []string{"World Meteorological Organization"}},
		"plural of initials":           {"They saw the WMO and then they saw all the WMOs of it.", []string{"WMO"}},
		"speaker's full name wins":     {"LiHua: It is me here.\n" + strings.Repeat("Ann: I see you, Hua, and I hear you.\n", 9), []string{"Li Hua", "Ann"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, e := range extractText(t, c.text).Entities {
				if e.Name != strings.ToLower(e.Name) {
					got = append(got, e.Name)
				}
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("names (-want +got):\n%s", diff)
			}
		})
	}
}

func TestEntityPairs(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		"We know that Fan visited Scrooge in the end.":                                       {"Fan | Scrooge | visited"},
		"Bob: Got it, Ann.\nAnn: Fine.\n":                                                    {"Bob | Ann | addresses"},
		"Bob: I love Barcelona so much.\nAnn: Fine.\n":                                       {"Bob | Barcelona | love"},
		"We saw Fred there. We heard nothing of Topper.":                                     nil,
		"Home Bob Cratchit News Sport\n\nFred Topper Home News Sport":                        nil,
		"References\n\nBrandt, J. How Topper visited Fred at home. Weir, 1931.\n":            nil,
		"How Fred visited Topper in the house of Scrooge ........ 12\n":                      nil,
		"Fred said on July 16, 2012 at 5:12 pm\nWe know that Topper visited Fan in the end.": {"Topper | Fan | visited"},
		"They know Bob. Then they know nothing of him, as he said to Fan at once":            {"Bob | Fan | said"},
	} {
		if diff := cmp.Diff(want, pairsOf(extractText(t, text))); diff != "" {
			t.Errorf("%q: pairs (-want +got):\n%s", text, diff)
		}
	}
}

func TestStrengthGrowsWithInstances(t *testing.T) {
	t.Parallel()
	one := "We know that Fan visited Scrooge in the end.\n\n"
	strength := func(times int) int {
		return extractText(t, strings.Repeat(one, times)).Relationships[0].Strength
	}
	if got, want := []int{strength(1), strength(2), strength(99)}, []int{600, 650, 1000}; !slices.Equal(got, want) {
		t.Errorf("strength of a verb between close names, stated once, twice and 99 times: %v, want %v", got, want)
	}
}

func TestClaims(t *testing.T) {
	t.Parallel()
	stated := func(subject, object, kind, status, start, end string) graph.ClaimRecord {
		return graph.ClaimRecord{Subject: subject, Object: object, Type: kind, Status: status, StartDate: start, EndDate: end}
	}
	for text, want := range map[string][]graph.ClaimRecord{
		"We know that Franklin Roosevelt died on April 12, 1945.":               {stated("Franklin Roosevelt", "", "fact", "TRUE", "1945-04-12", "1945-04-12")},
		"We read that Einstein lived in Zurich from 1896 to 1900.":              {stated("Einstein", "Zurich", "fact", "TRUE", "1896", "1900")},
		"They say that Einstein may have sold twenty pictures.":                 {stated("Einstein", "", "figure", "SUSPECTED", "", "")},
		"They say that Einstein never wrote to anybody at all.":                 {stated("Einstein", "", "denial", "FALSE", "", "")},
		"They say that Einstein wrote to them about the house.":                 nil,
		"There is no doubt that Einstein wrote to them about the house.":        nil,
		"They say that Einstein was without a doubt the owner of the house.":    nil,
		"They say that Einstein could not help but laugh at the house.":         nil,
		"They say that Einstein could not help them with the letters.":          {stated("Einstein", "", "denial", "SUSPECTED", "", "")},
		"They say that Einstein did not help them with the letters.":            {stated("Einstein", "", "denial", "FALSE", "", "")},
		"They say that Einstein was not only a writer but the owner of it.":     nil,
		"They say that Einstein was none other than the owner of the house.":    nil,
		"There was no question of it when Einstein wrote to them again.":        {stated("Einstein", "", "denial", "FALSE", "", "")},
		"There is no doubt that Einstein never wrote to them about it.":         {stated("Einstein", "", "denial", "FALSE", "", "")},
		"Did they say that Einstein was born in 1879?":                          nil,
		"Time: 20260105_11:00\nBob: I will be there tomorrow.\nAnn: OK, fine.":  {stated("Bob", "", "fact", "TRUE", "2026-01-06", "2026-01-06")},
		"Time: 20260105_11:00\nBob: I can come on 8 June again.\nAnn: OK, fine": {stated("Bob", "", "fact", "TRUE", "2026-06-08", "2026-06-08")},
	} {
		x := extractText(t, text)
		var got []graph.ClaimRecord
		for _, c := range x.Claims {
			if !strings.Contains(text, c.SourceText) || c.Description == "" {
				t.Errorf("%q: source %q, description %q", text, c.SourceText, c.Description)
			}
			c.SourceText, c.Description = "", ""
			got = append(got, c)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q: claims (-want +got):\n%s", text, diff)
		}
	}
}

func TestDescriptionDefines(t *testing.T) {
	t.Parallel()
	x := extractText(t, "We went out to see Topper there again. Topper is a bachelor of the old sort. Later on we all thought of Topper and left.")
	if got, want := x.Entities[0].Description, "Topper is a bachelor of the old sort."; !strings.HasPrefix(got, want) {
		t.Errorf("description %q does not begin with %q", got, want)
	}
}

func TestOverlapCountsOnce(t *testing.T) {
	t.Parallel()
	text := "We know that Fan visited Scrooge in the end. Then Fan left Scrooge behind. Later Scrooge saw Fan once more."
	at := func(s string) int { return strings.Index(text, s) }
	chunks := []graph.Chunk{
		{Key: "a", Start: 0, End: at("Later")},
		{Key: "b", Start: at("Then"), End: at("saw Fan")},
		{Key: "c", Start: at("Later") + 3, End: len(text)},
		{Key: "d", Start: len(text), End: len(text)},
	}
	for i := range chunks {
		chunks[i].Text = text[chunks[i].Start:chunks[i].End]
	}
	var got []string
	for _, x := range document(t, Rules{}, text, chunks) {
		got = append(got, fmt.Sprintf("%s %d %d", x.Chunk, len(x.Entities), len(x.Relationships)))
	}
	if diff := cmp.Diff([]string{"a 2 1", "b 0 0", "c 2 1", "d 0 0"}, got); diff != "" {
		t.Errorf("entities and pairs by chunk (-want +got):\n%s", diff)
	}
}

func TestConceptsOption(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("Fan shut the door of the house behind the nephew, and Scrooge saw the ghost in the room by the window. ", 4)
	count := func(concepts int) int {
		x := document(t, Rules{Concepts: concepts}, text, windows(text, len(text), 0))[0]
		n := 0
		for _, e := range x.Entities {
			if e.Name == strings.ToLower(e.Name) {
				n++
			}
		}
		return n
	}
	if none, few, many := count(-1), count(1), count(60); none != 0 || few == 0 || many <= few {
		t.Errorf("common nouns with -1, 1 and 60: %d, %d, %d", none, few, many)
	}
}

func TestFingerprint(t *testing.T) {
	t.Parallel()
	zero, again, other := Rules{}.Fingerprint(), Rules{}.Fingerprint(), Rules{Concepts: 3}.Fingerprint()
	if zero != again || zero == other {
		t.Error("the fingerprint must depend only on the options")
	}
}

func TestChunkOutsideDocument(t *testing.T) {
	t.Parallel()
	if _, err := (Rules{}).Document(t.Context(), "short", []graph.Chunk{{Key: "k", Start: 2, End: 9}}); err == nil || !strings.Contains(err.Error(), "chunk k") {
		t.Errorf("got error %v, want one that names the chunk", err)
	}
}

func TestCancelled(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := (Rules{}).Document(ctx, "We saw Bob.", nil); !errors.Is(err, context.Canceled) {
		t.Errorf("got error %v, want context.Canceled", err)
	}
}

// checkExtractions fails the test unless every record keeps the promises of Document.
func checkExtractions(t interface{ Fatalf(string, ...any) }, text string, chunks []graph.Chunk, out []graph.Extraction) {
	if len(out) != len(chunks) {
		t.Fatalf("%d extractions of %d chunks", len(out), len(chunks))
	}
	for i, x := range out {
		if x.Chunk != chunks[i].Key {
			t.Fatalf("extraction %d is of chunk %q, want %q", i, x.Chunk, chunks[i].Key)
		}
		names := map[string]bool{}
		for _, e := range x.Entities {
			if names[e.Name] || e.Name == "" || utf8.RuneCountInString(e.Name) > maxName || !slices.Contains(typeNames[:], e.Type) {
				t.Fatalf("entity %+v is a duplicate, or has no name, a name that is too long, or an unknown type", e)
			}
			if utf8.RuneCountInString(e.Description) > maxDescription+1 || strings.ContainsAny(e.Description, "\n\t") {
				t.Fatalf("description %q is too long or not on one line", e.Description)
			}
			names[e.Name] = true
		}
		seen := map[[2]string]bool{}
		for _, r := range x.Relationships {
			key := [2]string{min(r.Source, r.Target), max(r.Source, r.Target)}
			if seen[key] || !names[r.Source] || !names[r.Target] || r.Source == r.Target || r.Strength < 100 || r.Strength > 1000 || r.Description == "" {
				t.Fatalf("relationship %+v: want ends that are entities, a strength of 100 to 1000, and one relationship per pair", r)
			}
			seen[key] = true
		}
		for _, c := range x.Claims {
			if !strings.Contains(text[chunks[i].Start:chunks[i].End], c.SourceText) || !names[c.Subject] || c.Object != "" && !names[c.Object] || !slices.Contains([]string{"TRUE", "FALSE", "SUSPECTED"}, c.Status) {
				t.Fatalf("claim %+v: want a source in the text of the chunk and ends that are entities", c)
			}
		}
	}
}

func TestAnyTextKeepsPromises(t *testing.T) {
	t.Parallel()
	piece := rapid.SampledFrom([]string{
		"Bob", "Fan", "Scrooge", "Mrs. Dilber", "the house", "a nephew", " said ", " visited ", " ", ", ", ". ", "! ", "? ", "\n", "\n\n", "'s ", "\"", "“", "”", "1945", "April 12, ",
		"Bob: ", "LiHua: ", "I ", "she ", "World Health Office (WHO) ", "[Bob](http://x) ", "![i](j)", "_", "-", "é", "日本", "\xff", "never ", "may ", "IV ", "Ameri-can ", "American ",
	})
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(piece, 0, 120).Draw(t, "pieces"), "") + rapid.String().Draw(t, "tail")
		chunks := windows(text, rapid.IntRange(5, 300).Draw(t, "size"), rapid.IntRange(0, 50).Draw(t, "overlap"))
		out, err := Rules{Concepts: rapid.IntRange(-1, 90).Draw(t, "concepts")}.Document(context.Background(), text, chunks)
		if err != nil {
			t.Fatalf("%v", err)
		}
		checkExtractions(t, text, chunks, out)
	})
}

// numbered returns n texts that differ in one word.
func numbered(n int, format string) string {
	var b strings.Builder
	for i := range n {
		letters := strings.Map(func(r rune) rune { return r - '0' + 'a' }, strconv.Itoa(i))
		fmt.Fprintf(&b, format, letters)
	}
	return b.String()
}

// A megabyte takes half a second; with a quadratic step it would take minutes.
func TestHostileText(t *testing.T) {
	for name, text := range map[string]string{
		"letters": strings.Repeat("a", 1<<20), "capitals": strings.Repeat("Ab ", 1<<18), "one sentence": strings.Repeat("the Cat sat in a house with Bob and ", 1<<15),
		"quotes": strings.Repeat("\"A ", 1<<18), "initials": strings.Repeat("Aa Bb (AB) ", 1<<16), "one speaker": strings.Repeat("Bob: hi\n", 1<<17),
		"speakers": numbered(1<<15, "N%s: hello I saw Bob\n"), "long names": numbered(1<<15, "He met N%s Smith. "), "distinct": numbered(1<<16, "N%s "),
		"links": strings.Repeat("[a](", 1<<18), "possessives": strings.Repeat("Bob's ", 1<<17), "bad bytes": strings.Repeat("\xff\xfe", 1<<19),
	} {
		t.Run(name, func(t *testing.T) {
			chunks := windows(text, 2600, 430)
			checkExtractions(t, text, chunks, document(t, Rules{}, text, chunks))
		})
	}
}
