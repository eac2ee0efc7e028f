package neo4jstore

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/neorag/neorag/cypher"
)

// Counts are the numbers of nodes of a corpus. Communities and reports are those of the
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
	found, err := rows(ctx, s, cypher.ReadCounts, corpus, nil, func(v values) Counts {
		return Counts{
			Documents: v.int("documents"), Chunks: v.int("chunks"), Passages: v.int("passages"),
			Entities: v.int("entities"), Relationships: v.int("relationships"), Claims: v.int("claims"),
			Communities: v.int("communities"), Reports: v.int("reports"), Queries: v.int("queries"), Sentences: v.int("sentences"), Synonyms: v.int("synonyms"),
			DocumentLinks: v.int("document_links"), Isolated: v.int("isolated"),
		}
	})
	if err != nil {
		return Counts{}, fmt.Errorf("count nodes of corpus %s: %w", corpus, err)
	}
	if len(found) == 0 {
		return Counts{}, fmt.Errorf("count nodes of corpus %s: %w", corpus, ErrNoCorpus)
	}
	return found[0], nil
}

// CommunityLevels counts the visible communities of each level, from the root.
func (s *Store) CommunityLevels(ctx context.Context, corpus string) ([]LevelCount, error) {
	return s.levels(ctx, cypher.ReadCommunityLevels, corpus)
}

// ReportLevels counts the visible reports of each level, from the root.
func (s *Store) ReportLevels(ctx context.Context, corpus string) ([]LevelCount, error) {
	return s.levels(ctx, cypher.ReadReportLevels, corpus)
}

func (s *Store) levels(ctx context.Context, st cypher.Statement, corpus string) ([]LevelCount, error) {
	levels, err := rows(ctx, s, st, corpus, nil, func(v values) LevelCount {
		return LevelCount{Level: v.int("level"), Count: v.int("count"), Entities: v.int("entities"), Stale: v.int("stale")}
	})
	if err != nil {
		return nil, fmt.Errorf("count levels of corpus %s: %w", corpus, err)
	}
	return levels, nil
}

// Pending counts the marked nodes of each stage that has any. Without marks it takes
// milliseconds, whatever the size of the corpus.
func (s *Store) Pending(ctx context.Context, corpus string) (map[string]int, error) {
	pending := map[string]int{}
	err := s.read(ctx, cypher.ReadPending, corpus, nil, eachRow(func(v values) {
		if n := v.int("pending"); n > 0 {
			pending[v.text("stage")] += n
		}
	}))
	if err != nil {
		return nil, fmt.Errorf("count pending work of corpus %s: %w", corpus, err)
	}
	return pending, nil
}

// Absent counts the nodes made of words that no chunk holds.
func (s *Store) Absent(ctx context.Context, corpus string) (n AbsentCounts, err error) {
	err = s.read(ctx, cypher.ReadAbsent, corpus, nil, eachRow(func(v values) { n = AbsentCounts{v.int("entities"), v.int("claims")} }))
	if err != nil {
		return n, fmt.Errorf("count absent names and quotes of corpus %s: %w", corpus, err)
	}
	return n, nil
}

// Failed reads at most limit nodes that a stage could not process, by stage, then key.
func (s *Store) Failed(ctx context.Context, corpus string, limit int) ([]Failed, error) {
	failed, err := rows(ctx, s, cypher.ReadFailed, corpus, map[string]any{"limit": limit}, func(v values) Failed {
		return Failed{Key: v.text("key"), Stage: v.text("stage"), Reason: v.text("reason")}
	})
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
	labels, err := rows(ctx, s, cypher.ReadTypeLabels, corpus, nil, func(v values) string { return v.text("label") })
	if err != nil {
		return nil, fmt.Errorf("read type labels of corpus %s: %w", corpus, err)
	}
	return labels, nil
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
	sizes, err := rows(ctx, s, cypher.ReadReportSizes, corpus, map[string]any{"generation": generation}, func(v values) ReportSize {
		return ReportSize{Level: v.int("level"), Final: v.flag("final"), Count: v.int("count"), Tokens: v.int("tokens")}
	})
	if err != nil {
		return nil, fmt.Errorf("count report tokens of corpus %s: %w", corpus, err)
	}
	return sizes, nil
}

// ChunkSize counts the chunks of a corpus and their tokens, including overlaps.
func (s *Store) ChunkSize(ctx context.Context, corpus string) (count, tokens int, err error) {
	err = s.read(ctx, cypher.ReadChunkSizes, corpus, nil, eachRow(func(v values) {
		count, tokens = v.int("count"), v.int("tokens")
	}))
	if err != nil {
		return 0, 0, fmt.Errorf("count chunk tokens of corpus %s: %w", corpus, err)
	}
	return count, tokens, nil
}
