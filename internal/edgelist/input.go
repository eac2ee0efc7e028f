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

// FormatOf is the format of a file by its name, Auto if that does not tell.
func FormatOf(name string) Format {
	name = strings.TrimSuffix(strings.ToLower(name), ".gz")
	switch f := Format(strings.TrimPrefix(path.Ext(name), ".")); f {
	case Whitespace, Tabs, Commas:
		return f
	}
	return Auto
}

// ParseFormat is the format of that name.
func ParseFormat(name string) (Format, error) {
	switch f := Format(name); f {
	case Auto, Whitespace, Tabs, Commas:
		return f, nil
	}
	return Auto, fmt.Errorf("format %q: choose txt, tsv or csv", name)
}

// decompress looks through gzip, whatever the name of the file says.
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
	// maxLine is the greatest length of a line in bytes.
	maxLine = 1 << 16
)

// parse reads all lines. A line that is too long is passed over as a bad one.
func (r *parser) parse(ctx context.Context, in io.Reader) error {
	buffer := make([]byte, maxLine+blockBytes)
	held, number, tooLong := 0, 0, false // bytes of an unfinished line in the buffer
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
			if lerr := r.parseNumbered(number, rest[:end], tooLong); lerr != nil {
				return lerr
			}
			tooLong, rest = false, rest[end+1:]
		}
		if len(rest) > maxLine {
			tooLong, rest = true, nil
		}
		held = copy(buffer, rest)
		if errors.Is(err, io.EOF) {
			if held > 0 || tooLong {
				return r.parseNumbered(number+1, buffer[:held], tooLong)
			}
			return nil
		}
		if err != nil {
			return fmt.Errorf("read %s after line %d: %w", r.o.Name, number, err)
		}
	}
}

func (r *parser) parseNumbered(number int, line []byte, tooLong bool) error {
	if tooLong || len(line) > maxLine {
		return r.badLine(number, fmt.Sprintf("longer than %d bytes", maxLine))
	}
	if number == 1 {
		line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
	}
	return r.parseLine(number, line)
}
