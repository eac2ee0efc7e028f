package index

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// ErrOtherEmbedder means that the vectors of a corpus were made by another embedder.
var ErrOtherEmbedder = errors.New("corpus has vectors of another embedder")

// Embed embeds the items that wait for a vector. If the options name another embedder
// than the vectors of the corpus were made by, it returns ErrOtherEmbedder, unless reembed is set:
// then that embedder becomes the embedder of the corpus, and every item that has no
// vector of it yet is embedded again. A model of the same name on another server is
// another embedder. If Embed is killed, the next call continues; until
// then the remaining items count as pending. No document is read.
func (x *Indexer) Embed(ctx context.Context, reembed bool) (Result, error) {
	return x.withDimension(ctx, func() (Result, error) { return x.embedOnce(ctx, reembed) })
}

func (x *Indexer) embedOnce(ctx context.Context, reembed bool) (Result, error) {
	out := newOutcome(x.requested)
	if err := x.store.EnsureSchema(ctx); err != nil {
		return out.result, fmt.Errorf("prepare the schema: %w", err)
	}
	d, err := x.embedDiff(ctx, reembed)
	if err == nil && (d.needed || reembed) {
		if err := probe(ctx, x.requested.Embedder); err != nil {
			return out.finishWithoutProbe(err)
		}
		d, err = x.embedDiff(ctx, reembed) // the dimension is known
	}
	if err != nil {
		return out.result, err
	}
	if !d.needed {
		return out.finish(), nil
	}
	if x, err = x.withoutMissingReports(ctx); err != nil {
		return out.result, err
	}
	err = x.withWriter(ctx, func(ctx context.Context, writer *neo4jstore.Writer, _ bool) error {
		out.writer = writer
		d, err := x.embedDiff(ctx, reembed) // another run may have changed the corpus
		if err != nil || !d.needed {
			return err
		}
		r := newRun(x.store, d.effective, out)
		r.vectorsOnly = true
		if err := r.switchEmbedder(ctx, d.corpus); err != nil {
			return err
		}
		if err := r.schedule(ctx, []stageSpec{specOf("embed"), specOf("queries"), specOf("link"), specOf("synonyms"), specOf("documents")}); err != nil {
			return err
		}
		return r.conclude(ctx)
	})
	return out.finish(), err
}

// An embedDiff is what Embed found to do with the settings in force.
type embedDiff struct {
	*effective

	corpus neo4jstore.Corpus
	needed bool // vectors or indexes are missing, or all vectors are to be made by another embedder
}

// embedDiff reads the corpus, and finds out what is to be embedded. It returns ErrOtherEmbedder or
// ErrOtherMode if the options do not allow that.
func (x *Indexer) embedDiff(ctx context.Context, reembed bool) (d embedDiff, err error) {
	if d.corpus, err = x.store.Corpus(ctx, x.requested.Corpus); err != nil {
		return d, err
	}
	c := d.corpus
	kept := c
	if reembed {
		kept.Embedder = "" // the corpus is to name the server of its embedding model
	}
	if d.effective, err = plan(x.requested, kept); err != nil {
		return d, err
	}
	_, other := d.settingsDiff(c)["embed"]
	made := neo4jstore.Made{}
	if other { // vectors that were never made, because the address or the model was wrong, are not replaced
		if made, err = x.store.Made(ctx, c.Name); err != nil {
			return d, err
		}
	}
	if made.Embedded && !reembed {
		return d, fmt.Errorf("embed %s: %w: %s%s", c.Name, ErrOtherEmbedder, c.Embedder, movedEmbedder(d.Embedder, c))
	}
	if paid := EmbedderModel(c.Embedder); made.Embedded && paid != "" && !d.AllowRedo {
		return d, fmt.Errorf("embed %s: %w: the model %s made its vectors, and all would be redone%s", c.Name, ErrOtherMode, paid, movedEmbedder(d.Embedder, c))
	}
	marks, err := x.store.Pending(ctx, c.Name)
	if err != nil || other || d.hasOldProfiles(c) || marks["embed"]+marks["link"]+marks["synonyms"]+marks["documents"] > 0 {
		d.needed = true
		return d, err
	}
	d.needed, err = x.store.NeedsIndexes(ctx, c.Name, d.vectors(d.dimension(c)))
	return d, err
}

// switchEmbedder makes the embedder of the options the embedder of the corpus c. It marks all
// vectors before it stores the embedder, so that no old vector is taken for a new one, and
// stores the embedder before it changes the indexes, so that an interrupted change of
// their dimension is continued, or undone by the previous embedder.
func (r *run) switchEmbedder(ctx context.Context, c neo4jstore.Corpus) error {
	if err := r.writer.CreateCorpus(ctx); err != nil { // it exists; its schema may be newer
		return err
	}
	e := r.Embedder
	_, other := r.settingsDiff(c)["embed"]
	if other {
		if _, err := r.writer.MarkAll(ctx, "embed"); err != nil {
			return fmt.Errorf("mark everything for embed: %w", err)
		}
		mode := c.Mode
		if old := EmbedderModel(c.Embedder); old != "" {
			mode = strings.TrimSuffix(mode, modeSeparator+old)
		}
		settings := map[string]string{"embed": e.Fingerprint(), profileSetting: r.profile}
		for _, a := range artifacts {
			if !r.has(a.name) || a.compares == "" {
				continue
			}
			if _, err := r.writer.MarkAll(ctx, marksOf(a.compares)); err != nil {
				return fmt.Errorf("mark everything for %s: %w", a.compares, err)
			}
			settings[a.compares] = r.settings[a.compares]
		}
		set := neo4jstore.CorpusSet{Embedder: e.Fingerprint(), Mode: mode + vectorMode(e), Dimension: e.Dimension()}
		if err := r.writer.SetSettings(ctx, settings, set); err != nil {
			return fmt.Errorf("store settings: %w", err)
		}
	}
	if !other && r.hasOldProfiles(c) {
		if _, err := r.writer.MarkKind(ctx, graph.KindRelationship, "embed"); err != nil {
			return fmt.Errorf("mark relationships for embed: %w", err)
		}
		if err := r.writer.SetSettings(ctx, map[string]string{profileSetting: r.profile}, neo4jstore.CorpusSet{}); err != nil {
			return fmt.Errorf("store settings: %w", err)
		}
	}
	return r.ensureIndexes(ctx)
}
