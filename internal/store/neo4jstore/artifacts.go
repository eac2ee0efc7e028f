package neo4jstore

import (
	"context"
	"fmt"
	"slices"

	"github.com/neorag/neorag/cypher"
	"github.com/neorag/neorag/internal/graph"
)

// An Artifact is a part that a corpus has only if it is indexed with it.
type Artifact string

// The artifacts.
const (
	ArtifactQueries       Artifact = "queries"        // question-answer pairs
	ArtifactSentences     Artifact = "sentences"      // nodes of sentences
	ArtifactSynonyms      Artifact = "synonyms"       // edges between entities with similar names
	ArtifactDocumentLinks Artifact = "document-links" // edges between similar documents
)

// An artifactSpec is how an artifact is stored.
type artifactSpec struct {
	name     Artifact
	property string       // of the node of the corpus, true if it has the artifact
	vectors  []graph.Kind // kinds of nodes that it has, with vectors
	// drop deletes what stages wrote, in an order in which an interrupted call is continued by the next one.
	drop func(ctx context.Context, w *Writer) error
}

// artifactSpecs returns the artifacts. A corpus has question-answer pairs if it has their settings.
func artifactSpecs() []artifactSpec {
	return []artifactSpec{
		{ArtifactQueries, "", []graph.Kind{graph.KindQuery}, dropQueries},
		{ArtifactSentences, "sentences", []graph.Kind{graph.KindSentence}, dropSentences},
		{ArtifactSynonyms, "synonyms", nil, dropSynonyms},
		{ArtifactDocumentLinks, "document_links", nil, dropDocumentLinks},
	}
}

func (a Artifact) spec() artifactSpec {
	all := artifactSpecs()
	return all[slices.IndexFunc(all, func(s artifactSpec) bool { return s.name == a })]
}

// artifactsOf returns the artifacts of a corpus with some properties.
func artifactsOf(v values) (has []Artifact) {
	for _, s := range artifactSpecs() {
		if s.property != "" && v.flag(s.property) || s.name == ArtifactQueries && querySettingsOf(v).Count > 0 {
			has = append(has, s.name)
		}
	}
	return has
}

// Has reports whether the corpus is indexed with an artifact.
func (c *Corpus) Has(a Artifact) bool { return slices.Contains(c.Artifacts, a) }

// SetArtifact records whether the corpus has an artifact. It writes only what differs.
func (w *Writer) SetArtifact(ctx context.Context, a Artifact, has bool) error {
	property := a.spec().property
	if property == "" {
		return nil
	}
	same := func(c Corpus) bool { return c.Has(a) == has }
	return w.setUnless(ctx, string(a)+" settings", same, map[string]any{property: optional(has)})
}

// DropArtifact records that the corpus has no such artifact, and deletes it.
func (w *Writer) DropArtifact(ctx context.Context, a Artifact) error {
	if err := w.SetArtifact(ctx, a, false); err != nil {
		return err
	}
	if err := a.spec().drop(ctx, w); err != nil {
		return fmt.Errorf("drop the %s of corpus %s: %w", a, w.corpus, err)
	}
	return nil
}

// dropMade removes the properties that a stage wrote to the nodes of a kind, and their marks.
func (w *Writer) dropMade(ctx context.Context, point string, kind graph.Kind, stage string, properties ...string) error {
	gone := map[string]any{}
	for _, name := range properties {
		gone[name] = nil
	}
	_, err := w.markPages(ctx, point, writeMadeDropped.For(string(kind), stage), map[string]any{"set": gone})
	return err
}

// dropQueries deletes the settings last: as long as there are any, the corpus has pairs.
func dropQueries(ctx context.Context, w *Writer) error {
	if err := w.dropNodes(ctx, graph.KindQuery); err != nil {
		return err
	}
	if err := w.dropMade(ctx, "queries dropped", graph.KindChunk, "queries", "queries_fp", "pairs_fp", "queries", "embedding_d2q", "embedding_d2q_kept"); err != nil {
		return err
	}
	return w.SetQueries(ctx, QuerySettings{})
}

// dropSentences begins with the chunks: a chunk with a fingerprint always has its sentences.
func dropSentences(ctx context.Context, w *Writer) error {
	if err := w.dropMade(ctx, "sentences dropped", graph.KindChunk, "sentences", "sentences_fp", "sentences", "sentence_names"); err != nil {
		return err
	}
	return w.dropNodes(ctx, graph.KindSentence)
}

// dropSynonyms begins with the edges: an entity without what the stage wrote to it has none.
func dropSynonyms(ctx context.Context, w *Writer) error {
	if err := w.writeUntilDone(ctx, "synonyms dropped", cypher.WriteSynonymsDropped, memberRows, nil); err != nil {
		return err
	}
	return w.dropMade(ctx, "synonym names dropped", graph.KindEntity, "synonyms", "synonyms", "name_fp", "name_vector")
}

// dropDocumentLinks begins with the edges: a document without what the stage wrote to it has none.
func dropDocumentLinks(ctx context.Context, w *Writer) error {
	if err := w.writeUntilDone(ctx, "document links dropped", cypher.WriteDocumentLinksDropped, memberRows, nil); err != nil {
		return err
	}
	return w.dropMade(ctx, "document vectors dropped", graph.KindDocument, "documents", "similar", "vector")
}
