package source

import (
	"context"
	"path"
	"strings"

	"github.com/neorag/neorag/internal/graph"
)

// A format reads the files of some extensions.
type format struct {
	mime       string
	extensions []string // lower case, with the dot
	// read makes the one document of a file, and names the parts of it that cannot
	// be read. The URI, root, hash, MIME type, and title and date as the file's name
	// gives them are set in base; read overrides what the content knows better. It
	// does not keep raw.
	read func(ctx context.Context, raw []byte, base graph.Document) (graph.Document, []Failure, error)
	// apart reads in a process of its own, whose memory and time are bounded: for
	// formats whose size in memory their size on disk does not tell.
	apart bool
	// records takes its place in a format whose files hold many documents: it
	// hands them over one by one. An error is one of the whole file.
	records func(raw []byte, r *records) error
}

var formats = map[string]format{}

// register adds a format. Each format's file calls it for a package variable.
func register(f format) struct{} {
	for _, extension := range f.extensions {
		if _, taken := formats[extension]; taken {
			panic("source: two formats read " + extension)
		}
		formats[extension] = f
	}
	return struct{}{}
}

// formatOf is the format of a file by its name.
func formatOf(name string) (format, bool) {
	f, ok := formats[strings.ToLower(path.Ext(name))]
	return f, ok
}

// stem is the base name without its extension.
func stem(name string) string {
	base := path.Base(name)
	if s := strings.TrimSuffix(base, path.Ext(base)); s != "" {
		return s
	}
	return base
}
