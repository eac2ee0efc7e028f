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

var _ = Register(Method{
	Name:    "global",
	Summary: "map-reduce over the community reports of one level, or with --dynamic over those that matter: questions about the whole",
	Profile: Profile{
		Reads: "all reports of one level",
		Use:   "questions about the whole: themes, trends",
		Needs: []Artifact{Reports},
		Paper: PaperOf(graphRAG, "3.1.6"),
		Calls: "1 for each 8,000 tokens of reports, and 1",
		Cost:  Cost{Calls: Range{3, 3}, TokensIn: Range{7986, 9024}, TokensOut: Range{201, 1435}},
	},
	Maps:   true,
	Answer: answerGlobal,
	Scoped: true,
})

// answerGlobal is the global answer of the GraphRAG paper (section 3.1.6) over
// the level view: every clustered entity is covered by exactly one report.
func answerGlobal(ctx context.Context, r Request) (Answer, error) {
	if r.Dynamic {
		return r.answerDynamic(ctx)
	}
	read := r.Reader.Reports
	if r.Options.Model != nil {
		read = r.Reader.ReportBodies
	}
	reports, err := r.readReports(ctx, read)
	if err != nil {
		return Answer{}, err
	}
	return r.mapReports(ctx, reports, func() ([]neo4jstore.ReportRow, error) { return r.readReports(ctx, r.Reader.Reports) })
}

// readReports reads the reports of the question's level.
func (r Request) readReports(ctx context.Context, read func(ctx context.Context, level int) ([]neo4jstore.ReportRow, error)) ([]neo4jstore.ReportRow, error) {
	reports, err := read(ctx, r.Level.Number())
	if errors.Is(err, retrieve.ErrNoReportInScope) {
		return nil, fmt.Errorf("%w %s: %w; ask with --method basic", ErrFilter, r.Filter, err)
	}
	return reports, err
}

// mapReports answers from reports. When none of them answers the question, whole
// reads the reports of which the closest are named.
func (r Request) mapReports(ctx context.Context, reports []neo4jstore.ReportRow,
	whole func() ([]neo4jstore.ReportRow, error),
) (Answer, error) {
	var d synth.Draft
	c := Completion{Headings: true, Reports: whole}
	o, err := r.overview(ctx, r.searchNames)
	if err != nil {
		return Answer{}, err
	}
	if c.Lead = o.lead; !o.draft.Empty() && !r.Dynamic {
		return r.Complete(ctx, o.draft, Completion{Lead: o.lead})
	}
	if len(reports) > 0 {
		blocks := ReportBlocks(reports)
		if r.Reader.Filtered() {
			for i := range blocks {
				blocks[i].KeepCited()
			}
		}
		rank.Shuffle(r.Seed, blocks)
		if d, err = r.Synthesizer().MapReduce(ctx, r.Synthesis(), blocks); err != nil {
			return Answer{}, err
		}
	}
	return r.Complete(ctx, d, c)
}

// reportBlocks weighs each report by its size relative to the largest.
func ReportBlocks(reports []neo4jstore.ReportRow) []synth.Block {
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
