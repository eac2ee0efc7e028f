package neo4jstore

import (
	"context"
	"fmt"

	"github.com/neorag/neorag/internal/graph"
)

// supportLimit is the maximum number of chunks in the evidence of a node.
const supportLimit = 50

// Evidence is the node of a reference, and the next step down to the text: Supports are
// the citations of a report, the chunks that mention an entity or relationship, most
// records first, or the chunk of a claim. Chunk and the fields after it describe the
// chunk itself, of the chunk of a claim, or of the first chunk that mentions an entity or
// relationship; a report has none.
type Evidence struct {
	Kind        graph.Kind
	Key         string
	Title       string
	Text        string
	Stale       float64 // of a report: how much of its context is new since it was written, from 0 to 1
	Quote       string  // of a claim: the text that states it, as extracted
	Chunk       string
	Document    string
	DocumentURI string
	Start       int // of the chunk, a byte offset in the document's text
	End         int
	ChunkText   string
	Supports    []graph.Reference // N counts from 1; of a report: the numbers in its text
}

// evidenceKinds are the kinds that Evidence resolves, with the parameter for the keys of
// each.
var evidenceKinds = map[graph.Kind]string{
	graph.KindDocument: "documents", graph.KindChunk: "chunks", graph.KindPassage: "passages",
	graph.KindEntity: "entities", graph.KindRelationship: "relationships", graph.KindClaim: "claims",
	graph.KindCommunity: "communities", graph.KindReport: "reports", graph.KindFinding: "findings",
	graph.KindQuery: "queries",
}

// Evidence resolves references, in their order. References to nodes that do not exist are
// skipped.
func (s *Store) Evidence(ctx context.Context, corpus string, refs []graph.Reference) ([]Evidence, error) {
	return s.evidence(ctx, readEvidence, corpus, map[string]any{"limit": supportLimit}, evidenceKinds, refs)
}

// scopeEvidenceKinds is evidenceKinds for EvidenceInScope.
var scopeEvidenceKinds = map[graph.Kind]string{
	graph.KindChunk: "texts", graph.KindEntity: "entities", graph.KindRelationship: "relationships",
	graph.KindClaim: "claims", graph.KindReport: "reports",
}

// EvidenceInScope is Evidence with the chunks of a scope only; chunks and claims outside
// the scope are skipped. It resolves chunks, entities, relationships, claims and reports,
// which are what reports rest on.
func (s *Store) EvidenceInScope(ctx context.Context, corpus string, w *Scope, refs []graph.Reference) ([]Evidence, error) {
	if w == nil {
		return s.Evidence(ctx, corpus, refs)
	}
	return s.evidence(ctx, readEvidenceInScope, corpus, w.params(map[string]any{"limit": supportLimit}), scopeEvidenceKinds, refs)
}

func (s *Store) evidence(ctx context.Context, st typed[evidenceRow], corpus string, params map[string]any, kinds map[graph.Kind]string, refs []graph.Reference) ([]Evidence, error) {
	keys := map[graph.Kind][]string{}
	for _, ref := range refs {
		keys[ref.Kind] = append(keys[ref.Kind], ref.Key)
	}
	for kind, param := range kinds {
		params[param] = listOrEmpty(keys[kind])
	}
	type node struct {
		kind graph.Kind
		key  string
	}
	found := map[node]Evidence{}
	err := eachRow(ctx, s, st, corpus, params, func(row evidenceRow) {
		found[node{row.Kind, row.Node.Key}] = row.evidence()
	})
	if err != nil {
		return nil, fmt.Errorf("read evidence in corpus %s: %w", corpus, err)
	}
	var all []Evidence
	for _, ref := range refs {
		if e, ok := found[node{ref.Kind, ref.Key}]; ok {
			all = append(all, e)
		}
	}
	return all, nil
}

func (r *evidenceRow) evidence() Evidence {
	e := Evidence{
		Kind: r.Kind, Key: r.Node.Key, Title: r.Node.Title, Text: r.Node.Text, Quote: r.Node.Quote, Stale: r.Node.Stale,
		Chunk: r.Chunk.Key, Document: r.Chunk.Document, DocumentURI: r.Chunk.URI,
		Start: r.Chunk.Start, End: r.Chunk.End, ChunkText: r.Chunk.Text, Supports: r.Supports,
	}
	switch e.Kind {
	case graph.KindPassage:
		e.Text = substring(e.ChunkText, r.Node.Start, r.Node.End)
	case graph.KindDocument:
		e.Document, e.DocumentURI = e.Key, r.Node.URI
	}
	for i := range e.Supports {
		if e.Supports[i].N == 0 {
			e.Supports[i].N = i + 1
		}
	}
	return e
}

func substring(text string, start, end int) string {
	if start < 0 || end > len(text) || start > end {
		return ""
	}
	return text[start:end]
}
