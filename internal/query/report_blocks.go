package query

import (
	"math"

	"github.com/neorag/neorag/internal/query/synth"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// ReportBlocks returns reports as blocks, and weighs each report by its size relative to the largest.
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
