package decode

import (
	"bytes"
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gogs/chardet"
	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/ianaindex"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	utf16 "golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"
)

// encodingSample is how many bytes decide an encoding that is not declared.
const encodingSample = 64 << 10

var (
	utf32LE = utf32.UTF32(utf32.LittleEndian, utf32.UseBOM)
	utf32BE = utf32.UTF32(utf32.BigEndian, utf32.UseBOM)
	utf16LE = utf16.UTF16(utf16.LittleEndian, utf16.IgnoreBOM)
	utf16BE = utf16.UTF16(utf16.BigEndian, utf16.IgnoreBOM)

	utf8Mark = []byte("\xef\xbb\xbf")

	// marks are the byte order marks, the longer ones first.
	marks = []struct {
		bytes    string
		encoding encoding.Encoding // nil for UTF-8
	}{
		{"\xff\xfe\x00\x00", utf32LE},
		{"\x00\x00\xfe\xff", utf32BE},
		{string(utf8Mark), nil},
		{"\xff\xfe", utf16.UTF16(utf16.LittleEndian, utf16.ExpectBOM)},
		{"\xfe\xff", utf16.UTF16(utf16.BigEndian, utf16.ExpectBOM)},
	}

	xmlEncodingPattern = regexp.MustCompile(`^\s*<\?xml\s[^>]*\bencoding\s*=\s*["']([\w.:-]+)["']`)
)

// Encoding returns the encoding of a name, as IANA or HTML has it; nil is UTF-8.
func Encoding(name string) (encoding.Encoding, error) {
	if e, err := htmlindex.Get(name); err == nil && e == utf16.UTF8 {
		return nil, nil
	} else if err == nil && e == charmap.Windows1258 {
		return vietnamese, nil
	} else if err == nil {
		return e, nil
	}
	switch strings.ToLower(name) {
	case "utf-32", "utf-32le":
		return utf32LE, nil
	case "utf-32be":
		return utf32BE, nil
	}
	if e, err := ianaindex.IANA.Encoding(name); err == nil && e != nil {
		return e, nil
	}
	return nil, fmt.Errorf("encoding %q is not known: use a name such as windows-1251, gb18030, shift_jis or utf-16le", name)
}

// markOf returns the encoding of the byte order mark of a text, nil for UTF-8, and whether it has one.
func markOf(raw []byte) (encoding.Encoding, bool) {
	for _, m := range marks {
		if bytes.HasPrefix(raw, []byte(m.bytes)) {
			return m.encoding, true
		}
	}
	return nil, false
}

// rare are the encodings that the detector does not know, or takes for others: encodings of old
// computers, and Thai.
var rare = []encoding.Encoding{charmap.CodePage850, charmap.CodePage437, charmap.Macintosh, charmap.CodePage866, charmap.Windows874}

// multiByte are the encodings that the detector takes Thai for.
var multiByte = []encoding.Encoding{simplifiedchinese.GB18030, traditionalchinese.Big5, korean.EUCKR, japanese.EUCJP, japanese.ShiftJIS}

// certain is the confidence of the detector, in percent, from which no other encoding is tried
// that would explain the text as well.
const certain = 80

// legacyEncoding returns the encoding of a text that is not UTF-8: the one with that name, or, for
// "", the most likely one. It is an error if the sample decodes badly with it.
func legacyEncoding(name string, sample []byte) (encoding.Encoding, error) {
	var e encoding.Encoding
	if name == "" {
		e = detectLegacy(sample)
	} else {
		var err error
		if e, err = Encoding(name); err != nil {
			return nil, err
		}
	}
	if e != nil && isBadlyDecoded(decoded(e, sample)) {
		return nil, errEncoding
	}
	return e, nil
}

// detectLegacy returns the most likely encoding of a text that is not UTF-8, by the frequency of
// letters and by what is unlikely in words.
func detectLegacy(sample []byte) encoding.Encoding {
	best, confidence := likeliest(sample)
	if confidence < certain {
		if wide := detectWideOf(sample, isCJK); wide != nil {
			return wide
		}
	}
	if best == charmap.Windows1252 && strings.Contains(decoded(best, sample), "¤") {
		best = charmap.ISO8859_15 // where it is the euro sign
	}
	if confidence < certain || !slices.Contains(multiByte, best) {
		if e := byAlphabet(best, sample); e != nil {
			return e
		}
	}
	least := anomalies(decoded(best, sample))
	for _, e := range rare {
		n := anomalies(decoded(e, sample))
		thai := e == charmap.Windows874 && n == 0 && confidence < certain && slices.Contains(multiByte, best)
		if thai || n*4 < least {
			best, least = e, n
		}
	}
	return best
}

