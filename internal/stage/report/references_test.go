package report

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/graph"
)

func offered() map[Local]string {
	m := map[Local]string{}
	for n := 1; n <= 9; n++ {
		for _, k := range []graph.Kind{graph.KindEntity, graph.KindRelationship, graph.KindClaim, graph.KindReport} {
			m[Local{k, n}] = string(k) + strconv.Itoa(n)
		}
	}
	return m
}

func TestCheckReferences(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, text, want string
		removed          int
	}{
		{"one kind", "He owns it [Data: Entities (5, 7)].", "He owns it [1][2].", 0},
		{"kinds and more", "So [Data: Entities (5); Relationships (3); Claims (2, 4, +more)].", "So [1][2][3][4].", 0},
		{"used again", "A [Data: Claims (2)]. B [Data: Claims (3)]. A [Data: Claims (2)].", "A [1]. B [2]. A [1].", 0},
		{"not offered", "A [Data: Claims (2, 99)]. B [Data: Entities (77)].", "A [1]. B.", 2},
		{"bare numbers", "A [3]. B [1, 2].", "A. B.", 3},
		{"other spellings", "A [data: entity(5), report (1)]. B [Entities (5)].", "A [1][2]. B [1].", 0},
		{"six at one place", "A [Data: Entities (1, 2, 3, 4, 5, 6)].", "A [1][2][3][4][5].", 1},
		{"six of two kinds at one place", "A [Data: Entities (1, 2, 3, 4); Relationships (1, 2)].", "A [1][2][3][4][5][6].", 0},
		{"unreadable", "A [Data: whatever]. B [Data: 5, 6].", "A. B.", 3},
		{"unknown kind", "A [Data: People (5)].", "A.", 1},
		{"inside another", "A [[3]1] [[Data: junk]5].", "A.", 4},
		{"too large a number", "A [Data: Entities (99999999999999999999)].", "A.", 1},
		{"without parentheses", "A [Data: Reports 2, 7]. B [Report 2]. C [Reports 2 and 7].", "A [1][2]. B [1]. C [1][2].", 0},
		{"several groups", "A [Reports 2; Claims: 3, 4].", "A [1][2][3].", 0},
		{"a range", "A [Claims 2-4].", "A [1][2][3].", 0},
		{"full width", "A 【Data: Reports （2，7）】。 B ［Claims：3］.", "A [1][2]。 B [3].", 0},
		{"other languages", "A [Daten: Berichte (2)]. B [Quelle 9]. C [Beziehungen 3, 4]. D [数据：报告（2）]", "A [1]. B. C [2][3]. D [1]", 1},
		{"an ambiguous number", "A [Data: People 5]. B [Data: 5].", "A. B.", 2},
		{"words for records", "A [Document 3]. B [Reports 2; Passages 3]. C [Community Reports 2]. D [see Claims 3, 4]. E [Item 9, 99].", "A. B [1]. C [1]. D [2][3]. E.", 4},
		{"no word for records", "A [Figure 2]. B [Annual Reports 2]. C [Document]. D [Page 3, Document 2].", "A [Figure 2]. B [Annual Reports 2]. C [Document]. D [Page 3, Document 2].", 0},
		{"no mark", "A [5 apples], [Figure 2], [see 5], [Report], [Report 2 says], [ISO (9)], [x=5], [Report 2 — b].", "A [5 apples], [Figure 2], [see 5], [Report], [Report 2 says], [ISO (9)], [x=5], [Report 2 — b].", 0},
		{"other brackets stay", "A [sic] b (5) [see Entities].", "A [sic] b (5) [see Entities].", 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			var n Numbers
			got, removed := CheckReferences(tc.text, offered(), &n)
			if got != tc.want || removed != tc.removed {
				t.Errorf("CheckReferences(%q) = %q, %d, want %q, %d", tc.text, got, removed, tc.want, tc.removed)
			}
		})
	}
}

// TestReferencesOfOneKind reads numbers without a kind if all records are of one kind, and
// words of no known kind if only one kind has the number.
func TestReferencesOfOneKind(t *testing.T) {
	t.Parallel()
	sources := map[Local]string{{graph.KindChunk, 1}: "a", {graph.KindChunk, 2}: "b", {graph.KindChunk, 3}: "c"}
	both := map[Local]string{{graph.KindChunk, 1}: "a", {graph.KindReport, 1}: "r", {graph.KindReport, 2}: "s"}
	for _, tc := range []struct {
		text    string
		offered map[Local]string
		want    string
		removed int
	}{
		{"A [2]. B [3, 9].", sources, "A [1]. B [2].", 1},
		{"A [Data: Passages (2)]. B [Data: 1-3].", sources, "A [1]. B [2][1][3].", 0},
		{"A [Reports 2].", sources, "A.", 1},
		{"A [2].", both, "A.", 1},
		{"A [Data: Passages (2)]. B [Data: Passages (1)].", both, "A [1]. B.", 1},
		{"A [Passage 2]. B [Abschnitt 3, Dokument 1]. C [Doc 2.4]. D [Source text 1].", sources, "A [1]. B [2][3]. C [1]. D [3].", 0},
		{"A [Document 2]. B [Document 1].", both, "A [1]. B.", 1},
	} {
		var n Numbers
		got, removed := CheckReferences(tc.text, tc.offered, &n)
		if got != tc.want || removed != tc.removed {
			t.Errorf("CheckReferences(%q) = %q, %d, want %q, %d", tc.text, got, removed, tc.want, tc.removed)
		}
	}
}

func TestNumbersAreOneSequence(t *testing.T) {
	t.Parallel()
	var n Numbers
	first, _ := CheckReferences("A [Data: Claims (2)].", offered(), &n)
	second, _ := CheckReferences("B [Data: Entities (4); Claims (2)].", offered(), &n)
	if diff := cmp.Diff([]string{"A [1].", "B [2][1]."}, []string{first, second}); diff != "" {
		t.Errorf("texts (-want +got):\n%s", diff)
	}
	want := []graph.Reference{{N: 1, Kind: graph.KindClaim, Key: "Claim2"}, {N: 2, Kind: graph.KindEntity, Key: "Entity4"}}
	if diff := cmp.Diff(want, n.List()); diff != "" {
		t.Errorf("references (-want +got):\n%s", diff)
	}
}

var numbered = regexp.MustCompile(`\[(\d+)\]`)

func FuzzCheckReferences(f *testing.F) {
	for _, s := range []string{"A [Data: Entities (5, 7); Claims (2, +more)].", "[[Data: x]5]", "[1][[2]3]", "[Data: Entities (5)", "\ue0000\ue001", "[Data: Entities (1)[2]]"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var n Numbers
		got, removed := CheckReferences(text, offered(), &n)
		for _, m := range numbered.FindAllStringSubmatch(got, -1) {
			if id, err := strconv.Atoi(m[1]); err != nil || id < 1 || id > len(n.List()) {
				t.Errorf("CheckReferences(%q) = %q: [%s] refers to nothing", text, got, m[1])
			}
		}
		next := 1
		for _, m := range numbered.FindAllStringSubmatch(got, -1) {
			if id, _ := strconv.Atoi(m[1]); id > next {
				t.Errorf("%q: [%d] comes before [%d]", got, id, next)
			} else if id == next {
				next++
			}
		}
		if !strings.ContainsAny(text, "[]\ue000\ue001") && (got != strings.TrimSpace(text) || removed != 0) {
			t.Errorf("CheckReferences(%q) = %q, %d", text, got, removed)
		}
		if clean := Plain(text); numbered.MatchString(clean) {
			t.Errorf("Plain(%q) = %q", text, clean)
		}
	})
}
