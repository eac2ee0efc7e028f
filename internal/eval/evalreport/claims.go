package evalreport

import (
	"github.com/neorag/neorag/internal/eval/score"
	"github.com/neorag/neorag/internal/eval/stats"
)

// A ClaimCount is the mean number of claims of the answers of a condition, and of clusters of these
// (GraphRAG, tables 3 and 4).
type ClaimCount struct {
	Condition string               `json:"condition"`
	Extractor string               `json:"extractor"`
	Answers   int                  `json:"answers"`
	Failed    int                  `json:"failed"`   // answers or extractions, which count as no claim
	Claims    stats.Interval       `json:"claims"`   // of an answer
	Clusters  []score.ClusterCount `json:"clusters"` // by claimset.Thresholds

	key    string // of the condition
	each   []score.Counts
	counts values
}

// claims returns the numbers of claims and clusters, by extractor and condition.
func (v *view) claims() []ClaimCount {
	extractors := map[string]bool{}
	for _, c := range v.folder.Claims.All() {
		extractors[c.Extractor] = true
	}
	var out []ClaimCount
	for _, extractor := range sortedKeys(extractors) {
		for _, c := range v.conditions {
			if count := v.claimCount(c, extractor); count.Answers+count.Failed > 0 {
				out = append(out, count)
			}
		}
	}
	return out
}

// claimCount counts the claims of a condition that an extractor found.
func (v *view) claimCount(c Condition, extractor string) ClaimCount {
	each := v.records.ClaimCounts(c.Key, extractor)
	sum := score.SumClaims(each)
	count := ClaimCount{
		Condition: c.Name, Extractor: extractor, Answers: sum.Answers, Failed: sum.Failed, Claims: sum.Claims, Clusters: sum.Clusters,
		key: c.Key, each: each, counts: empty(len(v.questions)),
	}
	for j, n := range each {
		if n.State >= score.StateFailed {
			count.counts[j] = float64(n.Claims)
		}
	}
	return count
}
