package source

import (
	"bytes"
	"errors"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
)

var (
	errBinary  = errors.New("binary data, not text")
	utf8Mark   = []byte("\xef\xbb\xbf")
	utf16Marks = [2][]byte{[]byte("\xff\xfe"), []byte("\xfe\xff")}
)

// sniffed is how much of a file decides what it is.
const sniffed = 8000

// decodeText finds the encoding of plain text: that of a byte order mark, UTF-16
// where every other byte is NUL, UTF-8 where it holds, else Windows-1252, which
// has a character for nearly every byte. NUL bytes mean that it is no text.
func decodeText(raw []byte) (string, error) {
	if e := utf16(raw); e != nil {
		return decodeWith(e, raw)
	}
	if binary(raw) {
		return "", errBinary
	}
	if bytes.HasPrefix(raw, utf8Mark) || mostlyUTF8(raw) {
		return clean(string(raw)), nil
	}
	return decodeWith(charmap.Windows1252, raw)
}

// decodeHTML does the same for HTML, which may name its encoding in a meta
// element. What holds as UTF-8 is UTF-8, whatever it calls itself.
func decodeHTML(raw []byte) (string, error) {
	if e := utf16(raw); e != nil {
		return decodeWith(e, raw)
	}
	if binary(raw) {
		return "", errBinary
	}
	escapes := bytes.IndexByte(raw, 0x1b) >= 0 // of the seven-bit encodings of Japanese
	if bytes.HasPrefix(raw, utf8Mark) || utf8.Valid(raw) && !escapes {
		return clean(string(raw)), nil
	}
	declared, name, certain := charset.DetermineEncoding(raw, "text/html")
	if name == "utf-8" || !certain && mostlyUTF8(raw) {
		return clean(string(raw)), nil
	}
	return decodeWith(declared, raw)
}

func decodeWith(e encoding.Encoding, raw []byte) (string, error) {
	text, err := e.NewDecoder().Bytes(raw)
	if err != nil {
		return "", err
	}
	if binary(text) {
		return "", errBinary
	}
	return clean(string(text)), nil
}

func binary(raw []byte) bool {
	return bytes.IndexByte(raw[:min(len(raw), sniffed)], 0) >= 0
}

// utf16 is the encoding of raw if it is UTF-16: by its mark, or because nearly
// all of its high bytes are NUL, as in text of Latin script. Else it is nil.
func utf16(raw []byte) encoding.Encoding {
	for i, order := range []unicode.Endianness{unicode.LittleEndian, unicode.BigEndian} {
		if bytes.HasPrefix(raw, utf16Marks[i]) {
			return unicode.UTF16(order, unicode.ExpectBOM)
		}
	}
	head := raw[:min(len(raw), sniffed)&^1]
	var nul [2]int
	for i, b := range head {
		if b == 0 {
			nul[i%2]++
		}
	}
	units := len(head) / 2
	switch {
	case units < 2:
		return nil
	case nul[1]*10 > units*7 && nul[0]*20 < units:
		return unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)
	case nul[0]*10 > units*7 && nul[1]*20 < units:
		return unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)
	}
	return nil
}

// mostlyUTF8 tells whether raw is UTF-8, perhaps with some damage: a cut
// sequence at the end, a line of another encoding.
func mostlyUTF8(raw []byte) bool {
	sequences, damaged, inside := 0, 0, false
	for len(raw) > 0 {
		r, n := rune(raw[0]), 1
		if r >= utf8.RuneSelf {
			r, n = utf8.DecodeRune(raw)
		}
		bad := r == utf8.RuneError && n == 1
		switch {
		case bad && !inside: // what is left of one sequence counts once
			damaged++
		case n > 1:
			sequences++
		}
		inside = bad
		raw = raw[n:]
	}
	return damaged == 0 || sequences > damaged
}

// clean makes a document's text of what was decoded: UTF-8 throughout, line ends
// "\n", no byte order mark, no NUL, which no database takes.
func clean(text string) string {
	text = strings.TrimPrefix(text, "\ufeff")
	text = strings.ToValidUTF8(text, "\ufffd")
	if strings.IndexByte(text, '\r') >= 0 {
		text = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text)
	}
	return strings.ReplaceAll(text, "\x00", "")
}
