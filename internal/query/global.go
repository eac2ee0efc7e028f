package query

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/neorag/neorag/internal/query/rank"
	"github.com/neorag/neorag/internal/query/retrieve"
	"github.com/neorag/neorag/internal/query/synth"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

var _ = register(Method{
	Name:    "global",
	Summary: "map-reduce over the community reports of one level, or with --dynamic over those that matter: questions about the whole",
	Profile: Profile{
		Reads: "all reports of one level",
		Use:   "questions about the whole: themes, trends",
		Needs: []Artifact{Reports},
		Paper: paper(graphRAG, "3.1.6"),
		Calls: "1 for each 8,000 tokens of reports, and 1",
		Cost:  Cost{Calls: Range{3, 3}, TokensIn: Range{7986, 9024}, TokensOut: Range{201, 1435}},
	},
	maps:   true,
	answer: answerGlobal,
	scoped: true,
})

// answerGlobal is the global answer of the GraphRAG paper (section 3.1.6) over
// the level view: every clustered entity is covered by exactly one report.
func answerGlobal(ctx context.Context, r request) (Answer, error) {
	if r.Dynamic {
		return r.answerDynamic(ctx)
	}
	read := r.reader.Reports
	if r.options.Model != nil {
		read = r.reader.ReportBodies
	}
	reports, err := r.readReports(ctx, read)
	if err != nil {
		return Answer{}, err
	}
	return r.mapReports(ctx, reports, func() ([]neo4jstore.ReportRow, error) { return r.readReports(ctx, r.reader.Reports) })
}

// readReports reads the reports of the question's level.
func (r request) readReports(ctx context.Context, read func(ctx context.Context, level int) ([]neo4jstore.ReportRow, error)) ([]neo4jstore.ReportRow, error) {
	reports, err := read(ctx, r.Level.Number())
	if errors.Is(err, retrieve.ErrNoReportInScope) {
		return nil, fmt.Errorf("%w %s: %w; ask with --method basic", ErrFilter, r.Filter, err)
	}
	return reports, err
}

// mapReports answers from reports. When none of them answers the question, whole
// reads the reports of which the closest are named.
func (r request) mapReports(ctx context.Context, reports []neo4jstore.ReportRow,
	whole func() ([]neo4jstore.ReportRow, error),
) (Answer, error) {
	var d synth.Draft
	c := completion{headings: true, reports: whole}
	o, err := r.overview(ctx, r.searchNames)
	if err != nil {
		return Answer{}, err
	}
	if c.lead = o.lead; !o.draft.Empty() && !r.Dynamic {
		return r.complete(ctx, o.draft, completion{lead: o.lead})
	}
	if len(reports) > 0 {
		blocks := reportBlocks(reports)
		if r.reader.Filtered() {
			for i := range blocks {
				blocks[i].KeepCited()
			}
		}
		rank.Shuffle(r.Seed, blocks)
		if d, err = r.synthesizer().MapReduce(ctx, r.synthesis(), blocks); err != nil {
			return Answer{}, err
		}
	}
	return r.complete(ctx, d, c)
}

// reportBlocks weighs each report by its size relative to the largest.
func reportBlocks(reports []neo4jstore.ReportRow) []synth.Block {
	largest := 1
	for _, r := range reports {
		largest = max(largest, r.Size)
	}
	blocks := make([]synth.Block, len(reports))
	for i, r := range reports {
		weight := math.Log(1+float64(r.Size)) / math.Log(1+float64(largest))
		blocks[i] = synth.ReportBlock(r, weight)
	}
	return blocks
}
