package source

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/source/parse"
	"github.com/neorag/neorag/internal/source/rtf"
)

func TestReadRTF(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, raw, title, want string }{
		{"paragraphs", `{\rtf1\ansi\deff0{\fonttbl{\f0 Times;}}{\info{\title The harbour}{\author Anna}}{\pard\outlinelevel0 Guide\par}{\pard The ship\line sails {\b at noon}.\par}\pard It rests.}`, "The harbour", "# Guide\n\nThe ship\nsails at noon.\n\nIt rests."},
		{"characters", `{\rtf1\ansi\ansicpg1252\uc1 Caf\'e9 \u8364 ?5 \ldblquote yes\rdblquote\emdash x\~y\_z \{a\\b\} \u-10179?\u-8704? {\uc0\u8364 5}}`, "a", "Café €5 “yes”—x y-z {a\\b} 😀 €5"},
		{"Cyrillic and Japanese by their fonts", `{\rtf1\ansi\ansicpg1252{\fonttbl{\f0\fcharset0 A;}{\f1\fcharset204 B;}{\f2\fcharset128 C;}}\f1\'cf\'f0\'e8\f2\'93\'fa\'96\'7b\f0 \'e9}`, "a", "При日本é"},
		{"raised and lowered digits", `{\rtf1 10{\super 6} litres, CO{\sub 2}, log\dn6 2\dn0 8, 20\up6 3\plain  euro}`, "a", "10⁶ litres, CO2, log₂8, 20³ euro"},
		{"Western fonts in a file with Cyrillic ones", `{\rtf1\ansi\ansicpg1251{\fonttbl{\f0\fcharset0 A;}{\f1\fcharset204 B;}}\f0 M\'fcller \f1\'cf\'f0\'e8}`, "a", "Müller При"},
		{"Cyrillic in fonts without a character set", `{\rtf1\ansi\ansicpg1251{\fonttbl{\f0\fcharset0 A;}}\f0\'cf\'f0\'e8}`, "a", "При"},
		{"symbol fonts", `{\rtf1\ansi{\fonttbl{\f0 A;}{\f1\fcharset2{\*\panose 0505}Symbol;}{\f2\fcharset2 Wingdings;}}{\f1 a \'a3 \u-3999?} b {\f2\'fe}}`, "a", "α ≤ α b ☑"},
		{"deleted text", `{\rtf1 Kept {\deleted old }\deleted old \deleted0 text{\deleted{\footnote gone}}.}`, "a", "Kept text."},
		{"notes and breaks", `{\rtf1 In 20{\super\chftn}{\*\footnote\pard{\super\chftn} Foot\par note.} euro.\column Next{\footnote\ftnalt End.}\par}`, "a", "In 20[^1] euro.\n\nNext[^2]\n\n[^1]: Foot note.\n\n[^2]: End."},
		{"paragraphs in a cell", `{\rtf1\trowd\pard\intbl A1\par A2\cell B1\cell\row\pard After\par}`, "a", "A1 A2 | B1\n\nAfter"},
		{"another code page", `{\rtf1\ansi\ansicpg1251 \'cf\'f0\'e8}`, "a", "При"},
		{"table", `{\rtf1\trowd\intbl City\cell Ships\cell\row\intbl Kiel\cell 12\cell\row\pard After.\par}`, "a", "City | Ships\nKiel | 12\n\nAfter."},
		{"what is not shown", `{\rtf1{\*\generator X;}{\header Top}{\v secret}{\pict\bin4 }}}}}{\field{\*\fldinst HYPERLINK "x"}{\fldrslt a link}} \v0 stays}`, "a", "a link stays"},
		{"braces that do not match", `{\rtf1 one}} two`, "a", "one two"},
	} {
		doc, err := read(t, "a.rtf", tc.raw)
		if diff := cmp.Diff(tc.want, doc.Text); err != nil || diff != "" || doc.Title != tc.title {
			t.Errorf("%s: %v, title %q (-want +got):\n%s", tc.name, err, doc.Title, diff)
		}
	}
	if doc, err := read(t, "a.rtf", `{\rtf1{\info{\creatim\yr2024\mo5\dy6\hr9\min15}{\revtim\yr2025\mo1\dy1}}A}`); err != nil || doc.Date != "2024-05-06T09:15" {
		t.Errorf("date %q, %v", doc.Date, err)
	}
	for raw, want := range map[string]string{"hello": "not an RTF file", `{\rtf1 ` + strings.Repeat("{", 2000): "groups"} {
		if _, err := read(t, "a.rtf", raw); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.20q: %v, want %q", raw, err, want)
		}
	}
}

func FuzzReadRTF(f *testing.F) {
	f.Add([]byte(`{\rtf1\ansi{\fonttbl{\f1\fcharset204 B;}}\u8364?\'e9 \trowd\cell\row\bin9 \uc2{\v x}\outlinelevel0 y\par}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		doc, _, err := rtf.Read(context.Background(), append([]byte(`{\rtf`), raw...), graph.Document{URI: "a.rtf"}, parse.Options{})
		if err == nil && len(doc.Text) > 16+4*len(raw) {
			t.Errorf("%d bytes of text in %d", len(doc.Text), len(raw))
		}
	})
}
