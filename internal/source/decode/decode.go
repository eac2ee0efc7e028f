// Package decode turns the bytes of texts into clean UTF-8: it finds their encoding and normalises line ends.
package decode

import (
	"bytes"
	"cmp"
	"errors"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/transform"

	"github.com/neorag/neorag/internal/text"
)

var (
	errBinary   = errors.New("binary data, not text")
	errEncoding = errors.New("its encoding is not recognised: name it with --source-encoding, as in --source-encoding windows-1251")
)

// Sniffed is the number of bytes that show whether a file is text.
const Sniffed = 8000

// Text decodes plain text. The encoding is the one of the byte order mark; UTF-8 if the bytes
// are mostly valid; the given one; or the one that the bytes look like. A text
// that decodes badly is an error.
func Text(raw []byte, given string) (string, error) { return Declared(raw, given, "") }

// HTML decodes HTML, which may declare its encoding. Valid UTF-8 is UTF-8 whatever the
// declaration says.
func HTML(raw []byte, given string) (string, error) {
	declared := DeclaredEncoding(raw)
	if _, err := Encoding(declared); err != nil {
		declared = ""
	}
	return Declared(raw, given, declared)
}

// Declared is Text for bytes that may declare their encoding, which the given one precedes.
func Declared(raw []byte, given, declared string) (string, error) {
	stateful := declared != "" && bytes.IndexByte(raw, 0x1b) >= 0 // as in ISO-2022-JP, which is ASCII otherwise
	name := cmp.Or(given, declared)
	if name == "utf-8" {
		name = ""
	}
	e, err := encodingOf(raw, censusOf(raw), stateful, name, func() []byte { return highSample(raw) })
	if err != nil {
		return "", err
	}
	return decodeWith(e, raw)
}

// encodingOf returns the encoding of a text by its first bytes and its census, nil for UTF-8. A text that
// is neither marked nor UTF-8 has the encoding of that name, or the one that a sample of it looks like. A
// text with shifts between encodings is not taken for UTF-8.
func encodingOf(head []byte, census *utf8Census, stateful bool, name string, sample func() []byte) (encoding.Encoding, error) {
	if e, ok := markOf(head); ok {
		return e, nil
	}
	if e := detectWide(head); e != nil {
		return e, nil
	}
	switch {
	case isBinary(head):
		return nil, errBinary
	case census.isJapanese():
		return japanese.ISO2022JP, nil
	case census.mostlyUTF8() && !stateful:
		return nil, nil
	}
	return legacyEncoding(name, sample())
}

// decodeWith decodes text; nil is UTF-8.
func decodeWith(e encoding.Encoding, raw []byte) (string, error) {
	if e == nil {
		return Clean(string(raw)), nil
	}
	decoded, err := e.NewDecoder().Bytes(raw)
	if err != nil {
		return "", err
	}
	if isBinary(decoded) {
		return "", errBinary
	}
	return Clean(string(decoded)), nil
}

// highSample returns the bytes that show the encoding of a text: from a little before the first
// one that is not ASCII.
func highSample(raw []byte) []byte {
	from := max(0, bytes.IndexFunc(raw, isHigh)-Sniffed)
	return raw[from:min(len(raw), from+encodingSample)]
}

func isHigh(r rune) bool { return r >= utf8.RuneSelf }

func isBinary(raw []byte) bool {
	return bytes.IndexByte(raw[:min(len(raw), Sniffed)], 0) >= 0
}

// Clean normalizes decoded text: valid UTF-8, line ends "\n", no byte order mark,
// and no NUL, which databases refuse. Bytes that are not UTF-8 are read as windows-1252.
func Clean(text string) string {
	if utf8.ValidString(text) && !strings.ContainsAny(text, "\r\x00") {
		return strings.TrimPrefix(text, "\ufeff")
	}
	text, _, _ = transform.String(&cleaner{}, text) // never fails
	return text
}

// CleanLine normalizes decoded text and puts it on one line.
func CleanLine(s string) string { return text.OneLine(Clean(s)) }
