package source

import (
	"cmp"
	"errors"
	"io"
	"maps"
	"slices"
	"time"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/source/decode"
)

// version is part of the fingerprint. It changes when the same bytes give different documents.
const version = "4"

// earlierVersions gave the same texts, except formats that name the version since which they do.
var earlierVersions = []string{"1", "2", "3"}

const (
	defaultMaxFileSize = 64 << 20
	defaultMaxDepth    = 64
)

// ErrNoInput means that a path does not exist or contains nothing readable.
var ErrNoInput = errors.New("no input")

// Options configure what is listed and how it is read. The zero value works.
type Options struct {
	MaxFileSize int64     // bytes; 0 means 64 MiB
	MaxDepth    int       // folders below a path; 0 means 64
	Ignore      []string  // patterns as in .gitignore, relative to each path; they override .neoragignore files
	MayBeEmpty  []string  // paths of folders that need not have a file to read: if not, what they held was deleted
	Stdin       io.Reader // the content of the path "-"; nil means that there is none
	// Encoding is the name of the encoding of texts that are not UTF-8 and have no byte order mark.
	// "" is the one that HTML declares, or that the text looks like.
	Encoding   string
	WholePages bool // keep menus, footers and banners of HTML pages
	// OCRCommand is a program, with arguments separated by spaces, that reads a picture of a page, in
	// JPEG, on standard input and writes its text to standard output: "tesseract stdin stdout". ""
	// means that pages without text have none.
	OCRCommand string
	// Sandbox reads the files of packed formats; nil means one child process for each file.
	Sandbox *Sandbox
	// Fields maps text, title, id and date to the columns or keys that hold them, where these have
	// other names: {"text": "body"}. Several columns, separated by commas, make one text. After a
	// pattern of files, as in .gitignore, and a colon, a field applies to these files only, and
	// precedes the others: {"reviews*.csv:text": "review"}.
	Fields map[string]string
}

func (o Options) maxFileSize() int64 { return cmp.Or(o.MaxFileSize, defaultMaxFileSize) }

func (o Options) maxDepth() int { return cmp.Or(o.MaxDepth, defaultMaxDepth) }

// Fingerprint returns a hash of everything that influences the documents of a file. The options
// that select files are not part of it.
func (o Options) Fingerprint() string { return o.fingerprint(version) }

// SameText reports whether a fingerprint of the documents of a file was made with these options, in
// this or an earlier version that gave them the same text.
func (o Options) SameText(f File, fingerprint string) bool {
	format, _ := formatOf(f.URI)
	return fingerprint == o.Fingerprint() || slices.ContainsFunc(earlierVersions, func(earlier string) bool {
		return earlier >= format.textVersion && fingerprint == o.fingerprint(earlier)
	})
}

// IsEarlier reports whether a fingerprint was made with these options by an earlier version.
func (o Options) IsEarlier(fingerprint string) bool {
	return slices.ContainsFunc(earlierVersions, func(earlier string) bool { return fingerprint == o.fingerprint(earlier) })
}

func (o Options) fingerprint(version string) string {
	parts := []string{"source", version}
	for _, target := range fieldTargets {
		if name := o.Fields[target]; name != "" && name != target {
			parts = append(parts, target, name)
		}
	}
	for _, field := range slices.Sorted(maps.Keys(o.Fields)) {
		if !slices.Contains(fieldTargets, field) {
			parts = append(parts, field, o.Fields[field])
		}
	}
	if o.Encoding != "" {
		parts = append(parts, "encoding", o.Encoding)
	}
	if o.WholePages {
		parts = append(parts, "whole pages")
	}
	if o.OCRCommand != "" {
		parts = append(parts, "ocr", o.OCRCommand)
	}
	return graph.Hash(parts...)
}

// Validate returns an error for an encoding that is not known, and for Fields that no file can be
// read with.
func (o Options) Validate() error {
	if o.Encoding != "" {
		if _, err := decode.Encoding(o.Encoding); err != nil {
			return err
		}
	}
	return o.validateFields()
}

// A File is one file of a listing.
type File struct {
	URI     string // base name of the given path, then the path below it, with "/" as separator
	Root    string // the given path, absolute, as valid UTF-8; empty for standard input
	Path    string // the path to open; "-" for standard input
	Size    int64
	ModTime time.Time // zero for standard input
	Stamp   string    // differs whenever the file was written or replaced; empty for standard input
	Changed time.Time // the last change of its content or properties; zero for standard input
	Content []byte    // all of standard input; nil for a file
}

// A Listing is the content of paths. Files and failures are sorted by URI.
type Listing struct {
	Roots    []string // the given paths, absolute, as valid UTF-8, in the given order, without duplicates or standard input
	Files    []File
	Failures []Failure
	// Skipped counts the files that no format reads, by extension, in lower case with the dot; ""
	// is for files without one.
	Skipped map[string]int
	// Missing are linked pages that cannot be read, and will not be by the next run. One that was a
	// document is a failure: it may have led to others.
	Missing []Failure
	Folders []string // that were listed, as absolute paths without symbolic links, sorted
}
