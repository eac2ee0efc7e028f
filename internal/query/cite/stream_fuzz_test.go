package cite

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/stage/report"
)

var delivered = regexp.MustCompile(`\[(\d+)\]`)

// FuzzStream checks that the text that a stream delivers does not depend on the pieces in
// which a model writes it, and that every number in it is that of an offered source.
func FuzzStream(f *testing.F) {
	f.Add("One [Data: Reports (7, 2)]. Two [Data: Reports (99)] [3].", 3)
	f.Add("[Data: Reports (1", 1)
	f.Add("[[Data: Reports (1)] 2]", 5)
	f.Add("[[Data: Reports (1)]]]", 2)
	f.Add("["+strings.Repeat("0", 399)+" ", 24)
	f.Add("a \t [ [Data: Entities (1, 2)]", 4)
	f.Add("Eins 【Daten: Berichte （1， 2）】, zwei [Report 2] 【x y】", 2)
	offered := map[report.Local]string{{Kind: graph.KindReport, N: 1}: "a", {Kind: graph.KindReport, N: 2}: "b", {Kind: graph.KindEntity, N: 1}: "c"}
	write := func(text string, size int) string {
		var b strings.Builder
		s := NewStream(offered, func(piece string) { b.WriteString(piece) })
		for text != "" {
			n := min(size, len(text))
			s.Write(text[:n])
			text = text[n:]
		}
		s.Close()
		return b.String()
	}
	f.Fuzz(func(t *testing.T, text string, size int) {
		size = 1 + int(uint(size)%64)
		whole := write(text, len(text)+1)
		if pieces := write(text, size); pieces != whole {
			t.Fatalf("%q in pieces of %d bytes gives %q, and in one piece %q", text, size, pieces, whole)
		}
		for _, m := range delivered.FindAllStringSubmatch(whole, -1) {
			if n, err := strconv.Atoi(m[1]); err != nil || n < 1 || n > len(offered) {
				t.Fatalf("%q gives %q, and nothing has the number %s", text, whole, m[1])
			}
		}
	})
}
