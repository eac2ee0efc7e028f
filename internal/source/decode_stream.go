package source

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"slices"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/transform"
)

// streamBuffer is the number of bytes that are read at a time.
const streamBuffer = 64 << 10

// textOf returns what decodeText returns for the bytes of a file, as a stream. It
// reads the file once to find the encoding; the stream reads it once more.
func textOf(file *fileReader) (io.Reader, error) {
	from, err := detectEncoding(file, parsing{encoding: file.options.Encoding})
	if err != nil {
		return nil, err
	}
	if err := file.rewind(); err != nil {
		return nil, err
	}
	raw := bufio.NewReaderSize(file, streamBuffer)
	if from != nil {
		raw = bufio.NewReaderSize(from.NewDecoder().Reader(raw), max(streamBuffer, sniffed))
		head, err := raw.Peek(sniffed)
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		if isBinary(head) {
			return nil, errBinary
		}
	}
	return cleanReader(raw), nil
}

// detectEncoding returns the encoding of text by the rules of decodeText, nil for
// UTF-8.
func detectEncoding(raw io.Reader, with parsing) (encoding.Encoding, error) {
	in := bufio.NewReaderSize(raw, max(streamBuffer, sniffed))
	head, err := in.Peek(sniffed)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	marked, hasMark := markOf(head)
	wide, binary := detectWide(head), isBinary(head)
	var census utf8Census
	var sample highSampler
	if _, err := io.Copy(io.MultiWriter(&census, &sample), in); err != nil { // to the end in any case: a file that is too large has no text
		return nil, err
	}
	switch {
	case hasMark:
		return marked, nil
	case wide != nil:
		return wide, nil
	case binary:
		return nil, errBinary
	case census.mostlyUTF8():
		return nil, nil
	}
	return legacyEncoding(with.encoding, sample.bytes)
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
		s.bytes = s.bytes[max(0, len(s.bytes)-sniffed):]
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
		}
		raw = raw[n:]
	}
	c.rest = slices.Clone(raw)
	return len(p), nil
}

// mostlyUTF8 reports whether everything written is UTF-8, perhaps with some damage,
// such as a truncated sequence at the end or a line in another encoding.
func (c *utf8Census) mostlyUTF8() bool {
	damaged := c.damaged
	if len(c.rest) > 0 {
		damaged++
	}
	return damaged == 0 || c.valid > 2*damaged
}

// cleanReader returns what clean returns for a text, as a stream.
func cleanReader(text io.Reader) io.Reader { return transform.NewReader(text, &cleaner{}) }

// A cleaner does to a stream what clean does to a text.
type cleaner struct {
	started bool
	invalid bool // the last byte was not UTF-8
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
		invalid := r == utf8.RuneError && n == 1
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
