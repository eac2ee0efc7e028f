package resolve

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/neorag/neorag/internal/graph"
)

// group is a new group with one name.
func group(name, typ string) Group {
	n := Normalise(name)
	return Group{Name: n, Names: []string{n}, Type: typ, New: true}
}

func TestCandidates(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		a, b, typ, other string
		want             bool
	}{
		{a: "IBM", b: "International Business Machines", typ: "organization", want: true},
		{a: "USA", b: "United States of America", typ: "location", want: true},
		{a: "DOJ", b: "Department of Justice", typ: "organization", want: true},
		{a: "UN", b: "United Nations", typ: "organization", want: true},
		{a: "Dr. Watson", b: "John Watson", typ: "person", want: true},
		{a: "J. Watson", b: "John Watson", typ: "person", want: true},
		{a: "Scrooge", b: "Ebenezer Scrooge", typ: "person", want: true},
		{a: "Watson, John", b: "John Watson", typ: "person", want: true},
		{a: "Katherine Johnson", b: "Catherine Johnson", typ: "person", want: true},
		{a: "Reykjavik", b: "Reykjavík", typ: "location", want: true},
		{a: "Harbour Museum", b: "the Museum Harbour", typ: "organization", want: true},
		{a: "World War II", b: "World War 2", typ: "event", want: true},
		{a: "Apple", b: "Apple Inc.", typ: "organization", want: true},
		{a: "Washington", b: "George Washington", typ: "location", other: "unknown", want: true},

		{a: "Apollo 11", b: "Apollo 13", typ: "event"},
		{a: "Apollo", b: "Apollo 13", typ: "event"},
		{a: "World War I", b: "World War II", typ: "event"},
		{a: "Henry VII", b: "Henry VIII", typ: "person"},
		{a: "Mr. Watson", b: "Mrs. Watson", typ: "person"},
		{a: "John Smith", b: "Jane Miller", typ: "person"},
		{a: "Tiny Tim", b: "Bob Cratchit", typ: "person"},
		{a: "Washington", b: "George Washington", typ: "location", other: "person"},
		{a: "tumor", b: "adrenal tumor", typ: "concept"},
		{a: "receptor binding", b: "protein binding", typ: "concept"},
		{a: "it", b: "information technology plan", typ: "concept"},
		{a: "Ann", b: "Anna", typ: "person"},
		{a: "Scrooge", b: "Scrooge's nephew", typ: "person"},
		{a: "the girl", b: "the girl next door", typ: "person"},
		{a: "Christmas", b: "Christmas dinner at Fred's", typ: "event"},
		{a: "Ghost of Christmas Past", b: "Ghost of Christmas Yet to Come", typ: "person"},
		{a: "Lang", b: "Lang Company", typ: "person", other: "organization"},
		{a: "脑肿瘤", b: "脑", typ: "concept"},
	} {
		a, b := group(tc.a, tc.typ), group(tc.b, tc.typ)
		if tc.other != "" {
			b.Type = tc.other
		}
		got := Candidates([]Group{a, b, group("Zanzibar", "location")})
		want := [][2]string{}
		if tc.want {
			want = append(want, [2]string{min(a.Name, b.Name), max(a.Name, b.Name)})
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s and %s (-want +got):\n%s", tc.a, tc.b, diff)
		}
		a.New, b.New = false, false
		if got := Candidates([]Group{a, b}); len(got) > 0 {
			t.Errorf("%s and %s are not new, and are candidates", tc.a, tc.b)
		}
	}
}

// TestCandidatesByVector: groups whose vectors are similar are candidates, unless their numbers differ.
func TestCandidatesByVector(t *testing.T) {
	t.Parallel()
	big, york := group("Big Apple", "location"), group("New York", "location")
	big.Near = []Near{{york.Name, .9}, {"gone", .8}, {big.Name, 1}}
	apollo := group("Apollo 11", "event")
	apollo.Near = []Near{{"apollo 13", .9}}
	got := Candidates([]Group{big, york, apollo, group("Apollo 13", "event")})
	if diff := cmp.Diff([][2]string{{"big apple", "new york"}}, got); diff != "" {
		t.Errorf("candidates (-want +got):\n%s", diff)
	}
}

