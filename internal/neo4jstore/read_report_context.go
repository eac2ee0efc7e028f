package neo4jstore

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/neorag/neorag/cypher"
	"github.com/neorag/neorag/internal/graph"
)

// A ReportContext is everything in a community, the input of its report.
type ReportContext struct {
	Community     graph.Community
	ReportFP      string
	Report        ReportState
	Entities      []graph.Entity
	Relationships []graph.Relationship // with both ends inside
	Claims        []graph.Claim        // about an entity inside
	Children      []ChildReport
}

// A ReportState is what the latest report of a community holds of it.
type ReportState struct {
	Final        bool
	Size, Weight int
	ReadsFP      string
	Stale        float64 // how much of the context is new since, from 0 to 1
	Records      []int64 // of the context, if they were kept
	CitesEnded   bool    // it cites the report of a community that ends with the generation
}

// PendingReports reads at most limit marked communities of a level after the given key
// that are valid in the generation, in key order, without their members. Only an empty
// page is the last one.
func (s *Store) PendingReports(ctx context.Context, corpus string, generation int64, level int, after string, limit int) ([]graph.Community, error) {
	params := map[string]any{"generation": generation, "level": level, "after": max(after, graph.Key(corpus, ""))}
	communities, err := pageOfRows(ctx, s, cypher.ReadPendingReports, corpus, params, limit, communityOf)
	if err != nil {
		return nil, fmt.Errorf("read communities of corpus %s to report: %w", corpus, err)
	}
	return communities, nil
}

// reportMembers is how many members the communities have whose contents are read together.
const reportMembers = 20_000

// ReportContexts reads the contents of communities, each list in key order: members,
// entities, relationships, claims, and the reports of child communities that are valid
// in the generation. It reads as many communities together as have reportMembers, and at
// least one. Communities that are too large to be read together are read in halves.
func (s *Store) ReportContexts(ctx context.Context, corpus string, generation int64, communities []graph.Community) iter.Seq2[ReportContext, error] {
	return func(yield func(ReportContext, error) bool) {
		communities := slices.Clone(communities)
		err := s.fillMembers(ctx, corpus, communities)
		if err != nil {
			yield(ReportContext{}, fmt.Errorf("read members of communities of corpus %s: %w", corpus, err))
			return
		}
		members := func(c graph.Community) int { return len(c.Members) + 1 }
		err = batches(communities, s.pageOf(reportMembers), members, func(part []graph.Community) error {
			contexts, err := s.reportContexts(ctx, corpus, generation, part)
			if err != nil {
				return err
			}
			for _, c := range contexts {
				if !yield(c, nil) {
					return errStop
				}
			}
			return nil
		})
		if err != nil && !errors.Is(err, errStop) {
			yield(ReportContext{}, err)
		}
	}
}

// reportContexts reads the contents of communities whose members are known, in several
// transactions, each for a part of the members: one community can be as large as the
// graph. The caller holds the lease of the corpus: nobody else writes between these.
func (s *Store) reportContexts(ctx context.Context, corpus string, generation int64, communities []graph.Community) ([]ReportContext, error) {
	contexts := make([]ReportContext, len(communities))
	place := make(map[string]*ReportContext, len(communities))
	var members []any
	for i, c := range communities {
		contexts[i].Community = c
		place[c.Key] = &contexts[i]
		for _, key := range c.Members {
			members = append(members, map[string]any{"community": c.Key, "key": key})
		}
	}
	for _, part := range []struct {
		statement cypher.Statement
		add       func(*ReportContext, values)
	}{
		{cypher.ReadReportEntities, addEntity},
		{cypher.ReadReportRelationships, addRelationship},
		{cypher.ReadReportClaims, addClaim},
	} {
		err := batches(members, s.pageOf(reportMembers), countRow, func(members []any) error {
			return s.fillContexts(ctx, part.statement, corpus, map[string]any{"members": members}, place, part.add)
		})
		if err != nil {
			return nil, fmt.Errorf("read communities of corpus %s: %w", corpus, err)
		}
	}
	err := batches(slices.Sorted(maps.Keys(place)), s.pageOf(writeRows), countRow, func(keys []string) error {
		params := map[string]any{"keys": keys, "generation": generation}
		if err := s.fillContexts(ctx, cypher.ReadReportStates, corpus, params, place, addState); err != nil {
			return err
		}
		return s.fillChildren(ctx, corpus, params, place)
	})
	if err != nil {
		return nil, fmt.Errorf("read communities of corpus %s: %w", corpus, err)
	}
	for i := range contexts {
		c := &contexts[i]
		slices.SortFunc(c.Entities, func(a, b graph.Entity) int { return strings.Compare(a.Key, b.Key) })
		slices.SortFunc(c.Relationships, func(a, b graph.Relationship) int { return strings.Compare(a.Key, b.Key) })
		slices.SortFunc(c.Claims, func(a, b graph.Claim) int { return strings.Compare(a.Key, b.Key) })
	}
	return contexts, nil
}

// fillContexts adds the rows of a statement to the contexts of their communities, unless
// the statement fails: then a part of it is read again.
func (s *Store) fillContexts(ctx context.Context, st cypher.Statement, corpus string, params map[string]any, place map[string]*ReportContext, add func(*ReportContext, values)) error {
	found, err := rows(ctx, s, st, corpus, params, func(v values) values { return v })
	for _, v := range found {
		add(place[v.text("community")], v)
	}
	return err
}

func addState(c *ReportContext, v values) {
	r := v.sub("report")
	c.ReportFP = v.text("report_fp")
	c.Report = ReportState{
		Final: r.flag("final"), Size: r.int("size"), Weight: r.int("weight"),
		ReadsFP: r.text("reads_fp"), Stale: r.real("stale"), Records: r.wholes("records"), CitesEnded: r.flag("cites_ended"),
	}
}

func addEntity(c *ReportContext, v values) {
	e := v.sub("entity")
	c.Entities = append(c.Entities, graph.Entity{
		Key: e.text("key"), Name: e.text("name"), Type: e.text("type"), Description: e.text("description"),
		Degree: e.int("degree"), Frequency: e.int("frequency"), NTokens: e.int("n_tokens"),
	})
}

func addRelationship(c *ReportContext, v values) {
	r := v.sub("relationship")
	c.Relationships = append(c.Relationships, graph.Relationship{
		Key: r.text("key"), Source: v.text("source"), Target: v.text("target"), SourceName: v.text("source_name"),
		TargetName: v.text("target_name"), Description: r.text("description"), Keywords: r.texts("keywords"),
		Weight: r.int("weight"), Strength: r.int("strength"), NTokens: r.int("n_tokens"),
	})
}

func addClaim(c *ReportContext, v values) {
	k := v.sub("claim")
	c.Claims = append(c.Claims, graph.Claim{
		Key: k.text("key"), Chunk: v.text("chunk"), Subject: v.text("subject"), Object: v.text("object"), NTokens: k.int("n_tokens"),
		ClaimRecord: graph.ClaimRecord{
			Subject: k.text("subject"), Object: k.text("object"), Type: k.text("type"), Status: k.text("status"),
			StartDate: k.text("start_date"), EndDate: k.text("end_date"), Description: k.text("description"), SourceText: k.text("source_text"),
		},
	})
}
