package textproc_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/text/language"
	"github.com/neorag/neorag/internal/text/textproc"
)

// describe returns the terms and the source of each passage.
func describe(text string, passages []textproc.Passage) (out []string) {
	for _, w := range passages {
		out = append(out, fmt.Sprintf("%s = %s", strings.Join(w.Terms, " "), text[w.Start:w.End]))
	}
	return out
}

func TestPassages(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, text string
		size       int
		want       []string
	}{
		{"nothing", "the\n!!!\n", 3, nil},
		{"whole lines", "red fox\nblue cat\n\ngrey dog", 4, []string{"red fox blue cat = red fox\nblue cat", "grey dog = grey dog"}},
		{"lines up to twice the size are not split", "w1 w2 w3 w4 w5\nw6", 3, []string{"w1 w2 w3 w4 w5 = w1 w2 w3 w4 w5", "w6 = w6"}},
		{"longer lines are split", "w1 w2, and w3 w4 w5 w6", 2, []string{"w1 w2 = w1 w2", "w3 w4 w5 w6 = w3 w4 w5 w6"}},
		{"offsets of a split line are those of the source", "w1 [w2](http://x) **w3** w4 the w5!", 2, []string{"w1 w2 = w1 [w2", "w3 w4 w5 = w3** w4 the w5!"}},
		{"lines without terms do not count", "...\nw1\n...\nw2", 2, []string{"w1 w2 = w1\n...\nw2"}},
		{"a text without spaces", "北京大学图书馆", 2, []string{"北京 京大 = 北京大", "大学 学图 图书 书馆 = 学图书馆"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			got := describe(tc.text, textproc.Passages(language.English, textproc.Clean(tc.text, false), tc.size))
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestPassagesDefaultSize(t *testing.T) {
	t.Parallel()
	lines := textproc.Clean(strings.Repeat("ten words stand on one line which ends here soon, friends\n", 40), false)
	if diff := cmp.Diff(textproc.Passages(language.English, lines, textproc.PassageSize), textproc.Passages(language.English, lines, 0)); diff != "" {
		t.Errorf("size 0 (-default +got):\n%s", diff)
	}
}
