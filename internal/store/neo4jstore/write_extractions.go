package neo4jstore

import (
	"context"
	"fmt"
	"slices"

	"github.com/neorag/neorag/cypher"
	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/text"
)

// An EntityMention is the mention of an entity in one chunk. The lists are parallel, with
// one element per record.
type EntityMention struct {
	Entity       string // key
	Name         string // display name of a new entity
	Names        []string
	Types        []string
	Descriptions []string
	Absent       bool     // no spelling of the name is in the chunk
	Same         []string // abbreviations with their full forms that the chunk introduces
}

// A RelationshipMention is the mention of a relationship in one chunk.
type RelationshipMention struct {
	Relationship string // key
	Source       string // key of the end with the smaller key
	Target       string
	Descriptions []string
	Keywords     []string
	Strength     int
	Count        int
	Forward      int // how many of Count are directed from Source to Target
}

// A ClaimWrite is a claim with its index terms.
type ClaimWrite struct {
	graph.Claim
	Terms string
}

// An ExtractionWrite is everything extracted from one chunk. The ends of its
// relationships and claims are entities that some chunk mentions.
type ExtractionWrite struct {
	Chunk         string
	FP            string
	Sum           string
	Unchanged     bool   // the records are unchanged: only write the fingerprint
	Refolded      bool   // only names changed: fingerprints and marks of the chunk stay
	Unfolded      string // if Refolded: what ChunkMentions returns from now on, empty for what is written
	Entities      []EntityMention
	Relationships []RelationshipMention
	Claims        []ClaimWrite
}

// Bytes returns about how much memory the extraction takes.
func (x *ExtractionWrite) Bytes() int {
	const row = 200 // of a mention without its texts
	n := row
	for i := range x.Entities {
		n += row + textBytes(x.Entities[i].Names) + textBytes(x.Entities[i].Descriptions)
	}
	for i := range x.Relationships {
		n += row + textBytes(x.Relationships[i].Descriptions) + textBytes(x.Relationships[i].Keywords)
	}
	for i := range x.Claims {
		n += 2*row + len(x.Claims[i].Description) + len(x.Claims[i].SourceText) + len(x.Claims[i].Terms)
	}
	return n
}

// textBytes returns the size of texts in memory.
func textBytes(list []string) int {
	n := 0
	for _, s := range list {
		n += len(s) + 16
	}
	return n
}

// mentionRows is the maximum number of rows of one transaction.
const mentionRows = 2000

// captionRunes is the length of the name of a node whose name is the beginning of its text.
const captionRunes = 80

func (x ExtractionWrite) weight() int {
	if x.Unchanged {
		return 1
	}
	return 1 + max(len(x.Entities), len(x.Relationships)) + len(x.Claims)
}

// WriteExtractions replaces the mentions and claims of chunks. Everything derived from
// the old and the new ones is marked, and the marks of the chunks are removed.
func (w *Writer) WriteExtractions(ctx context.Context, extractions []ExtractionWrite) error {
	extractions = sortedBy(extractions, func(x ExtractionWrite) string { return x.Chunk })
	return batches(extractions, mentionRows, ExtractionWrite.weight, func(batch []ExtractionWrite) error {
		rows, err := extractionRowsOf(batch)
		if err != nil {
			return err
		}
		return w.write(ctx, "extractions", func(tx *transaction) error { return tx.writeExtractions(ctx, w.corpus, rows) })
	})
}

// extractionRows are the rows of a transaction, each list in key order.
type extractionRows struct {
	chunks, refolded, claimsKept                []any
	keys                                        []string // of chunks whose records changed
	shared                                      []any    // claims that other chunks may state too
	entities, relationships                     []any
	entityMentions, relationshipMentions        []any
	claims, claimObjects                        []any
	seenEntities, seenRelationships, seenClaims map[string]bool
}

func extractionRowsOf(batch []ExtractionWrite) (*extractionRows, error) {
	r := &extractionRows{seenEntities: map[string]bool{}, seenRelationships: map[string]bool{}, seenClaims: map[string]bool{}}
	for i := range batch {
		x := &batch[i]
		if x.Unchanged {
			r.chunks = append(r.chunks, map[string]any{"key": x.Chunk, "fp": x.FP, "sum": nil})
			continue
		}
		if x.Refolded {
			r.refolded = append(r.refolded, map[string]any{"key": x.Chunk, "unfolded": optional(x.Unfolded)})
		} else {
			r.chunks = append(r.chunks, map[string]any{"key": x.Chunk, "fp": x.FP, "sum": x.Sum})
		}
		r.keys = append(r.keys, x.Chunk)
		if err := r.addMentions(x); err != nil {
			return nil, err
		}
		if err := r.addClaims(x); err != nil {
			return nil, err
		}
	}
	for _, rows := range [][]any{r.entities, r.relationships, r.claims, r.claimObjects, r.shared} {
		sortRows(rows)
	}
	return r, nil
}

