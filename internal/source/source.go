// Package source turns paths into documents: it lists files, reads them, finds
// their encoding, and takes text, title, date and metadata from them. One file
// of the package is one format; adding a format adds a file.
//
// Reading is free of the machine's state: the same bytes under the same name
// give the same documents, whatever the file's own time says.
package source

import (
	"errors"
	"io"
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
func (o Options) Fingerprint() string { return graph.Hash("source", version) }

// A File is one file of a listing.
type File struct {
	URI     string // base name of the given path and the path below it, "/" as separator
	Root    string // absolute path that was given; empty for standard input
	Path    string // where to read it; "-" for standard input
	Size    int64
	ModTime time.Time // of the file; zero for standard input
	Content []byte    // all of standard input; nil for a file
}

// A Failure is something below a path that cannot be read. The rest goes on.
type Failure struct {
	URI  string
	Root string
	Err  error // one line; it names the URI
}

// A Listing is what paths hold: files and failures sorted by URI.
type Listing struct {
	Roots    []string // absolute paths, in the order given, each once; standard input has none
	Files    []File
	Failures []Failure
}
