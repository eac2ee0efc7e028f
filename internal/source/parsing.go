package source

import "github.com/neorag/neorag/internal/source/pdftext"

// parsing is what a format needs to know besides the file.
type parsing struct {
	cache     string // folder of the compiled PDF parser, or ""
	encoding  string // of texts that are not UTF-8 and have no byte order mark; "" to detect it
	wholePage bool   // menus, footers and banners of HTML are kept
	// scans takes the pictures of pages without text; nil means that they are not wanted.
	scans *[]pdftext.Scan
}

// A Failure is a file, or a part of a file, that cannot be read. It does not stop
// the rest.
type Failure struct {
	URI  string // of the file
	Root string // of the file
	Line int    // where the part starts; 0 for a whole file and for a part without line numbers
	Err  error  // one line, with the URI, and with the line if there is one
}
