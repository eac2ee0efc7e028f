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

	"github.com/neorag/neorag/internal/text"
)

var (
	errBinary  = errors.New("binary data, not text")
	utf8Mark   = []byte("\xef\xbb\xbf")
	utf16Marks = [2][]byte{[]byte("\xff\xfe"), []byte("\xfe\xff")}
)

// sniffed is the number of bytes that decide the encoding of a file.
const sniffed = 8000

// decodeText decodes plain text. The encoding is that of the byte order mark, UTF-16
// if every other byte is NUL, UTF-8 if the bytes are mostly valid, else Windows-1252,
// which has a character for nearly every byte. Other files with NUL bytes are not text.
func decodeText(raw []byte) (string, error) {
	if e := detectUTF16(raw); e != nil {
		return decodeWith(e, raw)
	}
	if isBinary(raw) {
		return "", errBinary
	}
	if bytes.HasPrefix(raw, utf8Mark) || mostlyUTF8(raw) {
		return clean(string(raw)), nil
	}
	return decodeWith(charmap.Windows1252, raw)
}

// decodeHTML decodes HTML, which may name its encoding in a meta element. Valid
// UTF-8 is UTF-8 whatever the element says.
func decodeHTML(raw []byte) (string, error) {
	if e := detectUTF16(raw); e != nil {
		return decodeWith(e, raw)
	}
	if isBinary(raw) {
		return "", errBinary
	}
	escapes := bytes.IndexByte(raw, 0x1b) >= 0 // as in ISO-2022-JP, which is ASCII otherwise
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
	if isBinary(text) {
		return "", errBinary
	}
	return clean(string(text)), nil
}

func isBinary(raw []byte) bool {
	return bytes.IndexByte(raw[:min(len(raw), sniffed)], 0) >= 0
}

// detectUTF16 returns the encoding of raw if it is UTF-16: it has a byte order mark,
// or nearly all high bytes are NUL, as in Latin text. Otherwise it returns nil.
func detectUTF16(raw []byte) encoding.Encoding {
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

// mostlyUTF8 reports whether raw is UTF-8, perhaps with some damage.
func mostlyUTF8(raw []byte) bool {
	var census utf8Census
	_, _ = census.Write(raw) // never fails
	return census.mostlyUTF8()
}

// clean normalizes decoded text: valid UTF-8, line ends "\n", no byte order mark,
// and no NUL, which databases refuse.
func clean(text string) string {
	text = strings.TrimPrefix(text, "\ufeff")
	text = strings.ToValidUTF8(text, "\ufffd")
	if strings.IndexByte(text, '\r') >= 0 {
		text = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text)
	}
	return strings.ReplaceAll(text, "\x00", "")
}

// cleanLine normalizes decoded text and puts it on one line.
func cleanLine(s string) string { return text.OneLine(clean(s)) }
