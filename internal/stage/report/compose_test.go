package report

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/graph"
)

// mention is a section that mentions an entity n times.
func mention(document, title, path string, n int) graph.SectionMentions {
	return graph.SectionMentions{Document: "t/" + document, Title: title, Path: path, N: n}
}

// harbour returns a community whose members are mentioned in the given sections; the names in capitals
// of its entities are the keys.
func harbour(sections map[string][]graph.SectionMentions, sentence string) Input {
	in := Input{Community: graph.Community{Key: "t/c", Final: true}, Sections: map[string][]graph.SectionMentions{}}
	for _, name := range slices.Sorted(maps.Keys(sections)) {
		key := "t/" + strings.ToLower(name)
		in.Entities = append(in.Entities, graph.Entity{Key: key, Name: name, Type: "concept", Description: strings.ReplaceAll(sentence, "X", name)})
		in.Community.Members = append(in.Community.Members, key)
		in.Sections[key] = sections[name]
	}
	return in
}

func TestSectionTitle(t *testing.T) {
	t.Parallel()
	const english, german = "The X is what the pilot of the harbour asks for.", "Das ist ein X, nach dem der Lotse im Hafen fragt."
	for name, tt := range map[string]struct {
		sections map[string][]graph.SectionMentions
		sentence string
		children []string
		want     string
	}{
		"heading with names": {map[string][]graph.SectionMentions{
			"Pilot Card": {mention("guide.md", "Guide", "Guide > Pilots on board", 2)}, "Tide Desk": {mention("guide.md", "Guide", "Guide > Pilots on board", 1)},
		}, english, nil, "Pilots on board: Pilot Card and Tide Desk"},
		"no common nouns, identifiers, or names from elsewhere": {map[string][]graph.SectionMentions{
			"fee": {mention("guide.md", "Guide", "What guests pay", 2)}, "PILOT FEE MAX": {mention("guide.md", "Guide", "What guests pay", 2)},
			"Tide Desk": {mention("guide.md", "Guide", "What guests pay", 1), mention("tides.md", "Tides", "", 3)},
		}, english, nil, "What guests pay"},
		"a short word after the heading above": {map[string][]graph.SectionMentions{
			"fee": {mention("guide.md", "Harbour guide", "Fees", 2)}, "tariff": {mention("guide.md", "Harbour guide", "Fees", 2)},
		}, english, nil, "Harbour guide: Fees"},
		"parts": {map[string][]graph.SectionMentions{
			"Pilot Card": {mention("guide.md", "Harbour guide", "Arriving", 2)}, "Tide Desk": {mention("guide.md", "Harbour guide", "Leaving the berth", 2)},
		}, english, nil, "Harbour guide: Arriving and Leaving the berth"},
		"a part that no child is named after": {map[string][]graph.SectionMentions{
			"Pilot Card": {mention("guide.md", "Harbour guide", "", 2)}, "Tide Desk": {mention("guide.md", "Harbour guide", "", 2)},
		}, english, []string{"Harbour guide: Tide Desk and Pilot Card"}, "Harbour guide: Pilot Card"},
		"two documents": {map[string][]graph.SectionMentions{
			"Pilot Card": {mention("a.md", "Pilots on board", "Boarding", 1), mention("b.md", "Tide tables", "Reading", 1), mention("c.md", "Meals", "", 1)},
			"Tide Desk":  {mention("a.md", "Pilots on board", "Boarding", 1), mention("b.md", "Tide tables", "Reading", 1), mention("d.md", "Rooms", "", 1)},
		}, english, nil, "Pilots on board and Tide tables"},
		"two documents without headings": {map[string][]graph.SectionMentions{
			"Pilot Card": {mention("a.txt", "The first war", "", 1), mention("b.txt", "The second war", "", 1), mention("c.md", "Meals", "", 1)},
			"Tide Desk":  {mention("a.txt", "The first war", "", 1), mention("b.txt", "The second war", "", 1), mention("d.md", "Rooms", "", 1)},
		}, english, nil, "Pilot Card and Tide Desk"},
		"a log of changes": {map[string][]graph.SectionMentions{
			"Pilot Card": {mention("log.md", "Changes", "1.2.0 > Added", 1), mention("a.md", "Pilots on board", "", 1)},
			"Tide Desk":  {mention("log.md", "Changes", "1.2.0 > Added", 1), mention("a.md", "Pilots on board", "", 1)},
		}, english, nil, "Pilots on board: Pilot Card and Tide Desk"},
		"the name of a file is no heading": {map[string][]graph.SectionMentions{
			"Pilot Card": {mention("chat-team.txt", "chat-team", "", 2)}, "Tide Desk": {mention("chat-team.txt", "chat-team", "", 2)},
		}, english, nil, "Pilot Card and Tide Desk"},
		"German": {map[string][]graph.SectionMentions{
			"Lotsenkarte": {mention("a.html", "2. Hafen", "2. Hafen > 2.1. Lotsen an Bord", 2)}, "Gezeitentafel": {mention("a.html", "2. Hafen", "2. Hafen > 2.1. Lotsen an Bord", 2)},
			"Art": {mention("a.html", "2. Hafen", "2. Hafen > 2.1. Lotsen an Bord", 1)},
		}, german, nil, "Lotsen an Bord: Gezeitentafel und Lotsenkarte"},
	} {
		in, x := harbour(tt.sections, tt.sentence), Extractive{Counter: counter(t)}
		for _, child := range tt.children {
			in.Children = append(in.Children, Child{Report: graph.Report{Title: child}})
		}
		r, err := x.Report(t.Context(), in, Pack(in, Options{}, x.Counter))
		if err != nil {
			t.Fatal(err)
		}
		if r.Title != tt.want {
			t.Errorf("%s: title %q, want %q", name, r.Title, tt.want)
		}
	}
}

