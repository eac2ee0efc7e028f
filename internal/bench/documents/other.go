package main

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
)

// An other is an independent program that reads files.
type other struct {
	// version returns the name and version of the program, or why it cannot be had.
	version func(ctx context.Context) (string, error)
	// read returns the text of a file and its size, in pages or kilobytes.
	read func(ctx context.Context, path string) (text, size string, err error)
}

// pandoc reads the files of a format of pandoc. It wraps the cells of tables even though it does
// not wrap lines, unless a line may be long.
func pandoc(from string, options ...string) other {
	args := append([]string{"--from", from, "--to", "plain", "--wrap=none", "--columns=5000"}, options...)
	return other{
		version: func(ctx context.Context) (string, error) {
			out, err := output(ctx, "pandoc", "--version")
			if err != nil {
				return "", fmt.Errorf("pandoc is missing: %w", err)
			}
			first, _, _ := strings.Cut(string(out), "\n")
			return first, nil
		},
		read: func(ctx context.Context, path string) (text, size string, err error) {
			info, err := os.Stat(path)
			if err != nil {
				return "", "", err
			}
			out, err := output(ctx, "pandoc", append(args, path)...)
			return string(out), fmt.Sprintf("%d kB", (info.Size()+999)/1000), err
		},
	}
}

// pymupdfScript prints the pages of a PDF file as JSON.
//
//go:embed pymupdf.py
var pymupdfScript string

// A pdfPage is what pymupdfScript prints about a page.
type pdfPage struct {
	Height float64
	Lines  []pdfLine
}

// A pdfLine is a line of a page. Top and Bottom are below the upper edge.
type pdfLine struct {
	Text        string
	Top, Bottom float64
}

// pymupdf reads PDF files by PyMuPDF.
func pymupdf(python string) other {
	return other{
		version: func(ctx context.Context) (string, error) {
			out, err := output(ctx, python, "-c", "import pymupdf; print('PyMuPDF', pymupdf.VersionBind)")
			if err != nil {
				return "", fmt.Errorf("PyMuPDF is missing: run pip install pymupdf, and pass that -python: %w", err)
			}
			return strings.TrimSpace(string(out)), nil
		},
		read: func(ctx context.Context, path string) (text, size string, err error) {
			out, err := output(ctx, python, "-c", pymupdfScript, path)
			if err != nil {
				return "", "", err
			}
			var pages []pdfPage
			if err := json.Unmarshal(out, &pages); err != nil {
				return "", "", fmt.Errorf("output of PyMuPDF: %w", err)
			}
			return withoutHeads(pages), fmt.Sprintf("%d pages", len(pages)), nil
		},
	}
}

const (
	edgeShare   = .12 // of the height of a page: where running heads are
	headRepeats = 3   // pages
)

var numberPattern = regexp.MustCompile(`\d+|\b[ivxlc]+\b`)

// withoutHeads returns the text of pages without their running heads: lines near an edge that
// several pages have there, with other numbers at most.
func withoutHeads(pages []pdfPage) string {
	edge := func(p pdfPage, l pdfLine) (head string, near bool) {
		top := l.Top <= edgeShare*p.Height
		bottom := l.Bottom >= (1-edgeShare)*p.Height
		text := numberPattern.ReplaceAllString(strings.ToLower(strings.TrimSpace(l.Text)), "#")
		return fmt.Sprint(top, text), top || bottom
	}
	onPages := map[string]int{}
	for _, p := range pages {
		seen := map[string]bool{}
		for _, l := range p.Lines {
			if head, near := edge(p, l); near && !seen[head] {
				seen[head] = true
				onPages[head]++
			}
		}
	}
	var b strings.Builder
	for _, p := range pages {
		for _, l := range p.Lines {
			if head, near := edge(p, l); !near || onPages[head] < headRepeats {
				b.WriteString(l.Text + "\n")
			}
		}
	}
	return b.String()
}

// output runs a program and returns what it prints. An error ends with the last line that the
// program printed about it.
func output(ctx context.Context, name string, args ...string) ([]byte, error) {
	var out, errs bytes.Buffer
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return nil, fmt.Errorf("%s takes more than %v", name, timeLimit)
	}
	if err != nil {
		said := strings.TrimSpace(errs.String())
		if said == "" {
			return nil, fmt.Errorf("run %s: %w", name, err)
		}
		return nil, fmt.Errorf("run %s: %w: %s", name, err, said[strings.LastIndexByte(said, '\n')+1:])
	}
	return out.Bytes(), nil
}
