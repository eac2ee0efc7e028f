package edgelist_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/neorag/neorag/internal/leiden/edgelist"
)

func TestBadLines(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		text   string
		format edgelist.Format
		want   string
	}{
		"one column":          {"a b\n\nc\n", edgelist.Whitespace, "list:3: 1 columns, want source, target and optionally weight, separated by white space"},
		"four columns":        {"a b 1 2", edgelist.Whitespace, "list:1: 4 columns, want source, target and optionally weight, separated by white space"},
		"other separator":     {"a;b", edgelist.Commas, "list:1: 1 columns, want source, target and optionally weight, separated by commas"},
		"columns and header":  {"from,to\na", edgelist.Commas, "list:2: 1 columns, but the header has 2"},
		"weight":              {"a b x", edgelist.Whitespace, `list:1: weight "x" is not a number`},
		"weight NaN":          {"a b NaN", edgelist.Whitespace, `list:1: weight "NaN" is not a number`},
		"weight infinite":     {"a b inf", edgelist.Whitespace, `list:1: weight "inf" is not a number`},
		"weight negative":     {"a b -1", edgelist.Whitespace, `list:1: weight "-1" is negative`},
		"weight large":        {"a b 1e39", edgelist.Whitespace, `list:1: weight "1e39" is too large`},
		"weight with escapes": {"a b \x1b[2J", edgelist.Whitespace, `list:1: weight "\x1b[2J" is not a number`},
		"no name":             {"a,b\n,b", edgelist.Commas, "list:2: empty node name"},
		"not UTF-8":           {"a \xff", edgelist.Whitespace, `list:1: name "\xff" is not UTF-8`},
		"long name":           {"a " + strings.Repeat("x", 5000), edgelist.Whitespace, "list:1: name of 5000 bytes, want at most 4096"},
		"long line":           {"a b\na " + strings.Repeat(" ", 70_000) + "b\nb c", edgelist.Whitespace, "list:2: line longer than 65536 bytes"},
		"very long line":      {"a b\n" + strings.Repeat("x", 400_000) + "\nb c", edgelist.Whitespace, "list:2: line longer than 65536 bytes"},
		"very long last":      {"a b\n" + strings.Repeat("x", 400_000), edgelist.Whitespace, "list:2: line longer than 65536 bytes"},
		"open quote":          {"\"a,b", edgelist.Commas, "list:1: missing closing quote"},
		"quote inside":        {"a\"b,c", edgelist.Commas, "list:1: quote inside an unquoted field"},
		"after a quote":       {"\"a\"b,c", edgelist.Commas, "list:1: closing quote not followed by a comma or the end of the line"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := edgelist.Read(t.Context(), strings.NewReader(tt.text), edgelist.Options{Name: "list", Format: tt.format})
			if !errors.Is(err, edgelist.ErrLine) || err.Error() != tt.want {
				t.Errorf("got error %v, want %s", err, tt.want)
			}
			l := read(t, tt.text, edgelist.Options{Format: tt.format, SkipBad: true})
			if l.Skipped != 1 || len(l.Bad) != 1 || l.Bad[0].Error() != tt.want {
				t.Errorf("skipped: got %d, %v, want the one line", l.Skipped, l.Bad)
			}
			if want := strings.Count(tt.text, "a b\n") + strings.Count(tt.text, "b c"); l.Lines != want && tt.format == edgelist.Whitespace {
				t.Errorf("got %d lines, want the %d that are good", l.Lines, want)
			}
		})
	}
}

func TestManyBadLines(t *testing.T) {
	t.Parallel()
	l := read(t, strings.Repeat("x\n", 50)+"a b\n", edgelist.Options{SkipBad: true})
	if l.Skipped != 50 || len(l.Bad) != 10 || l.Lines != 1 {
		t.Errorf("got %d skipped, %d kept, %d lines, want 50, 10, 1", l.Skipped, len(l.Bad), l.Lines)
	}
}