// Reports by a model do not read sections, so that their fingerprints must not change with them; those of
// reports without a model must.
func TestSectionsInFingerprints(t *testing.T) {
	t.Parallel()
	x := Extractive{Counter: counter(t)}
	in := family()
	without := Pack(in, Options{}, x.Counter)
	in.Sections = map[string][]graph.SectionMentions{"t/scrooge": {mention("a.md", "A", "One", 1)}}
	one := Pack(in, Options{}, x.Counter)
	in.Sections = map[string][]graph.SectionMentions{"t/scrooge": {mention("a.md", "A", "Two", 1)}}
	two := Pack(in, Options{}, x.Counter)
	if one.Fingerprint == two.Fingerprint || x.Reads(in, one) == x.Reads(in, two) {
		t.Error("another heading gives the same fingerprint")
	}
	if without.Fingerprint == one.Fingerprint {
		t.Error("sections are not in the fingerprint")
	}
	if without.Reads != one.Reads {
		t.Error("what a model reads changes with sections")
	}
}

// A finding is about one topic: a sentence that shares only the name of the entity with the first one is
// left out.
func TestFindingHasOneTopic(t *testing.T) {
	t.Parallel()
	in, x := Input{Community: graph.Community{Key: "t/c", Final: true}}, Extractive{Counter: counter(t)}
	for _, name := range []string{"Pilot Card", "Tide Desk", "Quay Office"} {
		in.Entities = append(in.Entities, graph.Entity{Key: "t/" + name, Name: name, Type: "concept", Description: name + " opened again after the flood of April. " +
			name + " lends blue umbrellas to guests. The umbrellas of " + name + " are blue and new. " + name + " pays seven clerks."})
		in.Community.Members = append(in.Community.Members, "t/"+name)
	}
	r, err := x.Report(t.Context(), in, Pack(in, Options{}, x.Counter))
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Findings) == 0 {
		t.Fatal("no findings")
	}
	for _, f := range r.Findings {
		topics := 0
		for _, word := range []string{"flood", "umbrellas", "clerks"} {
			if strings.Contains(f.Explanation, word) {
				topics++
			}
		}
		if topics != 1 {
			t.Errorf("%s: %s", f.Summary, f.Explanation)
		}
	}
}
