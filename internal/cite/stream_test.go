package cite

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/report"
)

// TestStream writes answers in pieces of every size: the stream delivers the
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
			s := NewStream(offered, func(d string) { got.WriteString(d) })
			for at := 0; at < len(text); at += size {
				s.Write(text[at:min(at+size, len(text))])
			}
			s.Close()
			if diff := cmp.Diff(want, strings.TrimSpace(got.String())); diff != "" && len(text) < 200 {
				t.Errorf("%q in pieces of %d (-want +got):\n%s", text, size, diff)
			}
			if strings.Contains(got.String(), "Data: Reports (1)") {
				t.Errorf("%.60q in pieces of %d: a citation got through", text, size)
			}
		}
	}
}
