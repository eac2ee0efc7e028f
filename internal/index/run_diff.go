package index

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/source"
	"github.com/neorag/neorag/internal/source/filestate"
	"github.com/neorag/neorag/internal/stage/chunk"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// Stages whose failures are failures of files.
const (
	sourceStage = "source" // files are listed and compared
	chunkStage  = "chunk"  // and read
)

// A runDiff is the work that a run found to do with the settings in force. Finding it writes nothing.
type runDiff struct {
	*effective

	counts          DocumentCounts
	files           []fileToRead               // with documents that are new, changed or made with other settings
	changed         map[string]bool            // URIs of documents
	removed         []string                   // keys of documents that are gone
	movedRoots      []movedRoot                // folders that are at another path now
	placed          []neo4jstore.DocumentState // unchanged records that are at another place in their files
	states          *filestate.Cache
	failures        []Failure
	changedSettings map[string]string // fingerprints of stages that differ from those stored
	pending         bool              // an earlier run left work, by marks or counters
	isNew           bool              // the corpus does not exist yet
	removing        bool              // the rest of a corpus must be removed first
	oldSchema       bool              // the schema of the corpus must be upgraded

	listing    source.Listing
	parts      []part                  // of roots that contain a given one
	notes      []string                // on roots in others
	missing    string                  // a note on linked pages that were skipped, or ""
	unread     []neo4jstore.UnreadFile // that the corpus lists, and that this run does not try again
	corpus     neo4jstore.Corpus       // as it was; empty if it is new
	exclusions neo4jstore.Exclusions   // of the corpus
	rechunked  int                     // unchanged documents that are split again because of settings
}

// A fileToRead is a file with the URIs of the documents in it to read. Its other
// documents are up to date in the graph.
type fileToRead struct {
	source.File
	wanted map[string]bool
}

// isEmpty reports whether there is nothing to do.
func (d *runDiff) isEmpty() bool {
	if d.isNew {
		return len(d.files) == 0
	}
	return len(d.files) == 0 && len(d.removed) == 0 && len(d.movedRoots) == 0 && len(d.placed) == 0 && d.unreadAfter(d.failures).Equal(d.corpus.Unread) && len(d.changedSettings) == 0 && !d.pending && !d.oldSchema
}

// diff plans the settings, compares the files with the documents of the corpus, and the settings
// with those stored, and looks for pending work.
func (x *Indexer) diff(ctx context.Context, listing source.Listing) (runDiff, error) {
	d := runDiff{changed: map[string]bool{}, listing: listing}
	var err error
	d.corpus, err = x.store.Corpus(ctx, x.requested.Corpus)
	switch {
	case errors.Is(err, neo4jstore.ErrNoCorpus):
		d.isNew = true
	case err != nil:
		return d, fmt.Errorf("read corpus %s: %w", x.requested.Corpus, err)
	case d.corpus.Removing:
		d.isNew, d.removing, d.corpus = true, true, neo4jstore.Corpus{}
	}
	if d.effective, err = plan(x.requested, d.corpus); err != nil {
		return d, err
	}
	known := map[string]neo4jstore.DocumentState{}
	if !d.isNew {
		states, err := x.store.Documents(ctx, x.requested.Corpus)
		if err != nil {
			return d, fmt.Errorf("list documents of %s: %w", x.requested.Corpus, err)
		}
		for _, s := range states {
			if s.URI == "" { // an interrupted write of an earlier version
				s.URI = graph.Local(s.Key)
			}
			known[s.URI] = s
		}
		if d.exclusions, err = x.store.Exclusions(ctx, x.requested.Corpus); err != nil {
			return d, err
		}
		if d.pending, err = d.isPending(ctx, x.store); err != nil {
			return d, err
		}
	}
	if err := d.resolveNestedRoots(ctx, known); err != nil {
		return d, err
	}
	d.missing = d.listing.TakeMissing(func(uri string) bool { return known[uri].Key != "" })
	for _, f := range d.listing.Failures {
		d.failures = append(d.failures, Failure{Key: f.URI, Stage: sourceStage, Reason: f.Err.Error()})
	}
	d.changedSettings = d.settingsDiff(d.corpus)
	d.oldSchema = !d.isNew && d.corpus.Schema < neo4jstore.SchemaVersion
	if err := compareDocuments(ctx, known, &d); err != nil {
		return d, err
	}
	d.counts.Failed = len(d.failures)
	return d, nil
}

// diffAgain returns the diff for a run that has the lease. It looks again if the corpus
// changed since the diff was made: another run may have done the work, or have made the
// corpus in another way.
func (x *Indexer) diffAgain(ctx context.Context, listing source.Listing, d runDiff, waited bool) (runDiff, error) {
	corpus, err := x.store.Corpus(ctx, x.requested.Corpus)
	if err != nil && !errors.Is(err, neo4jstore.ErrNoCorpus) {
		return d, err
	}
	if waited || !reflect.DeepEqual(corpus, d.corpus) {
		return x.diff(ctx, listing)
	}
	return d, nil
}

