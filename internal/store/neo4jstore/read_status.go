package neo4jstore

import (
	"cmp"
	"context"
	"fmt"
	"slices"
)

// Counts are the numbers of nodes of a corpus. Communities and reports are counted in the
// visible generation; isolated entities have no relationship.
type Counts struct {
	Documents     int `json:"documents"`
	Chunks        int `json:"chunks"`
	Passages      int `json:"passages"`
	Entities      int `json:"entities"`
	Relationships int `json:"relationships"`
	Claims        int `json:"claims"`
	Communities   int `json:"communities"`
	Reports       int `json:"reports"`
	Queries       int `json:"queries"`
	Sentences     int `json:"sentences"`
	Synonyms      int `json:"synonyms"`       // edges, each from an entity to another one
	DocumentLinks int `json:"document_links"` // edges, each from a document to a similar one
	Isolated      int `json:"isolated"`
}

// AbsentCounts are the numbers of nodes that a model made of words which no chunk holds.
type AbsentCounts struct {
	Entities int `json:"entities"` // by their names
	Claims   int `json:"claims"`   // by their quotes
}

// Made are the stages that made results which are up to date: results with marks are redone anyway.
type Made struct {
	Extracted     bool
	Described     bool
	Embedded      bool
	Reported      bool
	ModelReported bool // by a model
	Pairs         bool // of questions and answers
	Sentences     bool // with vectors, also if these are marked
}

// A LevelCount is the number of communities or reports of a level, and of the entities
// that they cover.
type LevelCount struct {
	Level    int `json:"level"`
	Count    int `json:"count"`
	Entities int `json:"entities"`
	Stale    int `json:"stale"` // of reports
}

// A Failed is a node that a stage could not process. It stays marked, so that the next
// run tries again.
type Failed struct {
	Key    string `json:"key"`
	Stage  string `json:"stage"`
	Reason string `json:"reason"`
}

// Counts counts the nodes of the corpus. The error is ErrNoCorpus if it does not exist.
func (s *Store) Counts(ctx context.Context, corpus string) (Counts, error) {
	counts, err := firstRow(ctx, s, readCounts, corpus, nil, ErrNoCorpus)
	return counts, wrap(err, "count nodes of corpus "+corpus)
}

// CommunityLevels counts the visible communities of each level, from the root.
func (s *Store) CommunityLevels(ctx context.Context, corpus string) ([]LevelCount, error) {
	return s.levels(ctx, readCommunityLevels, corpus)
}

// ReportLevels counts the visible reports of each level, from the root.
func (s *Store) ReportLevels(ctx context.Context, corpus string) ([]LevelCount, error) {
	return s.levels(ctx, readReportLevels, corpus)
}

func (s *Store) levels(ctx context.Context, st typed[LevelCount], corpus string) ([]LevelCount, error) {
	return readAll(ctx, s, st, corpus, nil, "count levels")
}

// Pending counts the marked nodes of each stage that has any. Without marks it takes
// milliseconds, whatever the size of the corpus.
func (s *Store) Pending(ctx context.Context, corpus string) (map[string]int, error) {
	pending := map[string]int{}
	err := eachRow(ctx, s, readPending, corpus, nil, func(row pendingRow) {
		if row.Pending > 0 {
			pending[row.Stage] += row.Pending
		}
	})
	return pending, wrap(err, "count pending work of corpus "+corpus)
}

// Absent counts the nodes made of words that no chunk holds.
func (s *Store) Absent(ctx context.Context, corpus string) (n AbsentCounts, err error) {
	n, err = firstRow(ctx, s, readAbsent, corpus, nil, nil)
	return n, wrap(err, "count absent names and quotes of corpus "+corpus)
}

// Made reads which stages made results that are up to date.
func (s *Store) Made(ctx context.Context, corpus string) (Made, error) {
	made, err := firstRow(ctx, s, readMade, corpus, nil, nil)
	return made, wrap(err, "look for results in corpus "+corpus)
}

// Failed reads at most limit nodes that a stage could not process, by stage, then key.
func (s *Store) Failed(ctx context.Context, corpus string, limit int) ([]Failed, error) {
	failed, err := rows(ctx, s, readFailed, corpus, map[string]any{"limit": limit})
	if err != nil {
		return nil, fmt.Errorf("read failures of corpus %s: %w", corpus, err)
	}
	slices.SortFunc(failed, func(a, b Failed) int {
		return cmp.Or(cmp.Compare(a.Stage, b.Stage), cmp.Compare(a.Key, b.Key))
	})
	return failed[:min(len(failed), max(limit, 0))], nil
}

// TypeLabels reads the type labels of the entities of the corpus, sorted.
func (s *Store) TypeLabels(ctx context.Context, corpus string) ([]string, error) {
	return readAll(ctx, s, readTypeLabels, corpus, nil, "read type labels")
}

// A ReportSize is the number of reports of a level, and of their tokens. Reports of
// communities without children, which are also in the views of deeper levels, are counted
// separately.
type ReportSize struct {
	Level  int
	Final  bool
	Count  int
	Tokens int
}

// ReportSizes counts the reports that are valid in the generation, by level.
func (s *Store) ReportSizes(ctx context.Context, corpus string, generation int64) ([]ReportSize, error) {
	return readAll(ctx, s, readReportSizes, corpus, map[string]any{"generation": generation}, "count report tokens")
}

// ChunkSize counts the chunks of a corpus and their tokens, including overlaps.
func (s *Store) ChunkSize(ctx context.Context, corpus string) (count, tokens int, err error) {
	err = eachRow(ctx, s, readChunkSizes, corpus, nil, func(row chunkSizesRow) { count, tokens = row.Count, row.Tokens })
	return count, tokens, wrap(err, "count chunk tokens of corpus "+corpus)
}

// RecordTokens adds up the tokens of the entities, relationships and claims of a corpus. It reads all
// of them.
func (s *Store) RecordTokens(ctx context.Context, corpus string) (tokens int, err error) {
	tokens, err = firstRow(ctx, s, readRecordSizes, corpus, nil, nil)
	return tokens, wrap(err, "count record tokens of corpus "+corpus)
}
