// Package export writes the graph of a corpus in the forms that other programs
// read, with a place and a colour for each entity. It sees values alone: texts
// come in sequences and are never held all at once, the shape of the graph is.
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

// ErrMoved says that the graph changed while it was read.
var ErrMoved = errors.New("the corpus was indexed while it was read; try again when indexing has finished")

// A Graph is what is exported. Sequences may be ranged over more than once and
// give the same each time; an error ends one.
type Graph struct {
	Corpus        string
	Communities   []graph.Community // with members; a parent's level is one less
	Entities      iter.Seq2[graph.Entity, error]
	Relationships iter.Seq2[graph.Relationship, error]
	Reports       iter.Seq2[graph.Report, error]
}

// A Format is a form that a graph is written in.
type Format struct {
	Name  string
	About string
	write func(*writer) error
	files bool // it writes several files: a folder, or a zip archive
}

// Formats lists the formats by name.
func Formats() []Format {
	return []Format{
		{Name: "csv", About: "tables for spreadsheets and data frames, in a folder or a zip archive", write: writeCSV, files: true},
		{Name: "cypher", About: "statements that load into an empty Neo4j", write: writeCypher},
		{Name: "dot", About: "Graphviz, with communities as clusters", write: writeDOT},
		{Name: "gexf", About: "GEXF 1.3 with colours, sizes and positions, for Gephi", write: writeGEXF},
		{Name: "graphml", About: "GraphML with plain attributes and yFiles nodes, for yEd, Gephi, Cytoscape, NetworkX", write: writeGraphML},
		{Name: "json", About: "one object of nodes, edges, communities and reports", write: writeJSON},
	}
}

// Find gives the format of that name.
func Find(name string) (Format, bool) {
	all := Formats()
	i := slices.IndexFunc(all, func(f Format) bool { return f.Name == name })
	if i < 0 {
		return Format{}, false
	}
	return all[i], true
}

// Files says whether the format is several files.
func (f Format) Files() bool { return f.files }

// Write writes a graph to w. Several files become one zip archive.
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

// WriteFiles writes a graph into files that create makes, one open at a time.
func (f Format) WriteFiles(g Graph, create func(name string) (io.WriteCloser, error)) error {
	p, err := Draw(g)
	if err != nil {
		return fmt.Errorf("write %s: %w", f.Name, err)
	}
	w := &writer{graph: g, picture: p, create: create}
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

// A writer writes one export. Errors of the file show when it is closed.
type writer struct {
	*bufio.Writer
	graph   Graph
	picture *Picture
	create  func(name string) (io.WriteCloser, error)
}

// file opens a file for the time of fn.
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

// print writes texts. What fails fails again when the file is flushed.
func (w *writer) print(texts ...string) {
	for _, t := range texts {
		_, _ = w.WriteString(t)
	}
}

// nodes hands over every entity with its place.
func (w *writer) nodes(each func(Node)) error {
	for e, err := range w.graph.Entities {
		if err != nil {
			return err
		}
		n, err := w.picture.Node(e)
		if err != nil {
			return err
		}
		each(n)
	}
	return nil
}

// edges hands over every relationship.
func (w *writer) edges(each func(graph.Relationship)) error {
	for r, err := range w.graph.Relationships {
		if err != nil {
			return err
		}
		_, source := w.picture.Entity(r.Source)
		_, target := w.picture.Entity(r.Target)
		if !source || !target {
			return ErrMoved
		}
		each(r)
	}
	return nil
}

// reports hands over every report of a community that is known.
func (w *writer) reports(each func(graph.Report, *Community)) error {
	for r, err := range w.graph.Reports {
		if err != nil {
			return err
		}
		i, ok := w.picture.Community(r.Community)
		if !ok {
			return ErrMoved
		}
		each(r, &w.picture.Communities[i])
	}
	return nil
}