// probesLater reports whether the stage embed asks for the dimension and creates the indexes, which
// takes a call and seconds: in a new corpus both overlap with the calls of other stages.
func (d *runDiff) probesLater() bool { return d.isNew && d.overlaps() }

// probe asks the embedding model for its dimension, unless the stage embed does, and compares the
// settings again: a model of the same name may return vectors of another dimension.
func (d *runDiff) probe(ctx context.Context) error {
	if d.probesLater() {
		return nil
	}
	err := probe(ctx, d.Embedder)
	d.changedSettings = d.settingsDiff(d.corpus)
	return err
}

// isPending reports whether an earlier run left work: marks, counters of the corpus that do not
// agree, or indexes that are missing or have another form.
func (d *runDiff) isPending(ctx context.Context, store *neo4jstore.Store) (bool, error) {
	marks, err := store.Pending(ctx, d.Corpus)
	if err != nil {
		return false, fmt.Errorf("count pending work of %s: %w", d.Corpus, err)
	}
	marked := slices.ContainsFunc(sortedKeys(marks), func(stage string) bool {
		return marks[stage] > 0 && (stage != "report" || !d.WithoutReports)
	})
	c := d.corpus
	for _, work := range []struct {
		what string
		left bool
	}{
		{"marked nodes", marked},
		{"a removal of documents", len(d.exclusions.Unfinished) > 0},
		{"settings that the corpus keeps", len(d.changedStored(c)) > 0},
		{"artifacts", d.artifactsChanged(c)},
		{"communities as in a new corpus", d.Fresh},
		{"edges that changed since communities were found", c.Topology != c.Clustered},
		{"a generation that is not visible", c.Next > c.Generation},
		{"labels of an earlier generation", c.Labelled != c.Generation},
		{"an earlier generation to delete", c.Swept != c.Generation},
	} {
		if work.left {
			d.Logger.DebugContext(ctx, "the corpus has work left", "corpus", c.Name, "work", work.what)
			return true, nil
		}
	}
	return store.NeedsIndexes(ctx, c.Name, d.vectors(d.dimension(c)))
}

// dimension returns the dimension of the vectors: the embedder's, or the dimension of the
// corpus if it is not known yet.
func (e *effective) dimension(c neo4jstore.Corpus) int {
	return cmp.Or(e.Embedder.Dimension(), c.Dimension)
}

// compareDocuments finds the new, changed and unchanged documents of every file of the diff, and
// the documents that are gone from the given paths.
func compareDocuments(ctx context.Context, known map[string]neo4jstore.DocumentState, d *runDiff) error {
	c := comparer{runDiff: d, indexed: known, excluded: map[string]bool{}, found: map[string]bool{}, unreadable: map[string]bool{}, addedAs: map[string]string{}, otherRoots: map[[2]string]*rootOverlap{}}
	mark(c.excluded, d.exclusions.Documents)
	for _, f := range d.listing.Failures {
		c.unreadable[f.URI] = true
	}
	if d.FileStates != "" {
		d.states = filestate.New(d.FileStates, d.Source.Fingerprint())
	}
	if err := parallelMapOrdered(ctx, d.Concurrency, each(d.listing.Files), weightless, c.survey, c.addFile); err != nil {
		return err
	}
	d.Logger.DebugContext(ctx, "files compared", "files", len(d.listing.Files), "read", c.read.Load())
	if err := c.findMovedRoots(); err != nil {
		return err
	}
	c.addRemoved(d.listing.Roots)
	d.unread = c.unreadBefore(d.listing.Roots)
	return nil
}

// A surveyedFile is the list of documents in a file, or the error of reading it.
type surveyedFile struct {
	file     source.File
	entries  []source.Entry
	failures []source.Failure
	err      error
}

// survey lists the documents of a file. It reads the file only if it changed.
func (c *comparer) survey(ctx context.Context, f source.File) (surveyedFile, error) {
	if !c.Checksum {
		if entries, ok := c.states.Entries(f); ok {
			return surveyedFile{file: f, entries: entries}, ctx.Err()
		}
	}
	c.read.Add(1)
	start := c.Clock()
	entries, failures, err := source.Survey(ctx, f, c.Source)
	if err == nil && len(failures) == 0 {
		c.states.Note(f, start, entries)
	}
	return surveyedFile{f, entries, failures, err}, ctx.Err()
}

// A comparer holds the state of compareDocuments.
type comparer struct {
	*runDiff

	read       atomic.Int64                        // files that were read
	indexed    map[string]neo4jstore.DocumentState // by URI
	excluded   map[string]bool                     // URIs of documents that are kept out
	found      map[string]bool                     // URIs of documents
	unreadable map[string]bool                     // URIs of files and folders that are not read completely
	addedAs    map[string]string                   // URIs of new documents by their hash
	otherRoots map[[2]string]*rootOverlap          // by the previous root and the given one
}

func (c *comparer) fail(uri string, err error) {
	c.failures = append(c.failures, Failure{Key: uri, Stage: sourceStage, Reason: err.Error()})
}

