package neo4jstore

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/sys/panicerr"
)

// A ReportContext is everything in a community, the input of its report.
type ReportContext struct {
	Community     graph.Community
	ReportFP      string
	Report        ReportState
	Entities      []graph.Entity       // with what a report shows, as the following
	Relationships []graph.Relationship // with both ends inside
	Outside       []graph.Relationship // the strongest with one end inside, if the reader was asked for them
	OutsideLeft   int                  // how many more there are
	Claims        []graph.Claim        // about an entity inside
	Children      []ChildReport
	Sections      map[string][]graph.SectionMentions // that mention an entity, by its key, if the reader was asked for them
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
	communities, err := pageOfRows(ctx, s, readPendingReports, corpus, params, limit)
	return communities, wrap(err, "read communities to report of corpus "+corpus)
}

// reportMembers is how many members the communities have whose contents are read together.
const reportMembers = 20_000

// A ReportReader reads the contents of communities of a generation. It keeps the records of
// members, because the entities of a community are also in its parent. So nobody may write
// entities, relationships and claims as long as it is used, and it is not for concurrent use.
type ReportReader struct {
	store      *Store
	corpus     string
	generation int64
	outside    bool
	sections   func(graph.Community) bool // nil for none
	records    memberCache
}

// ReportReader returns a reader for communities that are valid in the generation.
func (s *Store) ReportReader(corpus string, generation int64) *ReportReader {
	return &ReportReader{store: s, corpus: corpus, generation: generation, records: memberCache{records: map[string]*memberRecords{}, most: memberCacheBytes}}
}

// WithOutside makes the reader also read the strongest relationships that communities have to
// entities outside of them.
func (r *ReportReader) WithOutside() *ReportReader {
	r.outside = true
	return r
}

// WithSections makes the reader also read the sections that mention members of the communities for which
// of returns true. That reads the texts of all chunks that mention them.
func (r *ReportReader) WithSections(of func(graph.Community) bool) *ReportReader {
	r.sections = of
	return r
}

