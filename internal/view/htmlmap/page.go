// Package htmlmap writes a graph as one HTML file: the map of its communities, with
// their reports, their entities, and quotes from the documents as evidence. The file
// is self-contained: a content security policy in it forbids all network access. Texts
// of the graph are data in it, never markup.
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

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/view/export"
)

//go:embed web
var web embed.FS

// scripts are the files of the page's script, in order.
var scripts = []string{"graph", "scene", "camera", "shaders", "webgl", "canvas", "labels", "panel", "report", "card", "search", "main"}

// A Source is the content of a page.
type Source struct {
	export.Graph
	Documents int // their number

	// Quotes yields texts of documents that mention entities, at most limit for each
	// entity, in any order. Nil for none.
	Quotes func(limit int) iter.Seq2[Quote, error]

	// Cited returns what references of reports other than entities point at, for a few
	// hundred at a time. It leaves out references that point at nothing. Nil for none.
	Cited func(refs []graph.Reference) ([]Citation, error)
}

// A Quote is a text that mentions an entity.
type Quote struct {
	Entity   string // key
	Name     string // as spelled in the text
	Text     string // a chunk; only a part of it is shown
	Document string // its title
}

// A Citation is the target of a reference.
type Citation struct {
	Kind     graph.Kind
	Key      string
	Title    string
	Text     string // a chunk or the quote of a claim; only a part of it is shown
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
	script, style, err := assets()
	if err != nil {
		return err
	}
	template, err := web.ReadFile("web/page.html")
	if err != nil {
		return err
	}
	text := strings.NewReplacer(
		"{{title}}", html.EscapeString(s.Corpus), "{{script}}", script, "{{style}}", style,
		"{{script-hash}}", cspHash(script), "{{style-hash}}", cspHash(style),
	).Replace(string(template))
	head, tail, found := strings.Cut(text, "{{data}}")
	if !found {
		return errors.New("the template has no {{data}}")
	}
	if _, err := out.WriteString(head); err != nil {
		return err
	}
	if err := writePacked(out, s); err != nil {
		return err
	}
	_, err = out.WriteString(tail)
	return err
}

// writePacked writes the data as JSON, deflated, in base64, which cannot end an element.
func writePacked(w io.Writer, s Source) error {
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

// assets returns the script and the style sheet of the page.
func assets() (script, style string, err error) {
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

// cspHash returns the source expression by which a content security policy allows an
// inline script or style.
func cspHash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}
