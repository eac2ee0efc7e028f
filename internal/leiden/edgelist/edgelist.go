// Package edgelist reads graphs from edge lists: one edge per line, with two names and
// optionally a weight, separated by white space, tabs or commas. Lists may be gzipped.
//
// Nodes are numbered in the order of their names, so that a graph does not depend on the
// order of lines. Names are sorted as numbers if all of them are whole numbers, else as
// texts. The weights of edges between the same two nodes add up.
package edgelist

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/neorag/neorag/internal/leiden"
)

// A Format is the separator of the columns of a line.
type Format string

// The formats. Auto detects the format by the first line that is not empty or a comment.
const (
	Auto       Format = ""
	Whitespace Format = "txt" // any number of spaces and tabs
	Tabs       Format = "tsv"
	Commas     Format = "csv" // with quotes as in RFC 4180, but without line breaks in quoted fields
)

// ErrLine is matched by every error about a line.
var ErrLine = errors.New("bad line")

// A LineError is a line that cannot be read.
type LineError struct {
	Name   string // of the list
	Line   int    // number, from 1
	Reason string
}

func (e *LineError) Error() string { return fmt.Sprintf("%s:%d: %s", e.Name, e.Line, e.Reason) }

// Unwrap returns ErrLine.
func (e *LineError) Unwrap() error { return ErrLine }

// Options of Read. The zero value works.
type Options struct {
	Name    string // of the list, for errors
	Format  Format
	SkipBad bool // skip bad lines and count them
}

// A List is a graph with the names of its nodes.
type List struct {
	Names   []string // of the nodes; distinct
	Graph   *leiden.Graph
	Lines   int         // lines with an edge
	Loops   int         // of these, lines with an edge from a node to itself
	Skipped int         // bad lines
	Bad     []LineError // the first maxBadShown bad lines
}

// maxBadShown is how many bad lines a List keeps.
const maxBadShown = 10

// Read reads an edge list. It returns context.Cause(ctx) within a fraction of a second
// after ctx ends, unless the reader blocks.
//
// Empty lines, and comments, which begin with # or %, are skipped. Lists with tabs or
// commas may begin with a header that names a source and a target column, and optionally
// a weight column; other columns are then ignored. Without a header there are two or
// three columns. A weight is a number of at least 0; a line with weight 0 adds its two
// nodes but no edge.
func Read(ctx context.Context, from io.Reader, o Options) (List, error) {
	in, err := decompress(from)
	if err != nil {
		return List{}, fmt.Errorf("read %s: %w", o.Name, err)
	}
	p := parser{o: o, nodes: newNodeTable(), builder: leiden.NewBuilder(0)}
	p.columns, p.format = columns{0, 1, 2}, o.Format
	if err := p.parse(ctx, in); err != nil {
		return List{}, err
	}
	return p.finish(ctx)
}

// parser is the state of one Read.
type parser struct {
	o             Options
	format        Format
	columns       columns
	headerChecked bool // the first line that is not a comment was read
	headerFields  int  // number of columns in the header, 0 without one
	fields        [][]byte
	scratch       []byte // memory of quoted fields
	nodes         *nodeTable
	builder       *leiden.Builder
	list          List
}

// badLine records a bad line if bad lines are skipped, and else returns it as an error.
func (p *parser) badLine(line int, reason string) error {
	e := LineError{Name: p.o.Name, Line: line, Reason: reason}
	if !p.o.SkipBad {
		return &e
	}
	p.list.Skipped++
	if len(p.list.Bad) < maxBadShown {
		p.list.Bad = append(p.list.Bad, e)
	}
	return nil
}

// finish numbers the nodes and builds the graph.
func (p *parser) finish(ctx context.Context) (List, error) {
	names, newIndex, err := p.nodes.sorted(ctx)
	if err != nil {
		return List{}, err
	}
	if err := p.builder.Rename(newIndex); err != nil {
		return List{}, err
	}
	p.list.Names = names
	if p.list.Graph, err = p.builder.BuildContext(ctx); err != nil {
		return List{}, fmt.Errorf("read %s: %w", p.o.Name, err)
	}
	return p.list, nil
}