// TestCandidatesAreBounded: a name that many others contain selects none of them, and a new group has
// at most MaxSimilar pairs.
func TestCandidatesAreBounded(t *testing.T) {
	t.Parallel()
	groups := []Group{group("Smith", "person")}
	for i := range maxBlock {
		given := strings.Map(func(r rune) rune { return r%23 + 'a' }, graph.Hash(strconv.Itoa(i))[:9])
		groups = append(groups, group(given+" Smith", "person"))
	}
	if got := Candidates(groups); len(got) > 0 {
		t.Errorf("%d candidates of %d groups with a word in common", len(got), len(groups))
	}
	few := groups[:MaxSimilar+4]
	for i := 1; i < len(few); i++ {
		few[i].New = false
	}
	if got := Candidates(few); len(got) != MaxSimilar {
		t.Errorf("%d candidates of one new group, want %d", len(got), MaxSimilar)
	}
}

// TestCandidatesIgnoreOrder: the order of groups does not matter, and only pairs of a new group are
// candidates.
func TestCandidatesIgnoreOrder(t *testing.T) {
	t.Parallel()
	name := rapid.SampledFrom([]string{"ibm", "international business machines", "john watson", "dr. watson", "watson", "j. watson", "jane watson", "apollo 11", "apollo 13", "new york", "big apple", "ny", "katherine", "catherine"})
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOfNDistinct(name, 1, 10, rapid.ID).Draw(t, "names")
		var groups []Group
		isNew := map[string]bool{}
		for _, n := range names {
			g := group(n, rapid.SampledFrom([]string{"person", "location", "unknown"}).Draw(t, "type"))
			g.New = rapid.Bool().Draw(t, "new")
			isNew[n] = g.New
			if rapid.Bool().Draw(t, "near") {
				g.Near = []Near{{name.Draw(t, "other"), .9}}
			}
			groups = append(groups, g)
		}
		got := Candidates(groups)
		slices.Reverse(groups)
		if diff := cmp.Diff(got, Candidates(groups)); diff != "" {
			t.Fatalf("the order matters:\n%s", diff)
		}
		for _, p := range got {
			if p[0] >= p[1] || !isNew[p[0]] && !isNew[p[1]] && !slices.ContainsFunc(groups, func(g Group) bool { return len(g.Near) > 0 }) {
				t.Fatalf("%v is a candidate", p)
			}
		}
	})
}

// TestFoldAsked: a model joins what it confirmed, a person decides otherwise, and nobody becomes one
// with a namesake by a surname.
func TestFoldAsked(t *testing.T) {
	t.Parallel()
	same := func(a, b string) graph.NamePair { return graph.NamePair{A: a, B: b, Same: true} }
	for _, tc := range []struct {
		about string
		names []string
		d     graph.NameDecisions
		want  map[string]string
	}{
		{
			"initials",
			[]string{"IBM", "International Business Machines"},
			graph.NameDecisions{Asked: []graph.NamePair{same("ibm", "international business machines")}},
			map[string]string{"ibm": "international business machines", "international business machines": "international business machines"},
		},
		{
			"the full name is the name",
			[]string{"Dr. Watson", "John Watson", "Watson"},
			graph.NameDecisions{Asked: []graph.NamePair{same("dr. watson", "john watson"), same("john watson", "watson")}},
			map[string]string{"dr. watson": "john watson", "john watson": "john watson", "watson": "john watson"},
		},
		{
			"namesakes",
			[]string{"John Smith", "Jane Smith", "Smith"},
			graph.NameDecisions{Asked: []graph.NamePair{same("jane smith", "smith"), same("john smith", "smith")}},
			map[string]string{"jane smith": "jane smith", "smith": "jane smith", "john smith": "john smith"},
		},
		{
			"numbers",
			[]string{"Apollo", "Apollo 11", "Apollo 13"},
			graph.NameDecisions{Asked: []graph.NamePair{same("apollo", "apollo 11"), same("apollo", "apollo 13")}},
			map[string]string{"apollo": "apollo", "apollo 11": "apollo", "apollo 13": "apollo 13"},
		},
		{
			"rejected",
			[]string{"a", "b", "c"},
			graph.NameDecisions{Asked: []graph.NamePair{same("a", "b"), {A: "a", B: "c"}, same("b", "c")}},
			map[string]string{"a": "a", "b": "a", "c": "c"},
		},
		{
			"split by a person",
			[]string{"IBM", "International Business Machines"},
			graph.NameDecisions{Asked: []graph.NamePair{same("ibm", "international business machines")}, Split: []string{"ibm"}},
			map[string]string{"ibm": "ibm", "international business machines": "international business machines"},
		},
		{
			"merged by a person",
			[]string{"Peking", "Beijing"},
			graph.NameDecisions{Asked: []graph.NamePair{{A: "beijing", B: "peking"}}, Merged: [][2]string{{"beijing", "peking"}}},
			map[string]string{"beijing": "peking", "peking": "peking"},
		},
		{"names that are gone", []string{"IBM"}, graph.NameDecisions{Asked: []graph.NamePair{same("ibm", "international business machines")}}, map[string]string{"ibm": "ibm"}},
	} {
		var f Folder
		add(&f, "person", true, tc.names...)
		if diff := cmp.Diff(tc.want, f.Fold(tc.d)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tc.about, diff)
		}
	}
}

