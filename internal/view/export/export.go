// Package export writes the graph of a corpus in the formats of other programs, with a
// position and a colour for each entity. The structure of the graph is kept in memory, but
// texts are streamed. Only Read knows the store.
package export

import (
	"archive/zip"
	"bufio"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"

	"github.com/neorag/neorag/internal/graph"
)

// ErrGraphChanged reports that the graph changed while it was read.
var ErrGraphChanged = errors.New("the corpus was indexed while it was read; try again when indexing has finished")

// A Graph is what is exported. Each sequence may be read more than once and yields the
// same values each time; an error ends it.
type Graph struct {
	Corpus        string
	Communities   []graph.Community // with members; the level of a parent is one less
	Entities      iter.Seq2[graph.Entity, error]
	Relationships iter.Seq2[graph.Relationship, error]
	Reports       iter.Seq2[graph.Report, error]
}

// A Format is a file format for graphs.
type Format struct {
	Name  string
	About string
	// Raw writes the cells of tables verbatim, for programs. Otherwise control characters
	// are replaced, and an apostrophe precedes what a spreadsheet would run as a formula.
	Raw bool
	// BOM begins each table with a byte order mark, by which spreadsheets recognise UTF-8.
	BOM   bool
	write func(*writer) error
	files bool // it consists of several files: a folder or a zip archive
}

// Formats lists the formats by name.
func Formats() []Format {
	return []Format{
		{Name: "csv", About: "tables for spreadsheets and data frames, as a folder or a zip archive", write: writeCSV, files: true},
		{Name: "cypher", About: "statements that create the graph in an empty Neo4j", write: writeCypher},
		{Name: "dot", About: "Graphviz, with communities as clusters", write: writeDOT},
		{Name: "gexf", About: "GEXF 1.3 with colours, sizes and positions, for Gephi", write: writeGEXF},
		{Name: "graphml", About: "GraphML with plain attributes and yFiles nodes, for yEd, Gephi, Cytoscape, NetworkX", write: writeGraphML},
		{Name: "json", About: "one object of nodes, edges, communities and reports", write: writeJSON},
	}
}

// FindFormat returns the format with a name.
func FindFormat(name string) (Format, bool) {
	all := Formats()
	i := slices.IndexFunc(all, func(f Format) bool { return f.Name == name })
	if i < 0 {
		return Format{}, false
	}
	return all[i], true
}

// Files reports whether the format consists of several files.
func (f Format) Files() bool { return f.files }

// Write writes a graph to w; a format of several files as a zip archive.
func (f Format) Write(w io.Writer, g Graph) error {
	if f.files {
		archive := zip.NewWriter(w)
		err := f.WriteFiles(g, func(name string) (io.WriteCloser, error) {
			file, err := archive.Create(name)
			return nopCloser{file}, err
		})
		if cerr := archive.Close(); err == nil && cerr != nil {
			err = fmt.Errorf("write %s: %w", f.Name, cerr)
		}
		return err
	}
	return f.WriteFiles(g, func(string) (io.WriteCloser, error) { return nopCloser{w}, nil })
}

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }

// WriteFiles writes a graph to files that create opens, one at a time. It closes them.
// A format of one file passes an empty name.
func (f Format) WriteFiles(g Graph, create func(name string) (io.WriteCloser, error)) error {
	d, err := Draw(g)
	if err != nil {
		return fmt.Errorf("write %s: %w", f.Name, err)
	}
	w := &writer{graph: g, drawing: d, create: create, raw: f.Raw, bom: f.BOM}
	if !f.files {
		err = w.file("", func() error { return f.write(w) })
	} else {
		err = f.write(w)
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", f.Name, err)
	}
	return nil
}

// A writer writes one export. Errors of a file surface when file closes it.
type writer struct {
	*bufio.Writer
	graph   Graph
	drawing *Drawing
	create  func(name string) (io.WriteCloser, error)
	raw     bool
	bom     bool
}

// file opens a file, calls fn, which writes it, and closes it.
func (w *writer) file(name string, fn func() error) error {
	f, err := w.create(name)
	if err != nil {
		return err
	}
	w.Writer = bufio.NewWriterSize(f, 1<<16)
	err = fn()
	if ferr := w.Flush(); err == nil {
		err = ferr
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	return err
}

// print writes texts. The error of a failed write is kept until the file is flushed.
func (w *writer) print(texts ...string) {
	for _, t := range texts {
		_, _ = w.WriteString(t)
	}
}

// nodes calls fn for each entity, with its place.
func (w *writer) nodes(fn func(Node)) error {
	for e, err := range w.graph.Entities {
		if err != nil {
			return err
		}
		n, err := w.drawing.Node(e)
		if err != nil {
			return err
		}
		fn(n)
	}
	return nil
}

// edges calls fn for each relationship.
func (w *writer) edges(fn func(graph.Relationship)) error {
	for r, err := range w.graph.Relationships {
		if err != nil {
			return err
		}
		_, source := w.drawing.EntityIndex(r.Source)
		_, target := w.drawing.EntityIndex(r.Target)
		if !source || !target {
			return ErrGraphChanged
		}
		fn(r)
	}
	return nil
}

// reports calls fn for each report, with its community.
func (w *writer) reports(fn func(graph.Report, *Community)) error {
	for r, err := range w.graph.Reports {
		if err != nil {
			return err
		}
		i, ok := w.drawing.CommunityIndex(r.Community)
		if !ok {
			return ErrGraphChanged
		}
		fn(r, &w.drawing.Communities[i])
	}
	return nil
}
