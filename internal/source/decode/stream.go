package decode

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"slices"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/transform"
)

// StreamBuffer is the number of bytes that are read at a time.
const StreamBuffer = 64 << 10

// Stream returns what Text returns for the bytes of a file, as a stream. It
// reads the file once to find the encoding; the stream reads it once more, after rewind.
func Stream(file io.Reader, rewind func() error, given string) (io.Reader, error) {
	from, err := detectEncoding(file, given)
	if err != nil {
		return nil, err
	}
	if err := rewind(); err != nil {
		return nil, err
	}
	raw := bufio.NewReaderSize(file, StreamBuffer)
	if from != nil {
		raw = bufio.NewReaderSize(from.NewDecoder().Reader(raw), max(StreamBuffer, Sniffed))
		head, err := raw.Peek(Sniffed)
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		if isBinary(head) {
			return nil, errBinary
		}
	}
	return cleanReader(raw), nil
}

// detectEncoding returns the encoding of text by the rules of Text, nil for
// UTF-8.
func detectEncoding(raw io.Reader, given string) (encoding.Encoding, error) {
	in := bufio.NewReaderSize(raw, max(StreamBuffer, Sniffed))
	head, err := in.Peek(Sniffed)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	head = slices.Clone(head) // the reader replaces it
	var census utf8Census
	var sample highSampler
	if _, err := io.Copy(io.MultiWriter(&census, &sample), in); err != nil { // to the end in any case: a file that is too large has no text
		return nil, err
	}
	return encodingOf(head, &census, false, given, func() []byte { return sample.bytes })
}

// A highSampler keeps what highSample returns of the bytes written to it.
type highSampler struct {
	bytes []byte
	found bool // a byte that is not ASCII was written
}

func (s *highSampler) Write(p []byte) (int, error) {
	rest := p
	if !s.found {
		at := bytes.IndexFunc(p, isHigh)
		s.found = at >= 0
		if !s.found {
			at = len(p)
		}
		s.bytes = append(s.bytes, p[:at]...)
		s.bytes = s.bytes[max(0, len(s.bytes)-Sniffed):]
		rest = p[at:]
	}
	s.bytes = append(s.bytes, rest[:min(len(rest), encodingSample-len(s.bytes))]...)
	return len(p), nil
}

// A utf8Census counts the signs of UTF-8, and of other encodings, in the bytes written to it.
type utf8Census struct {
	valid   int    // bytes in sequences of more than one
	damaged int    // bytes that are not UTF-8
	rest    []byte // the start of a sequence
	last    uint32 // the last characters of ASCII
	escape  bool   // the sequence that begins Japanese in ISO-2022-JP was written
}

func censusOf(raw []byte) *utf8Census {
	var census utf8Census
	_, _ = census.Write(raw) // never fails
	return &census
}

func (c *utf8Census) Write(p []byte) (int, error) {
	raw := p
	if len(c.rest) > 0 {
		raw = slices.Concat(c.rest, p)
	}
	for len(raw) >= utf8.UTFMax || utf8.FullRune(raw) {
		r, n := rune(raw[0]), 1
		if r >= utf8.RuneSelf {
			r, n = utf8.DecodeRune(raw)
		}
		switch {
		case n > 1:
			c.valid += n
		case r == utf8.RuneError:
			c.damaged++
		default:
			c.last = c.last<<8 | uint32(r)
			c.escape = c.escape || c.last&0xffffff == '\x1b'<<16|'$'<<8|'B' || c.last&0xffffff == '\x1b'<<16|'$'<<8|'@'
		}
		raw = raw[n:]
	}
	c.rest = slices.Clone(raw)
	return len(p), nil
}

// isJapanese reports whether everything written is ISO-2022-JP.
func (c *utf8Census) isJapanese() bool { return c.escape && c.valid+c.damaged+len(c.rest) == 0 }

// mostlyUTF8 reports whether everything written is UTF-8, perhaps with some damage,
// such as a truncated sequence at the end or a line in another encoding.
func (c *utf8Census) mostlyUTF8() bool {
	damaged := c.damaged
	if len(c.rest) > 0 {
		damaged++
	}
	return damaged == 0 || c.valid > damaged
}

// cleanReader returns what clean returns for a text, as a stream.
func cleanReader(text io.Reader) io.Reader { return transform.NewReader(text, &cleaner{}) }

// A cleaner does to a stream what clean does to a text.
type cleaner struct {
	started bool
	invalid bool // the last bytes have no meaning
	cr      bool // the last byte was "\r"
}

func (c *cleaner) Reset() { *c = cleaner{} }

func (c *cleaner) Transform(dst, src []byte, atEOF bool) (nDst, nSrc int, err error) {
	if !c.started {
		if !atEOF && len(src) < len(utf8Mark) && bytes.HasPrefix(utf8Mark, src) {
			return 0, 0, transform.ErrShortSrc
		}
		if c.started = true; bytes.HasPrefix(src, utf8Mark) {
			nSrc = len(utf8Mark)
		}
	}
	for nSrc < len(src) {
		if len(dst)-nDst < utf8.UTFMax {
			return nDst, nSrc, transform.ErrShortDst
		}
		r, n := rune(src[nSrc]), 1
		if r >= utf8.RuneSelf {
			r, n = utf8.DecodeRune(src[nSrc:])
			if n == 1 && !atEOF && !utf8.FullRune(src[nSrc:]) {
				return nDst, nSrc, transform.ErrShortSrc
			}
		}
		invalid := false
		if r == utf8.RuneError && n == 1 {
			r, n = foreignRune(src[nSrc:])
			invalid = r == utf8.RuneError
		}
		switch {
		case r == 0, r == '\n' && c.cr, invalid && c.invalid:
		case r == '\r':
			dst[nDst] = '\n'
			nDst++
		default:
			nDst += utf8.EncodeRune(dst[nDst:], r)
		}
		c.cr, c.invalid = r == '\r', invalid
		nSrc += n
	}
	return nDst, nSrc, nil
}

// foreignRune returns the character at the beginning of bytes that are not UTF-8, and its size: the
// one of windows-1252, or U+FFFD for a sequence that is cut off.
func foreignRune(src []byte) (r rune, size int) {
	for size < len(src) && !utf8.FullRune(src[:size+1]) {
		size++
	}
	if size > 1 || size == len(src) {
		return utf8.RuneError, size
	}
	r = charmap.Windows1252.DecodeByte(src[0])
	if r < 0xa0 {
		r = utf8.RuneError
	}
	return r, 1
}