// TestFoldStrictly: the surname is the only person of this surname.
func TestFoldStrictly(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		about string
		names []string
		typ   string
		want  map[string]string // of names that are joined
	}{
		{"one person", []string{"Scrooge", "Ebenezer Scrooge", "Jacob Marley", "Marley"}, "person", map[string]string{"scrooge": "ebenezer scrooge", "marley": "jacob marley"}},
		{"one person with a title", []string{"Watson", "Dr. John Watson", "John Watson"}, "person", map[string]string{"watson": "john watson", "dr. john watson": "john watson"}},
		{"a family", []string{"Cratchit", "Bob Cratchit", "Martha Cratchit"}, "person", nil},
		{"a wife", []string{"Cratchit", "Bob Cratchit", "Mrs. Cratchit"}, "person", nil},
		{"a wife of the same name", []string{"Mrs. John Watson", "John Watson"}, "person", nil},
		{"a wife of the same name as the only one", []string{"Dr. John Watson", "Mrs. John Watson", "Watson"}, "person", nil},
		{"a first name", []string{"Thomas", "Dylan Thomas"}, "person", nil},
		{"a number", []string{"Henry VIII", "VIII"}, "person", nil},
		{"another end", []string{"Ebenezer", "Ebenezer Scrooge", "Ebenezer Smith"}, "person", nil},
		{"places", []string{"York", "New York"}, "location", nil},
		{"organizations", []string{"Museum", "Harbour Museum"}, "organization", nil},
		{"a common noun", []string{"clerk", "Scrooge's clerk", "children", "Cratchit children", "Ignorance", "Boy (Ignorance)"}, "person", nil},
		{"a relative", []string{"Scrooge's nephew", "Mr. Scrooge's nephew", "Nephew", "SCROOGE’S NEPHEW"}, "person", nil},
		{"concepts", []string{"tumor", "adrenal tumor"}, "concept", nil},
		{"initials", []string{"IBM", "International Business Machines"}, "organization", nil},
	} {
		f := Folder{Strict: true}
		add(&f, tc.typ, true, tc.names...)
		got := f.Fold(graph.NameDecisions{})
		for n, to := range got {
			if want := tc.want[n]; want != "" && to != want || want == "" && to != n {
				t.Errorf("%s: %s is %s, want %q", tc.about, n, to, want)
			}
		}
		for n := range tc.want {
			if got := f.Fold(graph.NameDecisions{Split: []string{n}}); got[n] != n {
				t.Errorf("%s: %s is split, and is %s", tc.about, n, got[n])
			}
		}
		f.Strict = false
		for n, to := range f.Fold(graph.NameDecisions{}) {
			if to != n {
				t.Errorf("%s: without the strict rules, %s is %s", tc.about, n, to)
			}
		}
	}
}