func (r *extractionRows) addMentions(x *ExtractionWrite) error {
	seen := map[string]bool{}
	for _, e := range x.Entities {
		if seen[e.Entity] {
			return fmt.Errorf("write extraction of chunk %s: entity %s is repeated", x.Chunk, e.Entity)
		}
		seen[e.Entity] = true
		if !r.seenEntities[e.Entity] {
			r.seenEntities[e.Entity] = true
			r.entities = append(r.entities, map[string]any{"key": e.Entity, "name": e.Name})
		}
		r.entityMentions = append(r.entityMentions, map[string]any{
			"chunk": x.Chunk, "key": e.Entity, "names": listOrEmpty(e.Names), "types": listOrEmpty(e.Types), "descriptions": listOrEmpty(e.Descriptions), "absent": optional(e.Absent), "same": optionalList(e.Same),
		})
	}
	clear(seen)
	for _, e := range x.Relationships {
		if seen[e.Relationship] {
			return fmt.Errorf("write extraction of chunk %s: relationship %s is repeated", x.Chunk, e.Relationship)
		}
		seen[e.Relationship] = true
		if !r.seenRelationships[e.Relationship] {
			r.seenRelationships[e.Relationship] = true
			r.relationships = append(r.relationships, map[string]any{"key": e.Relationship, "source": e.Source, "target": e.Target})
		}
		r.relationshipMentions = append(r.relationshipMentions, map[string]any{
			"chunk": x.Chunk, "key": e.Relationship, "descriptions": listOrEmpty(e.Descriptions), "keywords": listOrEmpty(e.Keywords),
			"strength": e.Strength, "count": e.Count, "forward": e.Forward,
		})
	}
	return nil
}

func (r *extractionRows) addClaims(x *ExtractionWrite) error {
	keep := []string{}
	for i := range x.Claims {
		c := &x.Claims[i]
		if slices.Contains(keep, c.Key) {
			return fmt.Errorf("write extraction of chunk %s: claim %s is repeated", x.Chunk, c.Key)
		}
		keep = append(keep, c.Key)
		row := map[string]any{
			"chunk": x.Chunk, "key": c.Key, "subject": c.Subject, "object": c.Object, "said": map[string]any{},
			"set": map[string]any{
				"type": c.Type, "status": c.Status, "description": c.Description, "source_text": c.SourceText,
				"start_date": optional(c.StartDate), "end_date": optional(c.EndDate), "n_tokens": c.NTokens, "terms": c.Terms,
				"subject": c.ClaimRecord.Subject, "object": optional(c.ClaimRecord.Object),
				"absent": optional(c.Absent),
				"name":   caption(c.Description, 0, len(c.Description), captionRunes),
			},
		}
		if c.Shared {
			row["said"], row["set"] = row["set"], map[string]any{}
			if !r.seenClaims[c.Key] {
				r.shared = append(r.shared, map[string]any{"key": c.Key})
			}
		}
		r.seenClaims[c.Key] = true
		r.claims = append(r.claims, row)
		if c.Object != "" {
			r.claimObjects = append(r.claimObjects, row)
		}
	}
	r.claimsKept = append(r.claimsKept, map[string]any{"key": x.Chunk, "keep": keep})
	return nil
}

func (t *transaction) writeExtractions(ctx context.Context, corpus string, r *extractionRows) error {
	if len(r.keys) > 0 {
		for _, st := range []cypher.Statement{cypher.WriteMentionsGone, cypher.WriteSentencesOutdated} {
			if err := t.each(ctx, st, corpus, map[string]any{"keys": r.keys}, nil); err != nil {
				return err
			}
		}
	}
	for _, step := range []rowStep{
		{cypher.WriteClaimsGone, r.claimsKept, false},
		{cypher.WriteEntityShells, r.entities, true},
		{cypher.WriteRelationshipShells, r.relationships, true},
		{cypher.WriteEntityMentions, r.entityMentions, true},
		{cypher.WriteRelationshipMentions, r.relationshipMentions, true},
		{cypher.WriteClaimEndsGone, r.claims, false},
		{cypher.WriteClaims, r.claims, true},
		{cypher.WriteClaimsShared, r.shared, true},
		{cypher.WriteClaimObjects, r.claimObjects, true},
		{cypher.WriteClaimsMarked, r.claims, false},
		{cypher.WriteExtracted, r.chunks, true},
		{cypher.WriteFolded, r.refolded, true},
	} {
		for part := range slices.Chunk(step.rows, 2*mentionRows) {
			if err := t.rows(ctx, step.statement, corpus, part, step.counted); err != nil {
				return err
			}
		}
	}
	return nil
}

// errorRunes is the maximum length of a failure reason on a node.
const errorRunes = 500

// FailStage writes the reasons why a stage could not process nodes. They stay marked, so
// that the next run tries again.
func (w *Writer) FailStage(ctx context.Context, kind graph.Kind, stage string, reasons map[string]string) error {
	var rows []any
	for key, reason := range reasons {
		rows = append(rows, map[string]any{"key": key, "reason": text.Shorten(text.OneLine(reason), errorRunes)})
	}
	return w.writeSorted(ctx, "failures", rowStep{cypher.WriteFailed.For(string(kind), stage), rows, false})
}
