package cli

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/neorag/neorag/internal/source"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/text"
	"github.com/neorag/neorag/internal/ui/terminal"
)

// A FileLine is a file of a corpus: one document, or all records of a file of records.
type FileLine struct {
	URI       string `json:"uri"`
	Title     string `json:"title"` // of the document; empty for a file of several records
	Date      string `json:"date,omitempty"`
	Author    string `json:"author,omitempty"`
	Language  string `json:"language,omitempty"`
	MIME      string `json:"mime"`
	Documents int    `json:"documents"`
	Chunks    int    `json:"chunks"`
	NTokens   int    `json:"n_tokens"`
}

// readFiles reads the documents of a corpus, and joins the documents of a file of records.
func readFiles(ctx context.Context, store *neo4jstore.Store, corpus string) ([]FileLine, error) {
	documents, err := store.DocumentList(ctx, corpus)
	if err != nil {
		return nil, err
	}
	var files []FileLine
	places := map[string]int{}
	for _, d := range documents {
		uri := fileOf(d.URI)
		at, known := places[uri]
		if !known {
			at = len(files)
			places[uri] = at
			files = append(files, FileLine{URI: uri, Title: d.Title, Date: d.Date, Author: d.Author, Language: d.Language, MIME: d.MIME})
		}
		f := &files[at]
		if f.Documents++; f.Documents > 1 {
			f.Title, f.Date, f.Author = "", "", ""
		}
		f.Chunks += d.Chunks
		f.NTokens += d.NTokens
	}
	slices.SortFunc(files, func(a, b FileLine) int { return strings.Compare(a.URI, b.URI) })
	return files, nil
}

// fileOf returns the file of a document: names of files may contain "#" too.
func fileOf(uri string) string {
	if file, _, found := strings.Cut(uri, "#"); found && source.HasRecords(source.File{URI: file}) {
		return file
	}
	return uri
}

// printFiles prints the files of a corpus.
func printFiles(env *environment, s Status) {
	env.printf("Files of corpus %s\n", s.Corpus)
	table := tabwriter.NewWriter(env.Stdout, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(table, "  file\tdocuments\tchunks\ttokens\tlanguage\tdate\ttitle, author")
	for _, f := range s.Files {
		title := f.Title
		if f.Author != "" {
			title += ", " + f.Author
		}
		_, _ = fmt.Fprintf(table, "  %s\t%d\t%d\t%d\t%s\t%s\t%s\n", terminal.OneLine(f.URI), f.Documents, f.Chunks, f.NTokens, cmp.Or(f.Language, "?"), f.Date, text.Shorten(terminal.OneLine(title), 60))
	}
	_ = table.Flush()
	for _, f := range s.Failed {
		if f.Stage == "source" {
			env.printf("  failed: %s\n", f.Reason)
		}
	}
	if note := source.SkippedNote(s.Skipped); note != "" {
		env.printf("  %s\n", note)
	}
}
