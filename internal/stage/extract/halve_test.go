package extract

import (
	"strings"
	"testing"
)

func TestHalve(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("so it went on ", 200)
	for _, tt := range []struct {
		name, text, second string
		ok                 bool
	}{
		{"one sentence", strings.Repeat("so it went on ", 20) + ".", "", false},
		{"short", "He came. He saw.", "", false},
		{"between sentences", "Clara Hale met Tobias Reed at the bridge in 1921. Nobody else was at the bridge on that long evening.", "Nobody", true},
		{"no spaces", strings.Repeat("话说天下大势，分久必合，合久必分。", 4), "话说", true},
		{"a long line without an end", long, "so it", true},
		{"one long word", strings.Repeat("a", 5000), "", false},
		{"nothing", "", "", false},
	} {
		first, second, ok := halve(tt.text)
		if ok != tt.ok || !strings.HasPrefix(second, tt.second) {
			t.Errorf("%s: got %q, %q, %t", tt.name, first, second, ok)
		}
		if ok && (len(first) < len(tt.text)/4 || len(second) < len(tt.text)/4 || !strings.HasPrefix(tt.text, first) || !strings.HasSuffix(strings.TrimSpace(tt.text), second)) {
			t.Errorf("%s: %q and %q are not the halves", tt.name, first, second)
		}
	}
}
