package index

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"

	"github.com/neorag/neorag/internal/source"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// A movedRoot is a folder or file that was indexed at another path than it has now.
type movedRoot struct {
	from, to string   // absolute paths
	keys     []string // of the documents that are found there, sorted
}

// A rootOverlap counts the documents that are indexed from one root and found in another.
type rootOverlap struct {
	uri  string // of the first one, for messages
	same int    // with the same content
	keys []string
}

// noteOtherRoot notes a document that is indexed from another root than it is found in.
func (c *comparer) noteOtherRoot(old neo4jstore.DocumentState, root string, entry source.Entry) {
	pair := [2]string{old.Root, root}
	o := c.otherRoots[pair]
	if o == nil {
		o = &rootOverlap{uri: entry.URI}
		c.otherRoots[pair] = o
	}
	o.keys = append(o.keys, old.Key)
	if old.SHA256 == entry.SHA256 {
		o.same++
	}
}

// findMovedRoots decides which roots have moved: the previous path no longer exists, and
// at least half of its documents are found unchanged in the given one. Anything else is
// another folder of the same name, and ErrOtherRoot: its documents would replace the documents of
// the first.
func (c *comparer) findMovedRoots() error {
	for _, pair := range slices.SortedFunc(maps.Keys(c.otherRoots), func(a, b [2]string) int { return slices.Compare(a[:], b[:]) }) {
		o, total := c.otherRoots[pair], 0
		for _, d := range c.indexed {
			if d.Root == pair[0] {
				total++
			}
		}
		_, err := os.Lstat(pair[0])
		if !errors.Is(err, fs.ErrNotExist) || 2*o.same < total {
			return fmt.Errorf("index %s: %w: it is indexed from %s; remove it first, or index that path", o.uri, ErrOtherRoot, pair[0])
		}
		slices.Sort(o.keys)
		c.movedRoots = append(c.movedRoots, movedRoot{from: pair[0], to: pair[1], keys: o.keys})
	}
	return nil
}

// isMoved reports whether a root has moved to another.
func (c *comparer) isMoved(from, to string) bool {
	return slices.ContainsFunc(c.movedRoots, func(m movedRoot) bool { return m.from == from && m.to == to })
}

// moveRoots writes the paths that folders have now.
func (s *documentWriter) moveRoots(ctx context.Context, moved []movedRoot) error {
	for _, m := range moved {
		if err := s.writer.MoveDocuments(ctx, m.keys, m.to); err != nil {
			return fmt.Errorf("move documents from %s to %s: %w", m.from, m.to, err)
		}
		s.shared.addNote("%s was indexed from %s, which no longer exists; its %d documents are kept", m.to, m.from, len(m.keys))
	}
	return nil
}
