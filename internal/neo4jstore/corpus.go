package neo4jstore

import (
	"context"
	"errors"
	"time"
)

// A Corpus is what the node of a corpus keeps.
type Corpus struct {
	Name      string
	Created   time.Time
	Schema    int
	Dimension int
	Embedder  string
	Mode      string            // "offline" or the models
	Settings  map[string]string // settings fingerprint of each stage

	Topology   int64 // moves on when an edge between entities comes, goes or changes its weight
	Clustered  int64 // the topology that the communities were made of
	Next       int64 // the generation that is being written, or the visible one
	Generation int64 // the generation that readers see
	Labelled   int64 // the generation that the labels show
	Swept      int64 // the generation whose predecessors are gone
}

// A CorpusSet is what SetSettings notes beside the fingerprints.
type CorpusSet struct {
	Embedder  string
	Mode      string
	Dimension int
}

// A Run is the record of a run that wrote something.
type Run struct {
	ID        string
	Corpus    string
	Started   time.Time
	Finished  time.Time
	Counts    map[string]int64
	Calls     int64
	TokensIn  int64
	TokensOut int64
	Cost      float64
	Exit      int
}

// Corpora lists all corpora by name.
func (s *Store) Corpora(ctx context.Context) ([]Corpus, error) { return nil, errors.ErrUnsupported }

// Corpus reads one corpus. One that does not exist is ErrNoCorpus.
func (s *Store) Corpus(ctx context.Context, corpus string) (Corpus, error) {
	return Corpus{}, errors.ErrUnsupported
}

// SetSettings notes the settings fingerprints of stages.
func (l *Lane) SetSettings(ctx context.Context, settings map[string]string, set CorpusSet) error {
	return errors.ErrUnsupported
}

// MarkAll marks all nodes of a stage and returns how many it marked.
func (l *Lane) MarkAll(ctx context.Context, stage string) (int64, error) {
	return 0, errors.ErrUnsupported
}

// RecordRun writes the record of a run.
func (l *Lane) RecordRun(ctx context.Context, run Run) error { return errors.ErrUnsupported }
