package source

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/source/decode"
	"github.com/neorag/neorag/internal/source/parse"
	"github.com/neorag/neorag/internal/source/pdftext"
	"github.com/neorag/neorag/internal/text"
)

const (
	ocrTime      = 2 * time.Minute // of a page
	maxOCRText   = 1 << 20         // bytes of a page
	maxOCRErrors = 4 << 10
)

// recognize adds the texts of pages that are pictures to a document, in the order of its pages. A page
// that cannot be recognized is a failure; if the program cannot be started, all are one.
func (o Options) recognize(ctx context.Context, doc *graph.Document, scans []pdftext.Scan) []Failure {
	var failures []Failure
	fail := func(err error) {
		failures = append(failures, parse.FailureIn(*doc, err))
	}
	texts := map[int]string{}
	for _, s := range scans {
		recognized, err := runOCR(ctx, o.OCRCommand, s.Image)
		if errors.Is(err, exec.ErrNotFound) || ctx.Err() != nil {
			fail(err)
			return failures
		}
		if err != nil {
			fail(fmt.Errorf("page %d: %w", s.Page, err))
			continue
		}
		texts[s.Page] = recognized
	}
	insertPages(doc, texts)
	return failures
}

// insertPages adds the texts of pages, which the document has no text of, by their numbers.
func insertPages(doc *graph.Document, texts map[int]string) {
	segments, last := map[int]string{}, 0
	for i, p := range doc.Places.Pages {
		end := len(doc.Text)
		if i+1 < len(doc.Places.Pages) {
			end = doc.Places.Pages[i+1].Start
		}
		segments[p.Number] = doc.Text[p.Start:end]
		last = max(last, p.Number)
	}
	for page, text := range texts {
		segments[page] += text
		last = max(last, page)
	}
	var out []byte
	var pages []graph.Page
	for page := 1; page <= last; page++ {
		segment := segments[page]
		if strings.TrimSpace(segment) == "" {
			continue
		}
		if n := len(pages); n > 0 && (texts[page] != "" || texts[pages[n-1].Number] != "") { // a paragraph does not go over both
			out = append(bytes.TrimRight(out, "\n"), "\n\n"...)
			segment = strings.TrimLeft(segment, "\n")
		}
		pages = append(pages, graph.Page{Number: page, Start: len(out)})
		out = append(out, segment...)
	}
	doc.Text, doc.Places.Pages = string(out), pages
}

// runOCR returns the text of a picture that a program recognizes. The program does not get the keys
// of this user's environment.
func runOCR(ctx context.Context, command string, picture []byte) (string, error) {
	words := strings.Fields(command)
	if len(words) == 0 {
		return "", errors.New("text recognition: no program is named")
	}
	ctx, cancel := context.WithTimeoutCause(ctx, ocrTime, fmt.Errorf("text recognition takes more than %v", ocrTime))
	defer cancel()
	cmd := exec.CommandContext(ctx, words[0], words[1:]...)
	out, problems := limitedBuffer{left: maxOCRText}, limitedBuffer{left: maxOCRErrors}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(picture), &out, &problems
	cmd.WaitDelay = time.Second
	for _, entry := range os.Environ() {
		if name, _, _ := strings.Cut(entry, "="); !strings.HasSuffix(name, "_API_KEY") && !strings.HasPrefix(name, "NEORAG_") {
			cmd.Env = append(cmd.Env, entry)
		}
	}
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return "", context.Cause(ctx)
		}
		return "", fmt.Errorf("text recognition: run %s: %w: %s", words[0], err, parse.Truncate(text.OneLine(strings.ToValidUTF8(problems.String(), "")), maxPart))
	}
	return strings.TrimSpace(decode.Clean(out.String())), nil
}