// addFile adds the documents of a file to the diff.
func (c *comparer) addFile(s surveyedFile) error {
	if s.err != nil {
		c.unreadable[s.file.URI] = true
		c.fail(s.file.URI, s.err)
		return nil //nolint:nilerr // the error is among the failures
	}
	if err := source.JoinFailures(s.failures); err != nil { // documents that are not found may be in the part that is not read
		c.fail(s.file.URI, err)
		c.unreadable[s.file.URI] = true
	}
	read := fileToRead{s.file, map[string]bool{}}
	for _, entry := range s.entries {
		if c.excluded[entry.URI] {
			c.counts.Excluded++
			continue
		}
		if c.found[entry.URI] {
			c.fail(s.file.URI, fmt.Errorf("read %s: another file has a document %q too: rename one of them", s.file.URI, entry.URI))
			continue
		}
		c.found[entry.URI] = true
		if c.needsReading(s.file, entry) {
			read.wanted[entry.URI] = true
		}
	}
	if len(read.wanted) > 0 {
		c.files = append(c.files, read)
	}
	return nil
}

// needsReading counts a document as new, changed or unchanged, and reports whether it
// must be read.
func (c *comparer) needsReading(f source.File, entry source.Entry) bool {
	old, was := c.indexed[entry.URI]
	if was && old.Root != f.Root && old.Root != "" {
		c.noteOtherRoot(old, f.Root, entry)
	}
	switch {
	case !was:
		c.counts.Added++
		c.addedAs[entry.SHA256] = entry.URI
		return true
	case old.SHA256 == entry.SHA256 && c.keepsChunksOf(old):
	case old.SHA256 != entry.SHA256 || old.SourceFP != c.Source.Fingerprint() || old.ChunkFP != c.chunkFP():
		c.counts.Changed++
		c.changed[entry.URI] = true
		if old.SHA256 == entry.SHA256 && !c.sameChunks(f, old) {
			c.rechunked++
		}
		return true
	}
	c.counts.Unchanged++
	if old.Row != entry.Row || old.Line != entry.Line {
		old.Row, old.Line = entry.Row, entry.Line
		c.placed = append(c.placed, old)
	}
	return false
}

// addRemoved adds the documents that are gone from the given roots, and excluded documents whose
// removal was interrupted. Documents of a file that exists but cannot be read completely are
// kept. A document has moved if a new one has the same hash.
func (c *comparer) addRemoved(roots []string) {
	for uri, d := range c.indexed {
		under := func(root string) bool {
			return d.Root == root || c.isMoved(d.Root, root) || d.Root == "" && d.SHA256 == "" && isUnder(uri, root)
		}
		if !c.excluded[uri] && (c.found[uri] || !slices.ContainsFunc(roots, under) && !c.isInPart(d) || c.isUnreadable(uri)) {
			continue
		}
		c.removed = append(c.removed, d.Key)
		if _, moved := c.addedAs[d.SHA256]; moved {
			c.counts.Moved++
			c.counts.Added--
			delete(c.addedAs, d.SHA256)
		} else {
			c.counts.Removed++
		}
	}
	slices.Sort(c.removed)
}

// isUnreadable reports whether a document belongs to a file or folder that cannot be
// read: its URI is the URI of the file or folder, or continues it with "#" or "/".
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

// isUnder reports whether a URI may have been made from a file at or below root.
func isUnder(uri, root string) bool {
	if _, address, found := strings.Cut(root, "://"); found { // URIs of pages begin with their host
		host, _, _ := strings.Cut(address, "/")
		return strings.HasPrefix(uri, host+"/")
	}
	base := strings.ToValidUTF8(filepath.Base(root), "\ufffd")
	return uri == base || strings.HasPrefix(uri, base+"/") || strings.HasPrefix(uri, base+"#")
}

// chunkFP covers everything that affects chunks and passages.
func (e *effective) chunkFP() string {
	return chunkFPOf(e.Chunk.Fingerprint(), chunk.PassageVersion)
}

func chunkFPOf(chunks, passageVersion string) string { return graph.Hash(chunks, passageVersion) }

// keepsChunksOf reports whether a document, if it is unchanged, keeps the text and chunks of an
// earlier version, from which a model extracted.
func (c *comparer) keepsChunksOf(old neo4jstore.DocumentState) bool {
	return c.keepsChunks && c.Source.IsEarlier(old.SourceFP) && isEarlierChunkFP(old.ChunkFP, c.Chunk.FirstFingerprint())
}

func isEarlierChunkFP(fp, chunks string) bool {
	return slices.ContainsFunc(chunk.EarlierPassageVersions, func(version string) bool { return fp == chunkFPOf(chunks, version) })
}

// sameChunks reports whether at most the passages of an unchanged document differ.
func (c *comparer) sameChunks(f source.File, old neo4jstore.DocumentState) bool {
	return c.Source.SameText(f, old.SourceFP) && (old.ChunkFP == c.chunkFP() || isEarlierChunkFP(old.ChunkFP, c.Chunk.Fingerprint()))
}
