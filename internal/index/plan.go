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

// A plan is what a run found to do, from reads alone.
type plan struct {
	counts   DocumentCounts
	files    []source.File // to be read: new, changed, or made with other settings
	changed  map[string]bool
	removed  []string // keys of documents that are gone
	failures []Failure
	settings map[string]string // settings of stages that differ from those noted
	pending  bool              // marks or counters say that something is left
	fresh    bool              // the corpus does not exist yet

	noted     string // mode that the corpus was made with; "" while none is noted
	dimension int    // of its vectors
	recut     int    // documents that are cut anew, though nothing in them changed
}

func (p plan) idle() bool {
	if p.fresh {
		return len(p.files) == 0
	}
	return len(p.files) == 0 && len(p.removed) == 0 && len(p.settings) == 0 && !p.pending
}

// plan compares the files with the documents of the corpus, and the corpus
// with its settings and marks.
func (x *Indexer) plan(ctx context.Context, listing source.Listing) (plan, error) {
	p := plan{changed: map[string]bool{}}
	for _, f := range listing.Failures {
		p.failures = append(p.failures, Failure{Key: f.URI, Stage: "source", Reason: f.Err.Error()})
	}
	corpus, err := x.store.Corpus(ctx, x.options.Corpus)
	switch {
	case errors.Is(err, neo4jstore.ErrNoCorpus):
		p.fresh = true
	case err != nil:
		return p, fmt.Errorf("read corpus %s: %w", x.options.Corpus, err)
	}
	known := map[string]neo4jstore.DocumentState{}
	if !p.fresh {
		states, err := x.store.Documents(ctx, x.options.Corpus)
		if err != nil {
			return p, fmt.Errorf("list documents of %s: %w", x.options.Corpus, err)
		}
		for _, d := range states {
			known[d.URI] = d
		}
		if err := x.unfinished(ctx, corpus, &p); err != nil {
			return p, err
		}
	}
	p.settings = x.changedSettings(corpus)
	p.noted, p.dimension = corpus.Mode, corpus.Dimension
	if err := x.compare(ctx, listing, known, &p); err != nil {
		return p, err
	}
	p.counts.Failed = len(p.failures)
	return p, nil
}

// unfinished looks for what an earlier run left: marks, and counters that do not agree.
func (x *Indexer) unfinished(ctx context.Context, c neo4jstore.Corpus, p *plan) error {
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

// compare sorts every file into new, changed and unchanged, and finds the
// documents that are gone from the paths given now.
func (x *Indexer) compare(ctx context.Context, listing source.Listing, known map[string]neo4jstore.DocumentState, p *plan) error {
	here := map[string]bool{}
	for _, f := range listing.Failures {
		here[f.URI] = true
	}
	type hashed struct {
		file source.File
		sum  string
		err  error
	}
	hash := func(ctx context.Context, f source.File) (hashed, error) {
		sum, err := source.Hash(ctx, f, x.options.Source)
		return hashed{f, sum, err}, ctx.Err()
	}
	added := map[string]string{}
	err := each(ctx, x.options.Concurrency, listing.Files, hash, func(h hashed) error {
		here[h.file.URI] = true
		old, was := known[h.file.URI]
		switch {
		case h.err != nil:
			p.failures = append(p.failures, Failure{Key: h.file.URI, Stage: "source", Reason: h.err.Error()})
		case !was:
			p.counts.Added++
			added[h.sum] = h.file.URI
			p.files = append(p.files, h.file)
		case old.Root != h.file.Root:
			return fmt.Errorf("index %s: %w: it is indexed from %s; remove it first, or give that path", h.file.URI, ErrOtherRoot, old.Root)
		case old.SHA256 != h.sum || old.SourceFP != x.sourceFP() || old.ChunkFP != x.chunkFP():
			p.counts.Changed++
			p.changed[h.file.URI] = true
			if old.SHA256 == h.sum {
				p.recut++
			}
			p.files = append(p.files, h.file)
		default:
			p.counts.Unchanged++
		}
		return nil
	})
	if err != nil {
		return err
	}
	p.gone(listing.Roots, known, here, added)
	return nil
}

// gone finds documents under a root that is given now, but which are not there any more.
func (p *plan) gone(roots []string, known map[string]neo4jstore.DocumentState, here map[string]bool, added map[string]string) {
	for uri, d := range known {
		if here[uri] || !slices.Contains(roots, d.Root) || !under(uri, d.Root) {
			continue
		}
		p.removed = append(p.removed, d.Key)
		if _, moved := added[d.SHA256]; moved {
			p.counts.Moved++
			p.counts.Added--
			delete(added, d.SHA256)
		} else {
			p.counts.Removed++
		}
	}
	slices.Sort(p.removed)
}

// under reports whether a URI belongs to the path that root was.
func under(uri, root string) bool {
	base := filepath.Base(root)
	return uri == base || strings.HasPrefix(uri, base+"/")
}

func (x *Indexer) sourceFP() string { return x.options.Source.Fingerprint() }

// chunkFP covers how chunks and their passages are made.
func (x *Indexer) chunkFP() string {
	return graph.Hash(x.options.Chunk.Fingerprint(), chunk.PassageVersion)
}