// Contexts reads the contents of communities, each list in key order: members, if a community
// is given without, entities, relationships, claims, and the reports of child communities. It
// reads as many communities together as have reportMembers, and at least one. Communities
// that are too large to be read together are read in halves.
func (r *ReportReader) Contexts(ctx context.Context, communities []graph.Community) iter.Seq2[ReportContext, error] {
	return func(yield func(ReportContext, error) bool) {
		communities, err := r.withMembers(ctx, communities)
		if err != nil {
			yield(ReportContext{}, fmt.Errorf("read members of communities of corpus %s: %w", r.corpus, err))
			return
		}
		members := func(c graph.Community) int { return len(c.Members) + 1 }
		err = batches(communities, r.store.pageOf(reportMembers), members, func(part []graph.Community) error {
			contexts, err := r.read(ctx, part)
			if err != nil {
				return fmt.Errorf("read communities of corpus %s: %w", r.corpus, err)
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

// withMembers returns the communities, those without members with them.
func (r *ReportReader) withMembers(ctx context.Context, communities []graph.Community) ([]graph.Community, error) {
	communities = slices.Clone(communities)
	var bare []graph.Community
	var place []int
	for i, c := range communities {
		if len(c.Members) == 0 {
			bare, place = append(bare, c), append(place, i)
		}
	}
	err := r.store.fillMembers(ctx, r.corpus, bare)
	for i, c := range bare {
		communities[place[i]] = c
	}
	return communities, err
}

// read reads the contents of communities with members in several transactions, each for a
// part of the members: one community can be as large as the graph.
func (r *ReportReader) read(ctx context.Context, communities []graph.Community) ([]ReportContext, error) {
	contexts := make([]ReportContext, len(communities))
	place := make(map[string]*ReportContext, len(communities))
	for i, c := range communities {
		contexts[i].Community = c
		place[c.Key] = &contexts[i]
	}
	g, gctx := errgroup.WithContext(ctx)
	g.Go(func() error { return panicerr.Catch(func() error { return r.readStates(gctx, place) }) })
	g.Go(func() error { return panicerr.Catch(func() error { return r.readMembers(gctx, communities) }) })
	if err := g.Wait(); err != nil {
		return nil, err
	}
	for i := range contexts {
		r.records.fill(&contexts[i], r.outside)
		if r.readsSections(contexts[i].Community) {
			r.records.fillSections(&contexts[i])
		}
	}
	r.records.evict()
	return contexts, nil
}

// readStates adds the states of reports and the reports of children.
func (r *ReportReader) readStates(ctx context.Context, place map[string]*ReportContext) error {
	return batches(slices.Sorted(maps.Keys(place)), r.store.pageOf(writeRows), countRow, func(keys []string) error {
		params := map[string]any{"keys": keys, "generation": r.generation}
		err := eachRow(ctx, r.store, readReportStates, r.corpus, params, func(row reportStatesRow) {
			place[row.Community].ReportFP, place[row.Community].Report = row.ReportFP, row.Report
		})
		if err != nil {
			return err
		}
		return r.store.fillChildren(ctx, r.corpus, params, place)
	})
}

// readMembers reads the records of the members of communities, unless it has them.
func (r *ReportReader) readMembers(ctx context.Context, communities []graph.Community) error {
	added, records := r.records.add(communities), r.records.records
	bare := r.withoutSections(communities)
	g, ctx := errgroup.WithContext(ctx) // each statement fills its own field of the records
	reads := []func() error{
		func() error {
			return eachOfMembers(ctx, r.store, r.corpus, readReportEntities, added, func(e graph.Entity) {
				records[e.Key].entities = append(records[e.Key].entities, e)
			})
		},
		func() error {
			return eachOfMembers(ctx, r.store, r.corpus, readReportRelationships, added, func(row reportIncomingRow) {
				records[row.Key].relationships = relationshipsOf(row.Relationships, func(rel *graph.Relationship, key, name string) {
					rel.Source, rel.SourceName, rel.Target, rel.TargetName = row.Key, row.Name, key, name
				})
			})
		},
		func() error {
			return eachOfMembers(ctx, r.store, r.corpus, readReportClaims, added, func(row reportClaimsRow) {
				row.Claim.Subject, row.Claim.Object = row.Key, row.Object
				records[row.Key].claims = append(records[row.Key].claims, row.Claim)
			})
		},
		func() error {
			found, err := r.store.SectionMentions(ctx, r.corpus, bare)
			if err == nil {
				r.records.setSections(bare, found)
			}
			return err
		},
		func() error {
			if !r.outside {
				return nil
			}
			return eachOfMembers(ctx, r.store, r.corpus, readReportIncoming, added, func(row reportIncomingRow) {
				records[row.Key].incoming = relationshipsOf(row.Relationships, func(rel *graph.Relationship, key, name string) {
					rel.Source, rel.SourceName, rel.Target, rel.TargetName = key, name, row.Key, row.Name
				})
			})
		},
	}
	for _, read := range reads {
		g.Go(func() error { return panicerr.Catch(read) })
	}
	err := g.Wait()
	if err != nil {
		r.records.remove(added)
	}
	return err
}

// readsSections reports whether the sections of a community are wanted.
func (r *ReportReader) readsSections(k graph.Community) bool {
	return r.sections != nil && r.sections(k)
}

// withoutSections returns the members whose sections are wanted and not there.
func (r *ReportReader) withoutSections(communities []graph.Community) (bare []string) {
	listed := map[string]bool{}
	for _, k := range communities {
		if !r.readsSections(k) {
			continue
		}
		for _, key := range k.Members {
			if !listed[key] && !r.records.records[key].hasSections {
				listed[key] = true
				bare = append(bare, key)
			}
		}
	}
	return bare
}

// eachOfMembers passes the rows that a statement returns for the keys of members to each.
func eachOfMembers[T any](ctx context.Context, s *Store, corpus string, st typed[T], members []string, each func(T)) error {
	return batches(members, s.pageOf(reportMembers), countRow, func(keys []string) error {
		found, err := rows(ctx, s, st, corpus, map[string]any{"keys": keys})
		for _, row := range found {
			each(row)
		}
		return err
	})
}

// relationshipsOf returns the relationships of a row, whose ends setEnds sets, given the one that
// is not the entity of the row. They are lists, which take a third less time than maps.
func relationshipsOf(list []any, setEnds func(r *graph.Relationship, key, name string)) []graph.Relationship {
	out := make([]graph.Relationship, 0, len(list))
	for _, item := range list {
		fields, _ := item.([]any)
		if len(fields) != 7 {
			continue
		}
		texts, numbers := items[string](fields[:4]), items[int64](fields[4:])
		r := graph.Relationship{Key: texts[0], Description: texts[3], Weight: int(numbers[0]), NTokens: int(numbers[1]), Strength: int(numbers[2])}
		setEnds(&r, texts[1], texts[2])
		out = append(out, r)
	}
	return out
}
