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
	return w.setFlag(ctx, string(a)+" settings", property, func(c Corpus) bool { return c.Has(a) }, has)
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

// dropQueries deletes the settings last: as long as there are any, the corpus has pairs.
func dropQueries(ctx context.Context, w *Writer) error {
	if err := w.dropNodes(ctx, cypher.SchemaDropNodes.For(string(graph.KindQuery))); err != nil {
		return err
	}
	if _, err := w.markPages(ctx, "queries dropped", writeQueriesDropped); err != nil {
		return err
	}
	return w.SetQueries(ctx, QuerySettings{})
}

// dropSentences begins with the chunks: a chunk with a fingerprint always has its sentences.
func dropSentences(ctx context.Context, w *Writer) error {
	if _, err := w.markPages(ctx, "sentences dropped", writeSentencesDropped); err != nil {
		return err
	}
	return w.dropNodes(ctx, cypher.SchemaDropNodes.For(string(graph.KindSentence)))
}

// dropSynonyms begins with the edges: an entity without what the stage wrote to it has none.
func dropSynonyms(ctx context.Context, w *Writer) error {
	if err := w.dropEdges(ctx, "synonyms dropped", cypher.WriteSynonymsDropped); err != nil {
		return err
	}
	_, err := w.markPages(ctx, "synonym names dropped", writeSynonymNamesDropped)
	return err
}

// dropDocumentLinks begins with the edges: a document without what the stage wrote to it has none.
func dropDocumentLinks(ctx context.Context, w *Writer) error {
	if err := w.dropEdges(ctx, "document links dropped", cypher.WriteDocumentLinksDropped); err != nil {
		return err
	}
	_, err := w.markPages(ctx, "document vectors dropped", writeDocumentVectorsDropped)
	return err
}
