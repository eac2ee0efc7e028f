package snapshot

import (
	"bytes"
	"context"
	"maps"
	"runtime"
	"slices"
	"sort"
	"strings"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// readTerms counts the documents that have each term.
func (s *Snapshot) readTerms(ctx context.Context, store *neo4jstore.Store) error {
	counts := map[string]uint32{}
	err := store.DocumentTerms(ctx, s.corpus, func(terms string) {
		s.documents++
		seen := map[string]bool{}
		for term := range strings.FieldsSeq(terms) {
			if !seen[term] {
				seen[term] = true
				counts[strings.Clone(term)]++
			}
		}
	})
	s.termOffsets = []uint32{0}
	for _, term := range slices.Sorted(maps.Keys(counts)) {
		s.terms = append(s.terms, term...)
		s.termOffsets = append(s.termOffsets, uint32(len(s.terms)))
		s.frequencies = append(s.frequencies, counts[term])
	}
	return err
}

// Documents returns the number of documents.
func (s *Snapshot) Documents() int { return s.documents }

// Frequency returns the number of documents that have a term.
func (s *Snapshot) Frequency(term string) int {
	at, found := s.findTerm(term)
	if !found {
		return 0
	}
	n := s.frequencies[at]
	runtime.KeepAlive(s)
	return int(n)
}

func (s *Snapshot) findTerm(term string) (at int, found bool) {
	at, found = sort.Find(len(s.frequencies), func(i int) int { return bytes.Compare([]byte(term), s.term(i)) })
	runtime.KeepAlive(s)
	return at, found
}

func (s *Snapshot) term(i int) []byte { return s.terms[s.termOffsets[i]:s.termOffsets[i+1]] }

// Similar returns the terms that differ from one by an edit: a byte more, fewer or other, or
// two neighbours that changed places. The first two bytes are the same. They are sorted.
func (s *Snapshot) Similar(term string) []string {
	if len(term) < 3 {
		return nil
	}
	var out []string
	from, _ := s.findTerm(term[:2])
	for at := from; at < len(s.frequencies) && bytes.HasPrefix(s.term(at), []byte(term[:2])); at++ {
		if oneEdit(term, string(s.term(at))) {
			out = append(out, string(s.term(at)))
		}
	}
	runtime.KeepAlive(s)
	return out
}

// oneEdit reports whether two different words differ by one edit.
func oneEdit(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(b)-len(a) > 1 || a == b {
		return false
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	switch {
	case len(a) < len(b):
		return a[i:] == b[i+1:]
	case a[i+1:] == b[i+1:]:
		return true
	}
	return i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
}

// DocumentOf returns the key of the document of a chunk.
func (s *Snapshot) DocumentOf(chunk string) (key string, found bool) {
	node, found := s.Node(graph.KindChunk, chunk)
	if !found {
		return "", false
	}
	return s.DocumentOfNode(node)
}

// DocumentOfNode returns the key of the document of a chunk by the chunk's number.
func (s *Snapshot) DocumentOfNode(chunk uint32) (key string, found bool) {
	s.Neighbours(chunk, func(neighbour uint32, kind uint8, _ float32) {
		if kind == Part {
			key = s.Key(neighbour)
		}
	})
	return key, key != ""
}
