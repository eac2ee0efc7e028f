package source

import (
	"strings"
	"testing"
)

func TestDecode(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, file, raw, want string }{
		{"utf-8", "a.txt", "Zoë — 長", "Zoë — 長"},
		{"byte order mark", "a.txt", "\xef\xbb\xbfZoë", "Zoë"},
		{"windows-1252", "a.txt", "caf\xe9 \x93x\x94", "café “x”"},
		{"damaged utf-8", "a.txt", "Zoë é ü \xff", "Zoë é ü \ufffd"},
		{"truncated utf-8", "a.txt", "Zoë 長\xe9\x95", "Zoë 長\ufffd"},
		{"utf-16 le", "a.txt", "\xff\xfeZ\x00o\x00\xeb\x00", "Zoë"},
		{"utf-16 be", "a.txt", "\xfe\xff\x00Z\x00o\x00\xeb", "Zoë"},
		{"utf-16 le without mark", "a.txt", "Z\x00o\x00\xeb\x00\n\x00", "Zoë\n"},
		{"utf-16 be without mark", "a.txt", "\x00Z\x00o\x00\xeb\x00\n", "Zoë\n"},
		{"line ends", "a.txt", "a\r\nb\rc\n", "a\nb\nc\n"},
		{"NUL after the sniffed bytes", "a.txt", strings.Repeat("text ", 2000) + "\x00.", strings.Repeat("text ", 2000) + "."},
		{"html meta", "a.html", "<meta charset=koi8-r><p>\xf0\xd2\xc9\xd7\xc5\xd4", "Привет"},
		{"html shift jis", "a.html", "<meta charset=shift_jis><p>\x93\xfa\x96{", "日本"},
		{"html with a wrong meta element", "a.html", "<meta charset=iso-8859-1><p>Zoë", "Zoë"},
		{"html without meta", "a.html", "<p>caf\xe9", "café"},
		{"unknown extension", "notes", "plain", "plain"},
	} {
		doc, err := read(t, tc.file, tc.raw)
		if err != nil || doc.Text != tc.want {
			t.Errorf("%s: text is %q, %v, want %q", tc.name, doc.Text, err, tc.want)
		}
	}
	for file, raw := range map[string]string{"a.txt": "PK\x03\x04\x00\x00", "prog": "\x7fELF\x02\x01\x01\x00", "b.md": "\xff\xfea\x00\x00\x00"} {
		if _, err := read(t, file, raw); err == nil || err.Error() != "read "+file+": binary data, not text" {
			t.Errorf("%s of %q returned %v, want binary data", file, raw, err)
		}
	}
}
