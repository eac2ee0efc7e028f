// Package htmlmap makes one HTML file of a graph: the map of its communities, with
// their reports, the entities inside, and the words of documents behind both.
// The file holds everything, asks nothing of any network, and a policy in it
// keeps it so. Texts of the graph are data in it, never markup.
package htmlmap

import (
	"bufio"
	"compress/flate"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"errors"
	"fmt"
	"html"
	"io"
	"iter"
	"strings"

	"github.com/neorag/neorag/internal/export"
	"github.com/neorag/neorag/internal/graph"
)

//go:embed web
var web embed.FS

// scripts are the files of the page's program, in their order.
var scripts = []string{"graph", "scene", "camera", "shaders", "webgl", "canvas", "labels", "panel", "report", "card", "search", "main"}

// A Source is what a page is made of, beside the graph.
type Source struct {
	export.Graph
	Documents int // how many there are

	// Quotes gives the words of documents that name entities, at most limit for
	// each, in any order. Nil for none.
	Quotes func(limit int) iter.Seq2[Quote, error]

	// Cited gives the words behind references of reports other than entities, a
	// few hundred at a time; one that points at nothing is left out. Nil for none.
	Cited func(refs []graph.Reference) ([]Citation, error)
}

// A Quote is a text that names an entity.
type Quote struct {
	Entity   string // key
	Name     string // as the text has it
	Text     string // a chunk, of which a part is shown
	Document string // its title
}

// A Citation is what a reference points at.
type Citation struct {
	Kind     graph.Kind
	Key      string
	Title    string
	Text     string // a chunk or the words of a claim, of which a part is shown
	Document string
}

// Write writes the page.
func Write(w io.Writer, s Source) error {
	out := bufio.NewWriterSize(w, 1<<16)
	err := write(out, s)
	if err == nil {
		err = out.Flush()
	}
	if err != nil {
		return fmt.Errorf("write the page: %w", err)
	}
	return nil
}

func write(out *bufio.Writer, s Source) error {
	script, style, err := parts()
	if err != nil {
		return err
	}
	frame, err := web.ReadFile("web/page.html")
	if err != nil {
		return err
	}
	text := strings.NewReplacer(
		"{{title}}", html.EscapeString(s.Corpus), "{{script}}", script, "{{style}}", style,
		"{{script-hash}}", hash(script), "{{style-hash}}", hash(style),
	).Replace(string(frame))
	head, tail, found := strings.Cut(text, "{{data}}")
	if !found {
		return errors.New("its frame has no place for data")
	}
	if _, err := out.WriteString(head); err != nil {
		return err
	}
	if err := packed(out, s); err != nil {
		return err
	}
	_, err = out.WriteString(tail)
	return err
}

// packed writes the data as JSON, deflated, in base 64, which ends no element.
func packed(w io.Writer, s Source) error {
	encoder := base64.NewEncoder(base64.StdEncoding, w)
	deflate, err := flate.NewWriter(encoder, flate.BestCompression)
	if err != nil {
		return err
	}
	buffer := bufio.NewWriterSize(deflate, 1<<16)
	if err := writeData(buffer, s); err != nil {
		return err
	}
	if err := buffer.Flush(); err != nil {
		return err
	}
	if err := deflate.Close(); err != nil {
		return err
	}
	return encoder.Close()
}

// parts are the program and the style sheet of the page.
func parts() (script, style string, err error) {
	var b strings.Builder
	b.WriteString("\"use strict\";\n")
	for _, name := range scripts {
		text, err := web.ReadFile("web/" + name + ".js")
		if err != nil {
			return "", "", err
		}
		b.Write(text)
	}
	text, err := web.ReadFile("web/page.css")
	if err != nil {
		return "", "", err
	}
	return b.String(), string(text), nil
}

// hash is how a content security policy names a text that it lets run.
func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}
