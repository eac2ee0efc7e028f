// Package source turns paths into documents: it lists files, reads them, finds
// their encoding, and takes text, title, date and metadata from them. One file
// of the package is one format; adding a format adds a file.
//
// Reading is free of the machine's state: the same bytes under the same name
// give the same documents, whatever the file's own time says.
//
// Files are not trusted. Packed formats, PDF and Word, are read by a process of
// their own whose memory and time are bounded, since their size on disk says
// nothing of what they unpack to: a file that is made to fill the memory ends
// as one failure with a name.
package source

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/neorag/neorag/internal/graph"
)

// version is part of the fingerprint: it changes when the same bytes give another text.
const version = "1"

const (
	defaultMaxFileSize = 64 << 20
	defaultMaxDepth    = 64
)

// ErrNoInput says that a path is missing or holds nothing that can be read.
var ErrNoInput = errors.New("no input")

// Options say what is listed and how it is read. The zero value works.
type Options struct {
	MaxFileSize int64     // bytes; 0 means 64 MiB
	MaxDepth    int       // folders below a path; 0 means 64
	Ignore      []string  // patterns as in .gitignore, relative to each path; they outweigh those of .neoragignore files
	Stdin       io.Reader // what the path "-" stands for
	// Fields names the columns or keys that hold the text, title, id and date of
	// a record, where they are called otherwise: {"text": "body"}.
	Fields map[string]string
}

func (o Options) maxFileSize() int64 {
	if o.MaxFileSize == 0 {
		return defaultMaxFileSize
	}
	return o.MaxFileSize
}

func (o Options) maxDepth() int {
	if o.MaxDepth == 0 {
		return defaultMaxDepth
	}
	return o.MaxDepth
}

// Fingerprint stands for everything that changes the text of a file that is
// read. Which files are read is no part of it.
func (o Options) Fingerprint() string {
	parts := []string{"source", version}
	for _, target := range fieldTargets {
		if name := o.Fields[target]; name != "" && name != target {
			parts = append(parts, target, name)
		}
	}
	return graph.Hash(parts...)
}

// Validate finds what is wrong with the options.
func (o Options) Validate() error {
	names := map[string]string{}
	for _, target := range slices.Sorted(maps.Keys(o.Fields)) {
		name := o.Fields[target]
		if !slices.Contains(fieldTargets, target) {
			return fmt.Errorf("field %q: only %s can be named", target, strings.Join(fieldTargets, ", "))
		}
		if name == "" {
			return fmt.Errorf("field %s: give the name of a column, as in %s=NAME", target, target)
		}
		if other := names[name]; other != "" {
			return fmt.Errorf("field %s: %q is the %s already", target, name, other)
		}
		names[name] = target
	}
	return nil
}

// ParseFields reads "text=body" and the like into Options.Fields.
func ParseFields(pairs []string) (map[string]string, error) {
	if len(pairs) == 0 {
		return nil, nil
	}
	fields := map[string]string{}
	for _, pair := range pairs {
		target, name, found := strings.Cut(pair, "=")
		if !found {
			return nil, fmt.Errorf("field %q: write TARGET=NAME, as in text=body", pair)
		}
		if _, twice := fields[target]; twice {
			return nil, fmt.Errorf("field %s: named twice", target)
		}
		fields[target] = name
	}
	return fields, Options{Fields: fields}.Validate()
}

// A File is one file of a listing.
type File struct {
	URI     string // base name of the given path and the path below it, "/" as separator
	Root    string // absolute path that was given; empty for standard input
	Path    string // where to read it; "-" for standard input
	Size    int64
	ModTime time.Time // of the file; zero for standard input
	Content []byte    // all of standard input; nil for a file
}

// A Failure is something that cannot be read: a file, or a part of one. The
// rest goes on.
type Failure struct {
	URI  string // of the file
	Root string
	Line int   // where the part of the file begins; 0 for a whole file, and for a part without lines
	Err  error // one line; it names the URI, and the line if there is one
}

// A Listing is what paths hold: files and failures sorted by URI.
type Listing struct {
	Roots    []string // absolute paths, in the order given, each once; standard input has none
	Files    []File
	Failures []Failure
}
