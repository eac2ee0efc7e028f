package index

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/chunk"
	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/neo4jstore"
	"github.com/neorag/neorag/internal/source"
)

// A runDiff is what a run found to do, from reads alone.
type runDiff struct {
	counts          DocumentCounts
	files           []fileToRead    // of which something is new, changed, or made with other settings
	changed         map[string]bool // URIs of documents
	removed         []string        // keys of documents that are gone
	failures        []Failure
	changedSettings map[string]string // settings of stages that differ from those noted
	pending         bool              // marks or counters say that something is left
	isNew           bool              // the corpus does not exist yet
	oldSchema       bool              // the corpus has a schema that has to be upgraded

	mode      string // mode that the corpus was made with; "" while none is noted
	dimension int    // of its vectors
	rechunked int    // documents that are cut anew, though nothing in them changed
}

// fileToRead is a file to be read, with the URIs of its documents that are wanted:
// the others are in the graph as they are.
type fileToRead struct {
	source.File
	wanted map[string]bool
}

func (p runDiff) isEmpty() bool {
	if p.isNew {
		return len(p.files) == 0
	}
	return len(p.files) == 0 && len(p.removed) == 0 && len(p.changedSettings) == 0 && !p.pending && !p.oldSchema
}

// diff compares the files with the documents of the corpus, and the corpus
// with its settings and marks.
func (x *Indexer) diff(ctx context.Context, listing source.Listing) (runDiff, error) {
	p := runDiff{changed: map[string]bool{}}
	for _, f := range listing.Failures {
		p.failures = append(p.failures, Failure{Key: f.URI, Stage: "source", Reason: f.Err.Error()})
	}
	corpus, err := x.store.Corpus(ctx, x.options.Corpus)
	switch {
	case errors.Is(err, neo4jstore.ErrNoCorpus):
		p.isNew = true
	case err != nil:
		return p, fmt.Errorf("read corpus %s: %w", x.options.Corpus, err)
	}
	known := map[string]neo4jstore.DocumentState{}
	if !p.isNew {
		states, err := x.store.Documents(ctx, x.options.Corpus)
		if err != nil {
			return p, fmt.Errorf("list documents of %s: %w", x.options.Corpus, err)
		}
		for _, d := range states {
			known[d.URI] = d
		}
		if err := x.findPending(ctx, corpus, &p); err != nil {
			return p, err
		}
	}
	p.changedSettings = x.settingsDiff(corpus)
	p.oldSchema = !p.isNew && corpus.Schema < neo4jstore.SchemaVersion
	p.mode, p.dimension = corpus.Mode, corpus.Dimension
	if err := x.compareDocuments(ctx, listing, known, &p); err != nil {
		return p, err
	}
	p.counts.Failed = len(p.failures)
	return p, nil
}

// findPending looks for what an earlier run left: marks, and counters that do not agree.
func (x *Indexer) findPending(ctx context.Context, c neo4jstore.Corpus, p *runDiff) error {
	marks, err := x.store.Pending(ctx, x.options.Corpus)
	if err != nil {
		return fmt.Errorf("count pending work of %s: %w", x.options.Corpus, err)
	}
	for stage, n := range marks {
		if n > 0 && (stage != "report" || !x.options.WithoutReports) {
			p.pending = true
		}
	}
	if c.Topology != c.Clustered || c.Next > c.Generation || c.Labelled != c.Generation || c.Swept != c.Generation {
		p.pending = true
	}
	return nil
}

// compareDocuments sorts the documents of every file into new, changed and unchanged, and
// finds those that are gone from the paths given now.
func (x *Indexer) compareDocuments(ctx context.Context, listing source.Listing, known map[string]neo4jstore.DocumentState, p *runDiff) error {
	c := comparer{Indexer: x, diff: p, indexed: known, found: map[string]bool{}, unreadable: map[string]bool{}, added: map[string]string{}}
	for _, f := range listing.Failures {
		c.unreadable[f.URI] = true
	}
	survey := func(ctx context.Context, f source.File) (surveyedFile, error) {
		entries, failures, err := source.Survey(ctx, f, x.options.Source)
		return surveyedFile{f, entries, failures, err}, ctx.Err()
	}
	if err := parallelMapOrdered(ctx, x.options.Concurrency, listing.Files, survey, c.addFile); err != nil {
		return err
	}
	c.addRemoved(listing.Roots)
	return nil
}

