package edgelist

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
)

// FormatOf returns the format of a file by its extension, Auto for an unknown one.
func FormatOf(name string) Format {
	name = strings.TrimSuffix(strings.ToLower(name), ".gz")
	switch f := Format(strings.TrimPrefix(path.Ext(name), ".")); f {
	case Whitespace, Tabs, Commas:
		return f
	}
	return Auto
}

// ParseFormat returns the format with the given name.
func ParseFormat(name string) (Format, error) {
	switch f := Format(name); f {
	case Auto, Whitespace, Tabs, Commas:
		return f, nil
	}
	return Auto, fmt.Errorf("format %q: choose txt, tsv or csv", name)
}

// decompress returns a reader of the uncompressed data. It detects gzip by the data, not
// by the name of the file.
func decompress(from io.Reader) (io.Reader, error) {
	in := bufio.NewReaderSize(from, blockBytes)
	head, err := in.Peek(2)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if len(head) < 2 || head[0] != 0x1f || head[1] != 0x8b {
		return in, nil
	}
	return gzip.NewReader(in)
}

const (
	blockBytes = 1 << 16
	// maxLine is the maximum length of a line in bytes.
	maxLine = 1 << 16
)

// parse reads all lines. A line that is too long is a bad line, of which no more than the
// buffer is kept.
func (p *parser) parse(ctx context.Context, in io.Reader) error {
	buffer := make([]byte, maxLine+blockBytes)
	held, number, tooLong := 0, 0, false // held: bytes of an incomplete line in the buffer
	for {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		n, err := in.Read(buffer[held:])
		rest := buffer[:held+n]
		for {
			end := bytes.IndexByte(rest, '\n')
			if end < 0 {
				break
			}
			number++
			if lineErr := p.parseNumbered(number, rest[:end], tooLong); lineErr != nil {
				return lineErr
			}
			tooLong, rest = false, rest[end+1:]
		}
		if len(rest) > maxLine {
			tooLong, rest = true, nil
		}
		held = copy(buffer, rest)
		if errors.Is(err, io.EOF) {
			if held > 0 || tooLong {
				return p.parseNumbered(number+1, buffer[:held], tooLong)
			}
			return nil
		}
		if err != nil {
			return fmt.Errorf("read %s after line %d: %w", p.o.Name, number, err)
		}
	}
}

// parseNumbered parses a line with its number, from 1.
func (p *parser) parseNumbered(number int, line []byte, tooLong bool) error {
	if tooLong || len(line) > maxLine {
		return p.badLine(number, fmt.Sprintf("line longer than %d bytes", maxLine))
	}
	if number == 1 {
		line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
	}
	return p.parseLine(number, line)
}
