package index

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/neo4jstore"
	"github.com/neorag/neorag/internal/text"
)

// ErrOtherEmbedder means that the vectors of a corpus were made by another embedder.
var ErrOtherEmbedder = errors.New("corpus has vectors of another embedder")

// Embed embeds the items that wait for a vector. If the options name another embedder
// than the corpus was embedded with, it returns ErrOtherEmbedder, unless reembed is set:
// then that embedder becomes the embedder of the corpus, and every item that has no
// vector of it yet is embedded again. A model of the same name on another server is
// another embedder. If Embed is killed, the next call continues; until
// then the remaining items count as pending. No document is read.
func (x *Indexer) Embed(ctx context.Context, reembed bool) (Result, error) {
	r := x.newRun()
	if err := x.store.EnsureSchema(ctx); err != nil {
		return r.result, fmt.Errorf("prepare the schema: %w", err)
	}
	c, err := x.store.Corpus(ctx, x.options.Corpus)
	if err != nil {
		return r.result, err
	}
	if !reembed {
		x.keepEmbedder(c)
	}
	other := c.Settings["embed"] != x.options.Embedder.Fingerprint()
	if other && !reembed {
		return r.result, fmt.Errorf("embed %s: %w: %s", c.Name, ErrOtherEmbedder, c.Embedder)
	}
	if paid := EmbedderModel(c.Embedder); other && paid != "" && !x.options.Yes {
		return r.result, fmt.Errorf("embed %s: %w: the model %s made its vectors, and all would be redone", c.Name, ErrOtherMode, paid)
	}
	marks, err := x.store.Pending(ctx, c.Name)
	if err != nil {
		return r.result, err
	}
	if !other && marks["embed"] == 0 {
		r.finish()
		return r.result, nil
	}
	if err := x.probeEmbedder(ctx); err != nil {
		return r.endWithoutProbe(err)
	}
	err = x.withWriter(ctx, func(ctx context.Context, writer *neo4jstore.Writer, _ bool) error {
		r.writer = writer
		if err := r.switchEmbedder(ctx); err != nil {
			return err
		}
		if err := r.schedule(ctx, []scheduledStage{{"embed", nil, r.embedAll}}); err != nil {
			return err
		}
		return r.conclude(ctx)
	})
	r.finish()
	return r.result, err
}

// endWithoutProbe returns the result of a run whose embedding model could not be probed.
func (r *run) endWithoutProbe(err error) (Result, error) {
	r.finish()
	if errors.Is(err, llm.ErrBudget) {
		r.result.Stopped, r.result.Exit = text.FirstLine(err.Error()), exitFailures
		r.addNote("%s; nothing was done", r.result.Stopped)
		err = nil
	}
	return r.result, err
}

// switchEmbedder makes the embedder of the options that of the corpus. It marks all
// vectors before it stores the embedder, so that no old vector is taken for a new one.
func (r *run) switchEmbedder(ctx context.Context) error {
	c, err := r.store.Corpus(ctx, r.options.Corpus)
	if err != nil {
		return err
	}
	e := r.options.Embedder
	if c.Dimension > 0 && c.Dimension != e.Dimension() {
		if err := r.writer.DropVectors(ctx); err != nil {
			return err
		}
	}
	if err := r.store.EnsureCorpus(ctx, c.Name, e.Dimension()); err != nil {
		return fmt.Errorf("prepare corpus %s: %w", c.Name, err)
	}
	if c.Settings["embed"] == e.Fingerprint() {
		return nil
	}
	if _, err := r.writer.MarkAll(ctx, "embed"); err != nil {
		return fmt.Errorf("mark everything for embed: %w", err)
	}
	mode := c.Mode
	if old := EmbedderModel(c.Embedder); old != "" {
		mode = strings.TrimSuffix(mode, modeSeparator+old)
	}
	set := neo4jstore.CorpusSet{Embedder: e.Fingerprint(), Mode: mode + r.vectorMode(), Dimension: e.Dimension()}
	if err := r.writer.SetSettings(ctx, map[string]string{"embed": e.Fingerprint()}, set); err != nil {
		return fmt.Errorf("store settings: %w", err)
	}
	return nil
}

// embedAll embeds all kinds of nodes.
func (r *run) embedAll(ctx context.Context, s *stage) error {
	return r.embedKinds(ctx, s, graph.KindChunk, graph.KindEntity, graph.KindRelationship, graph.KindReport)
}
