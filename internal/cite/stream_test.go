package query

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/report"
)

// TestStream tears answers to pieces of every size: what is delivered is the
// checked text.
func TestStream(t *testing.T) {
	t.Parallel()
	offered := map[report.Local]string{{Kind: graph.KindReport, N: 1}: "a", {Kind: graph.KindReport, N: 2}: "b", {Kind: graph.KindReport, N: 7}: "c"}
	for _, text := range []string{
		"One [Data: Reports (7, 2)]. Two [Data: Reports (2)], and [a link](x) too. Three [Data: Reports (99)].",
		"Nothing at all",
		"Open [Data: Reports (1",
		"Bare [3] and [Data: Reports (1)]\n\n- item [Data: Reports (7)]",
		strings.Repeat("[ ", 300) + "[Data: Reports (1)]",
	} {
		var n report.Numbers
		want, _ := report.CheckReferences(text, offered, &n)
		for size := 1; size < 12; size++ {
			var got strings.Builder
			s := &stream{offered: offered, deliver: func(d string) { got.WriteString(d) }}
			for at := 0; at < len(text); at += size {
				s.write(text[at:min(at+size, len(text))])
			}
			s.close()
			if diff := cmp.Diff(want, strings.TrimSpace(got.String())); diff != "" && len(text) < 200 {
				t.Errorf("%q in pieces of %d (-want +got):\n%s", text, size, diff)
			}
			if strings.Contains(got.String(), "Data: Reports (1)") {
				t.Errorf("%.60q in pieces of %d: a reference came through", text, size)
			}
		}
	}
}

func TestPoints(t *testing.T) {
	t.Parallel()
	offered := map[report.Local]string{{Kind: graph.KindChunk, N: 1}: "a", {Kind: graph.KindChunk, N: 2}: "b"}
	var n report.Numbers
	got, removed := readPoints(`{"points": [{"description": "X [Data: Sources (2, 9)].", "score": "140", "why": 1}, {"description": "Y", "score": 0}, {"description": "", "score": 5}]}`, offered, &n)
	if diff := cmp.Diff([]point{{"X [1].", 100}}, got, cmp.AllowUnexported(point{})); diff != "" || removed != 1 {
		t.Errorf("%d removed (-want +got):\n%s", removed, diff)
	}
	for _, bad := range []string{`[]`, `{"points": 3}`, `{"points": [{"description": "x", "score": "high"}]}`} {
		if _, err := pointsOf(bad); err == nil {
			t.Errorf("%s: got no error", bad)
		}
	}
}

func TestShow(t *testing.T) {
	t.Parallel()
	w := show([]block{{key: "a", kind: graph.KindChunk, title: "One", text: "It is [Data: Sources (9)] so [3]."}, {key: "b", kind: graph.KindChunk, title: "Two", text: "b"}})
	if want := "Source 1: One\nIt is so.\n\nSource 2: Two\nb"; w.text != want || w.kind != "Sources" || w.offered[report.Local{Kind: graph.KindChunk, N: 2}] != "b" {
		t.Errorf("got %+v", w)
	}
}
