package neo4jstore

import (
	"context"
	"errors"

	"github.com/neorag/neorag/internal/graph"
)

// An EntityMention is what one chunk says of an entity. The lists are
// parallel, one element a record.
type EntityMention struct {
	Entity       string // key
	Name         string // display name, used when the entity is new
	Names        []string
	Types        []string
	Descriptions []string
}

// A RelationshipMention is what one chunk says of a relationship.
type RelationshipMention struct {
	Relationship string // key
	Source       string // key of the end with the smaller key
	Target       string
	Descriptions []string
	Keywords     []string
	Strength     int
	Count        int
	Forward      int // how many of Count run from Source
}

// A ClaimWrite is a claim with its index terms.
type ClaimWrite struct {
	graph.Claim
	Terms string
}

// An ExtractionWrite is all that one chunk says.
type ExtractionWrite struct {
	Chunk         string
	FP            string
	Sum           string
	Unchanged     bool // the records are as before: only the fingerprint is noted
	Entities      []EntityMention
	Relationships []RelationshipMention
	Claims        []ClaimWrite
}

// WriteExtractions replaces what chunks say.
func (l *Lane) WriteExtractions(ctx context.Context, extractions []ExtractionWrite) error {
	return errors.ErrUnsupported
}

// FailStage notes why nodes could not be done. They stay marked.
func (l *Lane) FailStage(ctx context.Context, kind graph.Kind, stage string, reasons map[string]string) error {
	return errors.ErrUnsupported
}