// surveyedFile is what a file holds, or the reason why that is not known.
type surveyedFile struct {
	file     source.File
	entries  []source.Entry
	failures []source.Failure
	err      error
}

// comparer is what compare has seen so far.
type comparer struct {
	*Indexer
	diff       *runDiff
	indexed    map[string]neo4jstore.DocumentState
	found      map[string]bool   // URIs of documents
	unreadable map[string]bool   // URIs of files and folders: their documents stay as they are
	added      map[string]string // URIs of new documents by their hash
}

func (c *comparer) fail(uri string, err error) {
	c.diff.failures = append(c.diff.failures, Failure{Key: uri, Stage: "source", Reason: err.Error()})
}

func (c *comparer) addFile(s surveyedFile) error {
	if s.err != nil {
		c.unreadable[s.file.URI] = true
		c.fail(s.file.URI, s.err)
		return nil //nolint:nilerr // it is among the failures
	}
	for _, f := range s.failures {
		c.fail(f.URI, f.Err)
	}
	read := fileToRead{s.file, map[string]bool{}}
	for _, entry := range s.entries {
		if c.found[entry.URI] {
			c.fail(s.file.URI, fmt.Errorf("read %s: another file gives the document %q too: rename one", s.file.URI, entry.URI))
			continue
		}
		c.found[entry.URI] = true
		wanted, err := c.needsReading(s.file, entry)
		if err != nil {
			return err
		}
		if wanted {
			read.wanted[entry.URI] = true
		}
	}
	if len(read.wanted) > 0 {
		c.diff.files = append(c.diff.files, read)
	}
	return nil
}

// needsReading tells whether a document is to be read.
func (c *comparer) needsReading(f source.File, entry source.Entry) (bool, error) {
	old, was := c.indexed[entry.URI]
	switch {
	case !was:
		c.diff.counts.Added++
		c.added[entry.SHA256] = entry.URI
		return true, nil
	case old.Root != f.Root:
		return false, fmt.Errorf("index %s: %w: it is indexed from %s; remove it first, or give that path", entry.URI, ErrOtherRoot, old.Root)
	case old.SHA256 != entry.SHA256 || old.SourceFP != c.sourceFP() || old.ChunkFP != c.chunkFP():
		c.diff.counts.Changed++
		c.diff.changed[entry.URI] = true
		if old.SHA256 == entry.SHA256 {
			c.diff.rechunked++
		}
		return true, nil
	}
	c.diff.counts.Unchanged++
	return false, nil
}

// addRemoved finds documents under a root that is given now, but which are not there
// any more. Those of a file that is there and cannot be read stay.
func (c *comparer) addRemoved(roots []string) {
	p := c.diff
	for uri, d := range c.indexed {
		if c.found[uri] || !slices.Contains(roots, d.Root) || !isUnder(uri, d.Root) || c.isUnreadable(uri) {
			continue
		}
		p.removed = append(p.removed, d.Key)
		if _, moved := c.added[d.SHA256]; moved {
			p.counts.Moved++
			p.counts.Added--
			delete(c.added, d.SHA256)
		} else {
			p.counts.Removed++
		}
	}
	slices.Sort(p.removed)
}

// isUnreadable tells whether a document is one of a file or folder that cannot be
// read: its URI is that itself, or goes on from there with "#" or "/".
func (c *comparer) isUnreadable(uri string) bool {
	if c.unreadable[uri] {
		return true
	}
	for i := range len(uri) {
		if (uri[i] == '#' || uri[i] == '/') && c.unreadable[uri[:i]] {
			return true
		}
	}
	return false
}

// isUnder reports whether a URI belongs to the path that root was.
func isUnder(uri, root string) bool {
	base := filepath.Base(root)
	return uri == base || strings.HasPrefix(uri, base+"/") || strings.HasPrefix(uri, base+"#")
}

func (x *Indexer) sourceFP() string { return x.options.Source.Fingerprint() }

// chunkFP covers how chunks and their passages are made.
func (x *Indexer) chunkFP() string {
	return graph.Hash(x.options.Chunk.Fingerprint(), chunk.PassageVersion)
}
