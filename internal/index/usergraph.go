package index

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"

	"github.com/neorag/neorag/internal/leiden/edgelist"
	"github.com/neorag/neorag/internal/stage/community"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/store/neo4jstore/usergraph"
)

// ErrPrefix means that the prefix of labels and properties is invalid or taken.
var ErrPrefix = errors.New("invalid prefix")

// A UserGraph is a graph in Neo4j that NeoRAG did not create.
type UserGraph struct {
	edgelist.List

	IDs []string // element ids of the nodes
}

// ReadUserGraph reads a graph. Its nodes are sorted by name, as in an edge list
// are, so that equal graphs have equal communities.
func ReadUserGraph(ctx context.Context, store *neo4jstore.Store, from usergraph.Source) (UserGraph, error) {
	read, err := usergraph.Read(ctx, store, from)
	if err != nil {
		return UserGraph{}, err
	}
	var g UserGraph
	names, to, err := edgelist.SortNames(ctx, read.Names)
	if err != nil {
		return UserGraph{}, err
	}
	if err := read.Edges.Rename(to); err != nil {
		return UserGraph{}, fmt.Errorf("order the nodes: %w", err)
	}
	g.IDs = make([]string, len(read.IDs))
	for i, id := range read.IDs {
		g.IDs[to[i]] = id
	}
	g.List = edgelist.List{Names: names, Lines: read.Rows, Loops: read.Loops, Skipped: read.Skipped}
	for _, reason := range read.Bad {
		g.Bad = append(g.Bad, edgelist.LineError{Name: "Neo4j", Reason: reason})
	}
	if g.Graph, err = read.Edges.BuildContext(ctx); err != nil {
		return UserGraph{}, fmt.Errorf("build the graph: %w", err)
	}
	return g, nil
}

// Marking configures how communities are written to a graph.
type Marking struct {
	Prefix   string // of labels and properties: a lower case letter, then up to 31 lower case letters, digits or _
	MaxLabel int    // maximum number of communities that become labels, whole levels from the root; 0 means 1000, -1 none
}

var markPrefix = regexp.MustCompile(`^[a-z][a-z0-9_]{0,31}$`)

// leaseName returns the name under which the lease of a prefix is held. It is also the
// label of marked nodes.
func (m Marking) leaseName() (string, error) {
	if !markPrefix.MatchString(m.Prefix) {
		return "", fmt.Errorf("prefix %q: %w: use a lower case letter, then up to 31 lower case letters, digits or underscores", m.Prefix, ErrPrefix)
	}
	return "cluster_" + m.Prefix, nil
}

// defaultMaxLabel is the maximum number of labels that a database gets by default.
const defaultMaxLabel = 1000

// MarkUserGraph writes the communities of a graph to its nodes, under the prefix. It
// writes only nodes whose communities changed, and clears nodes that are no longer in a
// community. If it is interrupted, the next call completes the work. It returns the
// number of changes that the server counted.
func MarkUserGraph(ctx context.Context, store *neo4jstore.Store, m Marking, g UserGraph, tree *community.Tree) (int64, error) {
	return m.update(ctx, store, func(i int) (usergraph.Mark, bool) { return m.mark(g, tree, i) }, len(g.IDs))
}

// UnmarkUserGraph removes everything under the prefix.
func UnmarkUserGraph(ctx context.Context, store *neo4jstore.Store, m Marking) (int64, error) {
	return m.update(ctx, store, nil, 0)
}

// mark returns the mark that node i should have, if any.
func (m Marking) mark(g UserGraph, tree *community.Tree, i int) (usergraph.Mark, bool) {
	if len(tree.Homes) == 0 || tree.Homes[0][i] == community.Outside {
		return usergraph.Mark{}, false
	}
	mark := usergraph.Mark{ID: g.IDs[i], Community: m.label(0, tree.Homes[0][i])}
	labels := 0
	for level, homes := range tree.Homes {
		home := homes[i]
		if home == community.Outside {
			break
		}
		mark.Communities = append(mark.Communities, int64(home))
		if labels += len(tree.Levels[level]); labels <= cmp.Or(m.MaxLabel, defaultMaxLabel) {
			mark.Labels = append(mark.Labels, m.label(level, home))
		}
	}
	return mark, true
}

func (m Marking) label(level int, number int32) string {
	return fmt.Sprintf("%s_%d_%d", m.Prefix, level, number)
}

// update compares the marks of nodes with those that want returns for the n nodes of
// the graph, and writes the differences.
func (m Marking) update(ctx context.Context, store *neo4jstore.Store, want func(int) (usergraph.Mark, bool), n int) (int64, error) {
	corpus, err := m.leaseName()
	if err != nil {
		return 0, err
	}
	if _, err := store.Corpus(ctx, corpus); !errors.Is(err, neo4jstore.ErrNoCorpus) {
		return 0, cmp.Or(err, fmt.Errorf("prefix %q: %w: a corpus is called %s", m.Prefix, ErrPrefix, corpus))
	}
	changed, gone, err := m.diff(ctx, store, corpus, want, n)
	if err != nil || len(changed)+len(gone) == 0 {
		return 0, err
	}
	var writes int64
	x := Indexer{store, Options{Corpus: corpus}.withDefaults()}
	err = x.withWriter(ctx, func(ctx context.Context, writer *neo4jstore.Writer, waited bool) error {
		defer func() { writes = writer.Counters().Total() }()
		if waited {
			// The other run may have changed the marks.
			if changed, gone, err = m.diff(ctx, store, corpus, want, n); err != nil {
				return err
			}
		}
		if err := usergraph.RemoveMarks(ctx, writer, m.Prefix, gone); err != nil {
			return err
		}
		if err := usergraph.WriteMarks(ctx, writer, m.Prefix, changed); err != nil {
			return err
		}
		writer.DropLease()
		return nil
	})
	return writes, err
}

// diff returns the marks to write, and the ids of the nodes to clear.
func (m Marking) diff(ctx context.Context, store *neo4jstore.Store, corpus string, want func(int) (usergraph.Mark, bool), n int) (changed []usergraph.Mark, gone []string, err error) {
	place := make(map[string]int, n)
	equal := make([]bool, n)
	for i := range n {
		if mark, ok := want(i); ok {
			place[mark.ID] = i
		} else {
			equal[i] = true // it should have no mark
		}
	}
	err = usergraph.Marks(ctx, store, corpus, m.Prefix, func(has usergraph.Mark) {
		i, known := place[has.ID]
		if !known {
			gone = append(gone, has.ID)
			return
		}
		mark, _ := want(i)
		equal[i] = mark.Community == has.Community && slices.Equal(mark.Communities, has.Communities) && slices.Equal(mark.Labels, has.Labels)
	})
	if err != nil {
		return nil, nil, err
	}
	for i, ok := range equal {
		if !ok {
			mark, _ := want(i)
			changed = append(changed, mark)
		}
	}
	return changed, gone, nil
}
