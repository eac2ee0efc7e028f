package neo4jstore

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/neorag/neorag/cypher"
	"github.com/neorag/neorag/internal/graph"
)

// Counts are the numbers of nodes of a corpus. Communities and reports are
// those of the visible generation; isolated are the entities without a relationship.
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
	Isolated      int `json:"isolated"`
}

// A LevelCount says how many communities or reports a level has and how many
// entities they cover.
type LevelCount struct {
	Level    int `json:"level"`
	Count    int `json:"count"`
	Entities int `json:"entities"`
}

// A Failed is a node that a stage could not finish. It stays marked, so that
// the next run tries it again.
type Failed struct {
	Key    string `json:"key"`
	Stage  string `json:"stage"`
	Reason string `json:"reason"`
}

// Counts counts the nodes of the corpus. A corpus that does not exist is ErrNoCorpus.
func (s *Store) Counts(ctx context.Context, corpus string) (Counts, error) {
	found, err := rows(ctx, s, cypher.ReadCounts, corpus, nil, func(v values) Counts {
		return Counts{
			Documents: v.int("documents"), Chunks: v.int("chunks"), Passages: v.int("passages"),
			Entities: v.int("entities"), Relationships: v.int("relationships"), Claims: v.int("claims"),
			Communities: v.int("communities"), Reports: v.int("reports"), Queries: v.int("queries"),
			Isolated: v.int("isolated"),
		}
	})
	if err != nil {
		return Counts{}, fmt.Errorf("counting corpus %s: %w", corpus, err)
	}
	if len(found) == 0 {
		return Counts{}, fmt.Errorf("counting corpus %s: %w", corpus, ErrNoCorpus)
	}
	return found[0], nil
}

// CommunityLevels counts the visible communities of each level, root level first.
func (s *Store) CommunityLevels(ctx context.Context, corpus string) ([]LevelCount, error) {
	return s.levels(ctx, cypher.ReadCommunityLevels, corpus)
}

// ReportLevels counts the visible reports of each level, root level first.
func (s *Store) ReportLevels(ctx context.Context, corpus string) ([]LevelCount, error) {
	return s.levels(ctx, cypher.ReadReportLevels, corpus)
}

func (s *Store) levels(ctx context.Context, st cypher.Statement, corpus string) ([]LevelCount, error) {
	levels, err := rows(ctx, s, st, corpus, nil, func(v values) LevelCount {
		return LevelCount{Level: v.int("level"), Count: v.int("count"), Entities: v.int("entities")}
	})
	if err != nil {
		return nil, fmt.Errorf("counting levels of corpus %s: %w", corpus, err)
	}
	return levels, nil
}

// Pending counts the marked nodes of each stage that has any. With nothing
// marked it costs milliseconds, however large the corpus is.
func (s *Store) Pending(ctx context.Context, corpus string) (map[string]int, error) {
	pending := map[string]int{}
	err := s.read(ctx, cypher.ReadPending, corpus, nil, eachRow(func(v values) {
		if n := v.int("pending"); n > 0 {
			pending[v.text("stage")] += n
		}
	}))
	if err != nil {
		return nil, fmt.Errorf("counting pending work of corpus %s: %w", corpus, err)
	}
	return pending, nil
}

// Failed lists at most limit nodes that a stage could not finish, by stage, then key.
func (s *Store) Failed(ctx context.Context, corpus string, limit int) ([]Failed, error) {
	failed, err := rows(ctx, s, cypher.ReadFailed, corpus, map[string]any{"limit": limit}, func(v values) Failed {
		return Failed{Key: v.text("key"), Stage: v.text("stage"), Reason: v.text("reason")}
	})
	if err != nil {
		return nil, fmt.Errorf("listing failures of corpus %s: %w", corpus, err)
	}
	slices.SortFunc(failed, func(a, b Failed) int {
		return cmp.Or(cmp.Compare(a.Stage, b.Stage), cmp.Compare(a.Key, b.Key))
	})
	return failed[:min(len(failed), max(limit, 0))], nil
}

// Runs lists the last runs that wrote something, newest first.
func (s *Store) Runs(ctx context.Context, corpus string, limit int) ([]Run, error) {
	runs, err := rows(ctx, s, cypher.ReadRuns, corpus, map[string]any{"limit": limit}, func(v values) Run {
		return runOf(corpus, v.sub("run"))
	})
	if err != nil {
		return nil, fmt.Errorf("listing runs of corpus %s: %w", corpus, err)
	}
	return runs, nil
}

func runOf(corpus string, v values) Run {
	started, _ := v["started"].(time.Time)
	finished, _ := v["finished"].(time.Time)
	run := Run{
		ID: graph.Local(v.text("key")), Corpus: corpus, Started: started, Finished: finished, Counts: map[string]int64{},
		Calls: v.whole("calls"), TokensIn: v.whole("tokens_in"), TokensOut: v.whole("tokens_out"), Cost: v.real("cost"), Exit: v.int("exit"),
	}
	for name := range v {
		if stage, ok := strings.CutPrefix(name, "count_"); ok {
			run.Counts[stage] = v.whole(name)
		}
	}
	return run
}

// TypeLabels lists the labels that entities of the corpus have by their type, sorted.
func (s *Store) TypeLabels(ctx context.Context, corpus string) ([]string, error) {
	labels, err := rows(ctx, s, cypher.ReadTypeLabels, corpus, nil, func(v values) string { return v.text("label") })
	if err != nil {
		return nil, fmt.Errorf("listing type labels of corpus %s: %w", corpus, err)
	}
	return labels, nil
}
