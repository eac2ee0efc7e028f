package neo4jstore

import (
	"context"
	"maps"
	"slices"
)

// Unread is what the latest runs did not read of the files of a corpus.
type Unread struct {
	Failures []UnreadFile
	Skipped  map[string]int // files that no format reads, by extension, of the last run
}

// An UnreadFile is a file, or a part of one, that could not be read.
type UnreadFile struct {
	URI    string
	Reason string // one line
}

// unreadStage is the stage of a file that was not read, as the runs of package index name it.
const unreadStage = "source"

// WithUnread returns the files of the corpus that were not read, and then items that a stage failed on.
func (c *Corpus) WithUnread(failed []Failed) []Failed {
	var all []Failed
	for _, f := range c.Unread.Failures {
		all = append(all, Failed{Key: f.URI, Stage: unreadStage, Reason: f.Reason})
	}
	return append(all, failed...)
}

// Equal reports whether two values say the same.
func (u Unread) Equal(o Unread) bool {
	return slices.Equal(u.Failures, o.Failures) && maps.Equal(u.Skipped, o.Skipped)
}

// properties returns the properties of a corpus: parallel lists, null where they are empty.
func (u Unread) properties() map[string]any {
	set := map[string]any{"unread": nil, "unread_reasons": nil, "skipped": nil, "skipped_counts": nil}
	if n := len(u.Failures); n > 0 {
		uris, reasons := make([]string, n), make([]string, n)
		for i, f := range u.Failures {
			uris[i], reasons[i] = f.URI, f.Reason
		}
		set["unread"], set["unread_reasons"] = uris, reasons
	}
	if extensions := slices.Sorted(maps.Keys(u.Skipped)); len(extensions) > 0 {
		counts := make([]int, len(extensions))
		for i, e := range extensions {
			counts[i] = u.Skipped[e]
		}
		set["skipped"], set["skipped_counts"] = extensions, counts
	}
	return set
}

func unreadOf(v values) Unread {
	var u Unread
	reasons, counts := v.texts("unread_reasons"), v.ints("skipped_counts")
	for i, uri := range v.texts("unread") {
		if i < len(reasons) {
			u.Failures = append(u.Failures, UnreadFile{uri, reasons[i]})
		}
	}
	for i, extension := range v.texts("skipped") {
		if i < len(counts) {
			if u.Skipped == nil {
				u.Skipped = map[string]int{}
			}
			u.Skipped[extension] = counts[i]
		}
	}
	return u
}

// SetUnread records what was not read.
func (w *Writer) SetUnread(ctx context.Context, u Unread) error {
	return w.set(ctx, "unread files", u.properties())
}

// A DocumentLine is a document as people see it in a list.
type DocumentLine struct {
	Key      string
	URI      string
	Title    string
	Date     string
	Author   string
	Language string
	MIME     string
	Chunks   int
	NTokens  int
}

// DocumentList reads all documents of a corpus in key order.
func (s *Store) DocumentList(ctx context.Context, corpus string) ([]DocumentLine, error) {
	return pageSpec[DocumentLine]{reading: "list documents", statement: readDocumentList, corpus: corpus, key: func(d DocumentLine) string { return d.Key }}.all(ctx, s)
}
