package index

import (
	"context"
	"fmt"
	"strconv"
	"sync/atomic"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/stage/resolve"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// mentionPage bounds a page of derive and describe by mentions rather than rows: a hub
// can have as many mentions as a thousand other entities.
const mentionPage = 20_000

// A derivation is the stage derive.
type derivation struct{ *stage }

// run computes names, types, weights and degrees from the mentions alone.
// Relationships come first, because degrees count their edges.
func (s *derivation) run(ctx context.Context) error {
	n, err := s.announcePending(ctx)
	if err != nil {
		return err
	}
	c, err := s.store.Corpus(ctx, s.Corpus)
	if err != nil {
		return err
	}
	if n == 0 && !s.foldIsDue(c) && !s.similarIsDue(c) {
		return nil
	}
	if s.folds {
		if err := s.fold(ctx, c); err != nil {
			return fmt.Errorf("fold names: %w", err)
		}
	}
	if err := s.deriveRelationships(ctx); err != nil {
		return err
	}
	return s.deriveEntities(ctx)
}

// An earlyDerive derives while a model extracts a new corpus, so that little is left to
// do after the last chunk. Later chunks mark what they touch and it is derived again;
// therefore derive runs only when the number of chunks has doubled, and once when the
// last chunks are being extracted. Where the model confirms names, nothing is derived early: that a
// name is new, no longer shows after it was derived.
type earlyDerive struct {
	derivation

	nextAt   int         // number of written chunks to derive at
	written  int         // chunks
	allRead  atomic.Bool // the last chunk was handed to a worker
	seenLast bool        // derive ran after allRead was set
}

// afterWrite derives if it is time to. The caller is the only one that writes mentions,
// so that none are written while derive reads and writes.
func (e *earlyDerive) afterWrite(ctx context.Context, chunks int) error {
	if e.written += chunks; e.asksNames() {
		return nil
	}
	last := e.allRead.Load() && !e.seenLast
	if !last && e.written < e.nextAt {
		return nil
	}
	e.seenLast, e.nextAt = e.seenLast || last, 2*e.written
	return e.run(ctx)
}

func (s *derivation) deriveOptions() neo4jstore.DeriveOptions {
	return neo4jstore.DeriveOptions{ByStrength: s.Weight == "strength", NoCommunities: s.shared.noCommunities, Outside: s.showsOutside(), Synonyms: s.fullSynonyms()}
}

// fullSynonyms returns how many synonyms an entity has at most, 0 in a corpus without them.
func (s *derivation) fullSynonyms() int {
	if s.has(neo4jstore.ArtifactSynonyms) {
		return s.Synonyms.bound().K
	}
	return 0
}

func (s *derivation) deriveRelationships(ctx context.Context) error {
	key := func(p neo4jstore.RelationshipEvidence) string { return p.Key }
	for page, err := range pages(ctx, s.Corpus, s.store.PendingDeriveRelationships, mentionPage, key) {
		if err != nil {
			return fmt.Errorf("read relationships: %w", err)
		}
		var rows []neo4jstore.RelationshipDerived
		var gone []string
		for _, p := range page {
			if len(p.Mentions) == 0 {
				gone = append(gone, p.Key)
				continue
			}
			records := make([]resolve.RelationshipRecords, len(p.Mentions))
			for i, m := range p.Mentions {
				records[i] = resolve.RelationshipRecords(m)
			}
			v := resolve.Relationship(records)
			rows = append(rows, neo4jstore.RelationshipDerived{
				Key: p.Key, DeriveFP: v.Fingerprint, Unchanged: v.Fingerprint == p.DeriveFP,
				Weight: v.Weight, Strength: v.Strength, Keywords: v.Keywords,
			})
		}
		if err := s.writer.WriteRelationships(ctx, rows, gone, s.deriveOptions()); err != nil {
			return fmt.Errorf("write relationships: %w", err)
		}
		s.addDone(len(page))
	}
	return nil
}

func (s *derivation) deriveEntities(ctx context.Context) error {
	key := func(p neo4jstore.EntityEvidence) string { return p.Key }
	for page, err := range pages(ctx, s.Corpus, s.store.PendingDeriveEntities, mentionPage, key) {
		if err != nil {
			return fmt.Errorf("read entities: %w", err)
		}
		var rows []neo4jstore.EntityDerived
		var gone []string
		for _, p := range page {
			if len(p.Mentions) == 0 {
				gone = append(gone, p.Key)
				continue
			}
			records := make([]resolve.EntityRecords, len(p.Mentions))
			for i, m := range p.Mentions {
				records[i] = resolve.EntityRecords(m)
			}
			v := resolve.Entity(records, s.nameRules)
			aliases := resolve.Aliases(v.Name, records)
			label := resolve.TypeLabel(v.Type, s.EntityTypes)
			fp := graph.Hash(append([]string{v.Fingerprint, label, strconv.Itoa(p.Degree)}, aliases...)...)
			rows = append(rows, neo4jstore.EntityDerived{
				Key: p.Key, DeriveFP: fp, Unchanged: fp == p.DeriveFP,
				Name: v.Name, Type: v.Type, TypeLabel: label, Degree: p.Degree, Frequency: v.Frequency, Absent: v.Absent, Aliases: aliases,
			})
		}
		if err := s.writer.WriteEntities(ctx, rows, gone, s.deriveOptions()); err != nil {
			return fmt.Errorf("write entities: %w", err)
		}
		s.addDone(len(page))
	}
	return nil
}