// TestFoldInitials: an abbreviation is the only name with its initials, if a document mentions both.
func TestFoldInitials(t *testing.T) {
	t.Parallel()
	const ibm, long = "ibm", "international business machines"
	for _, tc := range []struct {
		about string
		docs  [][]string
		want  string // of the abbreviation
	}{
		{"both", [][]string{{"IBM", "International Business Machines"}}, long},
		{"small words", [][]string{{"DOJ", "the Department of Justice"}}, "the department of justice"},
		{"other documents", [][]string{{"IBM"}, {"International Business Machines"}}, ibm},
		{"two with these initials", [][]string{{"IBM", "International Business Machines"}, {"Institute of Baltic Music"}}, ibm},
		{"no abbreviation", [][]string{{"Ibm", "International Business Machines"}}, ibm},
		{"no name", [][]string{{"IBM", "international business machines"}}, ibm},
		{"two initials", [][]string{{"US", "United States"}}, "us"},
		{"another end", [][]string{{"IBM", "International Business Machines Corporation"}}, ibm},
	} {
		f, loose := Folder{Strict: true}, Folder{}
		short := ""
		for i, doc := range tc.docs {
			for _, name := range doc {
				names := f.Add([]string{name}, []string{"organization"}, nil, true)
				f.In(names, strconv.Itoa(i))
				loose.In(loose.Add([]string{name}, []string{"organization"}, nil, true), strconv.Itoa(i))
				if short == "" {
					short = names[0]
				}
			}
		}
		if got := f.Fold(graph.NameDecisions{}); got[short] != tc.want {
			t.Errorf("%s: %s is %s, want %s", tc.about, short, got[short], tc.want)
		}
		if got := f.Fold(graph.NameDecisions{Split: []string{short}}); got[short] != short {
			t.Errorf("%s: %s is split, and is %s", tc.about, short, got[short])
		}
		if got := loose.Fold(graph.NameDecisions{}); got[short] != short {
			t.Errorf("%s: without the strict rules, %s is %s", tc.about, short, got[short])
		}
	}
	f := Folder{Strict: true}
	same := []string{"big blue\x1fibm"}
	f.In(f.Add([]string{"IBM", "Big Blue", "International Business Machines"}, []string{"organization", "organization", "organization"}, same, true), "d")
	if got := f.Fold(graph.NameDecisions{}); got[ibm] != "big blue" || got[long] != long {
		t.Errorf("with another full form: %v", got)
	}
}

// TestStrictlyOfOneType: a place of the surname of a person is not joined.
func TestStrictlyOfOneType(t *testing.T) {
	t.Parallel()
	f := Folder{Strict: true}
	add(&f, "location", true, "Houston", "Houston")
	add(&f, "person", true, "Houston", "Sam Houston")
	if got := f.Fold(graph.NameDecisions{}); got["houston"] != "houston" || got["sam houston"] != "sam houston" {
		t.Errorf("got %v", got)
	}
}

// TestFoldSimilarIgnoresOrder: neither the order of names nor that of answers matters.
func TestFoldSimilarIgnoresOrder(t *testing.T) {
	t.Parallel()
	all := []string{"scrooge", "ebenezer scrooge", "mr. ebenezer scrooge", "mrs. scrooge", "fred scrooge", "es", "x-ray", "x ray"}
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOfN(rapid.SampledFrom(all), 1, 10).Draw(t, "names")
		pair := rapid.Custom(func(t *rapid.T) graph.NamePair {
			p := rapid.SliceOfNDistinct(rapid.SampledFrom(all), 2, 2, rapid.ID).Draw(t, "pair")
			return graph.NamePair{A: min(p[0], p[1]), B: max(p[0], p[1]), Same: rapid.Bool().Draw(t, "same")}
		})
		d := graph.NameDecisions{Asked: rapid.SliceOfNDistinct(pair, 0, 6, func(p graph.NamePair) string { return p.A + "|" + p.B }).Draw(t, "asked")}
		d.Split = rapid.SliceOfN(rapid.SampledFrom(all), 0, 1).Draw(t, "split")
		a, b := Folder{Strict: rapid.Bool().Draw(t, "strict")}, Folder{}
		b.Strict = a.Strict
		add(&a, "person", true, names...)
		slices.Reverse(names)
		add(&b, "person", true, names...)
		got := a.Fold(d)
		d.Asked = slices.Clone(d.Asked)
		slices.Reverse(d.Asked)
		if diff := cmp.Diff(got, b.Fold(d)); diff != "" {
			t.Fatalf("the order matters:\n%s", diff)
		}
		for n, to := range got {
			if got[to] != to {
				t.Fatalf("%s becomes %s", to, got[to])
			}
			if slices.Contains(d.Split, n) && to != n {
				t.Fatalf("%s is split and is %s", n, to)
			}
		}
	})
}
