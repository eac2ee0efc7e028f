// Package parse is what all formats share: the contract of their readers, and how they read titles,
// dates, headings and names.
package parse

import (
	"fmt"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/source/pdftext"
)

// Options are what a format needs to know besides the file.
type Options struct {
	Cache     string // folder of the compiled PDF parser, or ""
	Encoding  string // of texts that are not UTF-8 and have no byte order mark; "" to detect it
	WholePage bool   // menus, footers and banners of HTML are kept
	// Scans takes the pictures of pages without text; nil means that they are not wanted.
	Scans *[]pdftext.Scan
}

// A Failure is a file, or a part of a file, that cannot be read. It does not stop
// the rest.
type Failure struct {
	URI  string // of the file
	Root string // of the file
	Line int    // where the part starts; 0 for a whole file and for a part without line numbers
	Err  error  // one line, with the URI, and with the line if there is one
}

// FailureIn returns the failure of a part of the file of a document.
func FailureIn(doc graph.Document, err error) Failure {
	return Failure{URI: doc.URI, Root: doc.Root, Err: fmt.Errorf("read %s: %w", doc.URI, err)}
}
