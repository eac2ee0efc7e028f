package source

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

// sniffed is the number of bytes that show whether a file is text.
const sniffed = 8000

// decodeText decodes plain text. The encoding is that of the byte order mark; UTF-8 if the bytes
// are mostly valid; the given one; or the one that the bytes look like. A text
// that decodes badly is an error.
func decodeText(raw []byte, given string) (string, error) { return decode(raw, given, "") }

// decodeHTML decodes HTML, which may declare its encoding. Valid UTF-8 is UTF-8 whatever the
// declaration says.
func decodeHTML(raw []byte, given string) (string, error) {
	declared := declaredEncoding(raw)
	if _, err := encodingOf(declared); err != nil {
		declared = ""
	}
	return decode(raw, given, declared)
}

func decode(raw []byte, given, declared string) (string, error) {
	if e, ok := markOf(raw); ok {
		return decodeWith(e, raw)
	}
	if e := detectWide(raw); e != nil {
		return decodeWith(e, raw)
	}
	if isBinary(raw) {
		return "", errBinary
	}
	stateful := declared != "" && bytes.IndexByte(raw, 0x1b) >= 0 // as in ISO-2022-JP, which is ASCII otherwise
	census := censusOf(raw)
	switch {
	case census.isJapanese():
		return decodeWith(japanese.ISO2022JP, raw)
	case census.mostlyUTF8() && !stateful:
		return decodeWith(nil, raw)
	}
	name := cmp.Or(given, declared)
	if name == "utf-8" {
		name = ""
	}
	e, err := legacyEncoding(name, highSample(raw))
	if err != nil {
		return "", err
	}
	return decodeWith(e, raw)
}

// decodeWith decodes text; nil is UTF-8.
func decodeWith(e encoding.Encoding, raw []byte) (string, error) {
	if e == nil {
		return clean(string(raw)), nil
	}
	decoded, err := e.NewDecoder().Bytes(raw)
	if err != nil {
		return "", err
	}
	if isBinary(decoded) {
		return "", errBinary
	}
	return clean(string(decoded)), nil
}

// highSample returns the bytes that show the encoding of a text: from a little before the first
// one that is not ASCII.
func highSample(raw []byte) []byte {
	from := max(0, bytes.IndexFunc(raw, isHigh)-sniffed)
	return raw[from:min(len(raw), from+encodingSample)]
}

func isHigh(r rune) bool { return r >= utf8.RuneSelf }

func isBinary(raw []byte) bool {
	return bytes.IndexByte(raw[:min(len(raw), sniffed)], 0) >= 0
}

// clean normalizes decoded text: valid UTF-8, line ends "\n", no byte order mark,
// and no NUL, which databases refuse. Bytes that are not UTF-8 are read as windows-1252.
func clean(text string) string {
	if utf8.ValidString(text) && !strings.ContainsAny(text, "\r\x00") {
		return strings.TrimPrefix(text, "\ufeff")
	}
	text, _, _ = transform.String(&cleaner{}, text) // never fails
	return text
}

// cleanLine normalizes decoded text and puts it on one line.
func cleanLine(s string) string { return text.OneLine(clean(s)) }
