package evalreport

import (
	"github.com/neorag/neorag/internal/eval/claimset"
	"github.com/neorag/neorag/internal/eval/score"
	"github.com/neorag/neorag/internal/eval/stats"
)

// A ClaimCount is the mean number of claims of the answers of a condition, and of clusters of these
// (GraphRAG, tables 3 and 4).
type ClaimCount struct {
	Condition string         `json:"condition"`
	Extractor string         `json:"extractor"`
	Answers   int            `json:"answers"`
	Failed    int            `json:"failed"`   // answers or extractions, which count as no claim
	Claims    stats.Interval `json:"claims"`   // of an answer
	Clusters  []ClusterCount `json:"clusters"` // by claimset.Thresholds

	key    string // of the condition
	each   []score.Counts
	counts values
}

// A ClusterCount is the mean number of clusters of claims at most Threshold apart.
type ClusterCount struct {
	Threshold float64 `json:"threshold"` // distance up to which clusters are merged, of 1 - ROUGE-L

	stats.Interval
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
	count := ClaimCount{Condition: c.Name, Extractor: extractor, key: c.Key, each: v.records.ClaimCounts(c.Key, extractor), counts: empty(len(v.questions))}
	var clusters [len(claimset.Thresholds)]values
	for i := range clusters {
		clusters[i] = empty(len(v.questions))
	}
	for j, n := range count.each {
		switch n.State {
		case score.StateMade:
			count.Answers++
		case score.StateFailed:
			count.Failed++
		default:
			continue
		}
		count.counts[j] = float64(n.Claims)
		for i, k := range n.Clusters {
			clusters[i][j] = float64(k)
		}
	}
	count.Claims, _ = count.counts.interval()
	for i, threshold := range claimset.Thresholds {
		mean, _ := clusters[i].interval()
		count.Clusters = append(count.Clusters, ClusterCount{threshold, mean})
	}
	return count
}
