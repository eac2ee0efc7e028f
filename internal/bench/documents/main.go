// Command documents compares the text that NeoRAG reads of PDF, Word and HTML files with the
// text that an independent program reads of them: PyMuPDF for PDF, pandoc for the others. It
// prints a Markdown table for each format and a summary.
//
//	go run ./internal/bench/documents -python /tmp/venv/bin/python FOLDER...
//
// A program that is missing is named, and its formats are left out. The times are measured in our
// reader, whose child process may be running, and of the whole other process.
//
// A word is a run of letters and digits, lower-cased and in normal form KC; each Chinese or
// Japanese character is a word. Marks of Markdown and the labels of notes do not count, and a
// hyphen inside a word is dropped with the line break after it: neither program is blamed for the
// way it joins divided words. Our reader drops running heads, so the text of PyMuPDF is compared
// without the lines at the upper or lower edge of a page, the outer 12 percent, that at least
// three pages have at the same edge, whatever their numbers. Menus of
// HTML pages are kept, because pandoc prints them. Headers, footers and comments of Word files, which
// pandoc leaves out, count as invented.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/source"
)

func main() {
	python := flag.String("python", "python3", "`PROGRAM` that runs Python with PyMuPDF")
	words := flag.Int("words", 0, "also print the `N` most frequent words lost and invented in each file below its goal")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Stdout, *python, *words, flag.Args())
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "documents:", err)
		os.Exit(1)
	}
}

// timeLimit bounds the time of another program for one file.
const timeLimit = 3 * time.Minute

// A format is one whose files are compared.
type format struct {
	name       string
	extensions []string
	goal       float64 // share of the other's words that ours should have
	other      other
}

// run compares the files of the paths, and prints the tables to w.
func run(ctx context.Context, w io.Writer, python string, words int, paths []string) error {
	if len(paths) == 0 {
		return errors.New("no folder: run go run ./internal/bench/documents FOLDER")
	}
	formats := []format{
		{"PDF", []string{".pdf"}, .98, pymupdf(python)},
		{"Word", []string{".docx"}, .97, pandoc("docx", "--standalone")}, // else it leaves out the title
		{"HTML", []string{".html", ".htm", ".xhtml"}, .97, pandoc("html")},
	}
	sandbox := source.NewSandbox()
	defer sandbox.Close()
	options := source.Options{Sandbox: sandbox, WholePages: true}
	listing, err := source.List(ctx, paths, options)
	if err != nil {
		return err
	}
	var summary []string
	for _, f := range formats {
		files := slices.DeleteFunc(slices.Clone(listing.Files), func(file source.File) bool {
			return !slices.Contains(f.extensions, strings.ToLower(filepath.Ext(file.URI)))
		})
		if len(files) == 0 {
			continue
		}
		version, err := f.other.version(ctx)
		if err != nil {
			summary = append(summary, fmt.Sprintf("- %s: not compared, %d files: %v", f.name, len(files), err))
			continue
		}
		var rows []row
		for _, file := range files {
			r, err := compare(ctx, file, options, f.other)
			if err != nil {
				return err
			}
			rows = append(rows, r)
		}
		printTable(w, f, version, rows)
		if words > 0 {
			printWords(w, f, rows, words)
		}
		summary = append(summary, summarise(f, rows))
	}
	_, err = fmt.Fprintf(w, "## Summary\n\n%s\n", strings.Join(summary, "\n"))
	return err
}

// A row is what the comparison of one file gave.
type row struct {
	uri, size           string
	ourTime, theirTime  time.Duration
	unreadable, unknown int   // replacement characters in our text, and in theirs
	err                 error // of either program; ours then has no words, or both have none
	failed              bool  // our reader gave an error, the other words
	shares
}

// compare reads a file with both programs. It returns an error only when ctx ends.
func compare(ctx context.Context, file source.File, options source.Options, by other) (row, error) {
	r := row{uri: file.URI}
	start := time.Now()
	text, err := read(ctx, file, options)
	r.ourTime = time.Since(start)
	limited, cancel := context.WithTimeout(ctx, timeLimit)
	defer cancel()
	start = time.Now()
	theirs, size, otherErr := by.read(limited, file.Path)
	r.theirTime = time.Since(start)
	if ctx.Err() != nil {
		return r, context.Cause(ctx)
	}
	if r.err = errors.Join(err, otherErr); otherErr != nil {
		return r, nil
	}
	r.size = size
	r.unreadable, r.unknown = strings.Count(text, "\ufffd"), strings.Count(theirs, "\ufffd")
	r.shares = share(wordsOf(text), wordsOf(theirs))
	r.failed = err != nil && r.theirs > 0
	return r, nil
}

// read returns the text that our reader gives of a file. The error also tells of parts that cannot
// be read.
func read(ctx context.Context, file source.File, options source.Options) (string, error) {
	var b strings.Builder
	failures, err := source.Documents(ctx, file, options, func(d graph.Document) error {
		b.WriteString(d.Text + "\n")
		return nil
	})
	for _, f := range failures {
		err = errors.Join(err, f.Err)
	}
	return b.String(), err
}