// likeliest returns what the detector finds, with its confidence in percent. Of equal results
// it takes GB 18030 last, in which most bytes mean something.
func likeliest(sample []byte) (encoding.Encoding, int) {
	found, err := chardet.NewTextDetector().DetectAll(sample)
	if err != nil {
		return charmap.Windows1252, 0
	}
	slices.SortFunc(found, func(a, b chardet.Result) int {
		gb := func(r chardet.Result) int { return len(r.Charset) - len(strings.TrimPrefix(r.Charset, "GB")) }
		return cmp.Or(cmp.Compare(b.Confidence, a.Confidence), cmp.Compare(gb(a), gb(b)), cmp.Compare(a.Charset, b.Charset))
	})
	for _, r := range found {
		if e, err := Encoding(r.Charset); err == nil && e != nil {
			return e, r.Confidence
		}
	}
	return charmap.Windows1252, 0
}

func decoded(e encoding.Encoding, raw []byte) string {
	text, err := e.NewDecoder().Bytes(raw)
	if err != nil {
		return strings.Repeat(string(utf8.RuneError), len(raw))
	}
	return string(text)
}

// anomalies counts what shows that a text is decoded wrongly: characters that no text has,
// symbols within words, capitals within words, and letters of two scripts side by side.
func anomalies(text string) int {
	n := 0
	var last, before rune
	for _, r := range text {
		switch {
		case r == utf8.RuneError, r >= 0x80 && r < 0xa0, unicode.Is(unicode.Co, r):
			n += 3
		case r >= 0x2500 && r < 0x25a0: // lines and blocks
			n++
		case r > unicode.MaxASCII && unicode.IsUpper(r) && unicode.IsLower(last):
			n++
		case unicode.IsLower(r) && last > unicode.MaxASCII && unicode.IsUpper(last) && unicode.IsLetter(before):
			n++
		case unicode.IsLetter(r) && unicode.IsLetter(last) && r < 0x2000 && last < 0x2000 && isLatin(r) != isLatin(last):
			n++
		case unicode.IsLetter(r) && isStrange(last) && unicode.IsLetter(before):
			n++
		case r <= unicode.MaxASCII && unicode.IsLower(r) && last >= 0x2e80 && before <= unicode.MaxASCII && unicode.IsLetter(before):
			n++
		case unicode.In(r, unicode.L, unicode.M) && last > unicode.MaxASCII && last < 0x2e80 && unicode.IsNumber(last) && unicode.In(before, unicode.L, unicode.M):
			n++
		}
		before, last = last, r
	}
	return n
}

func isLatin(r rune) bool { return unicode.Is(unicode.Latin, r) }

// isStrange reports whether a character does not belong between two letters.
func isStrange(r rune) bool {
	return r > unicode.MaxASCII && r < 0x2e80 && !unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.Pd, unicode.Zs) && !strings.ContainsRune("’…·\u00ad", r)
}

// isBadlyDecoded reports whether more than one in twenty of the characters that are not ASCII
// have no meaning.
func isBadlyDecoded(text string) bool {
	bad, all := 0, 0
	for _, r := range text {
		if r <= unicode.MaxASCII {
			continue
		}
		all++
		if r == utf8.RuneError || r < 0xa0 {
			bad++
		}
	}
	return bad*20 > all
}

// DeclaredEncoding returns the name of the encoding that the first bytes of an HTML or XML file
// declare, or "".
func DeclaredEncoding(raw []byte) string {
	head := raw[:min(len(raw), 1024)]
	if m := xmlEncodingPattern.FindSubmatch(head); m != nil {
		return string(m[1])
	}
	_, name, _ := charset.DetermineEncoding(head, "text/html")
	if name == "windows-1252" { // this is also what a page without a declaration has
		return ""
	}
	return name
}
