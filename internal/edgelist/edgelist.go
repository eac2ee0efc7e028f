// Package edgelist reads graphs from lists of edges: a line for each, with two
// names and perhaps a weight, apart by blanks, tabs or commas, perhaps gzipped.
//
// Nodes are numbered in the order of their names, so that a graph does not
// depend on the order of lines: as numbers if all of them are whole numbers,
// else as texts. Edges that join the same two nodes sum their weights.
package edgelist

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/neorag/neorag/internal/leiden"
)

// A Format says what stands between the columns of a line.
type Format string

// The formats. Auto looks at the first line that holds an edge.
const (
	Auto       Format = ""
	Whitespace Format = "txt" // any number of blanks and tabs
	Tabs       Format = "tsv"
	Commas     Format = "csv" // with quotes as in RFC 4180, but no line breaks in them
)

// ErrLine is matched by every error about a line.
var ErrLine = errors.New("bad line")

// A LineError says which line cannot be read, and why.
type LineError struct {
	Name   string // of the list
	Line   int    // from 1
	Reason string
}

func (e *LineError) Error() string { return fmt.Sprintf("%s:%d: %s", e.Name, e.Line, e.Reason) }

// Unwrap makes it an ErrLine.
func (e *LineError) Unwrap() error { return ErrLine }

// Options of Read. The zero value works.
type Options struct {
	Name    string // of the list, for errors
	Format  Format
	SkipBad bool // leave out bad lines, and count them
}

// A List is a graph with the names of its nodes.
type List struct {
	Names   []string // of node i; distinct
	Graph   *leiden.Graph
	Lines   int         // that hold an edge
	Loops   int         // lines among them that join a node with itself
	Skipped int         // bad lines that were left out
	Bad     []LineError // the first of them
}

// maxBadShown is how many bad lines are kept to be shown.
const maxBadShown = 10

// Read reads a list. It returns the context's error within a fraction of a
// second when that ends first, unless the reader blocks.
//
// Empty lines and those that begin with # or % are left out. A table may begin
// with a line of titles that name a source and a target column, and perhaps one
// of weights; other columns are then passed over. Without titles there are two
// or three columns. A weight is a number of at least 0; an edge of weight 0
// leaves its two nodes and no more.
func Read(ctx context.Context, from io.Reader, o Options) (List, error) {
	in, err := decompress(from)
	if err != nil {
		return List{}, fmt.Errorf("read %s: %w", o.Name, err)
	}
	r := parser{o: o, nodes: newNodeTable(), builder: leiden.NewBuilder(0)}
	r.columns, r.format = columns{0, 1, 2}, o.Format
	if err := r.parse(ctx, in); err != nil {
		return List{}, err
	}
	return r.finish(ctx)
}

// parser is the state of one Read.
type parser struct {
	o             Options
	format        Format
	columns       columns
	headerChecked bool // the first line that is no remark was seen
	headerFields  int  // columns that titles name, 0 without titles
	fields        [][]byte
	scratch       []byte // of quoted fields
	nodes         *nodeTable
	builder       *leiden.Builder
	list          List
}

// badLine notes a bad line, or returns it as an error.
func (r *parser) badLine(line int, reason string) error {
	e := LineError{Name: r.o.Name, Line: line, Reason: reason}
	if !r.o.SkipBad {
		return &e
	}
	r.list.Skipped++
	if len(r.list.Bad) < maxBadShown {
		r.list.Bad = append(r.list.Bad, e)
	}
	return nil
}

// finish numbers the nodes and builds the graph.
func (r *parser) finish(ctx context.Context) (List, error) {
	names, to, err := r.nodes.sorted(ctx)
	if err != nil {
		return List{}, err
	}
	if err := r.builder.Rename(to); err != nil {
		return List{}, err
	}
	r.list.Names = names
	if r.list.Graph, err = r.builder.BuildContext(ctx); err != nil {
		return List{}, fmt.Errorf("read %s: %w", r.o.Name, err)
	}
	return r.list, nil
}
