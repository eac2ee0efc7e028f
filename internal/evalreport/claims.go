package evalreport

import (
	"maps"
	"slices"

	"github.com/neorag/neorag/internal/claimset"
	"github.com/neorag/neorag/internal/evalrun"
	"github.com/neorag/neorag/internal/stats"
)

// A ClaimCount is the mean number of claims of the answers of a condition, and of clusters of these
// (GraphRAG, tables 3 and 4).
type ClaimCount struct {
	Condition string         `json:"condition"`
	Extractor string         `json:"extractor"`
	Answers   int            `json:"answers"`
	Failed    int            `json:"failed"` // answers or extractions, which count as no claim
	Claims    stats.Interval `json:"claims"`
	Clusters  []ClusterCount `json:"clusters"` // by claimset.Thresholds

	counts   values
	clusters []values // by threshold
}

// A ClusterCount is the mean number of clusters of claims at most Threshold apart.
type ClusterCount struct {
	Threshold float64 `json:"threshold"` // of 1 - ROUGE-L

	stats.Interval
}

// claims returns the numbers of claims and clusters, by extractor and condition.
func (v *view) claims() []ClaimCount {
	extracted := map[string]map[string][]string{} // by extractor and key of the answer
	for _, c := range v.folder.Claims.All() {
		if extracted[c.Extractor] == nil {
			extracted[c.Extractor] = map[string][]string{}
		}
		extracted[c.Extractor][c.Answer] = c.Claims
	}
	var out []ClaimCount
	for _, extractor := range slices.Sorted(maps.Keys(extracted)) {
		for i := range v.conditions {
			if count := v.claimCount(i, extractor, extracted[extractor]); count.Answers+count.Failed > 0 {
				out = append(out, count)
			}
		}
	}
	return out
}

// claimCount counts the claims of a condition that an extractor found, by the key of the answer.
func (v *view) claimCount(condition int, extractor string, extracted map[string][]string) ClaimCount {
	count := ClaimCount{Condition: v.conditions[condition].Name, Extractor: extractor, counts: empty(len(v.questions))}
	for range claimset.Thresholds {
		count.clusters = append(count.clusters, empty(len(v.questions)))
	}
	for j, cell := range v.answers[condition] {
		claims, ok := extracted[cell.key]
		switch {
		case ok:
			count.Answers++
		case cell.failed || v.failed[evalrun.Claims{Answer: cell.key, Extractor: extractor}.Key()]:
			count.Failed++
		default:
			continue
		}
		count.counts[j] = float64(len(claims))
		for i, n := range claimset.Clusters(claims, claimset.Thresholds[:]...) {
			count.clusters[i][j] = float64(n)
		}
	}
	count.Claims, _ = count.counts.interval()
	for i, threshold := range claimset.Thresholds {
		mean, _ := count.clusters[i].interval()
		count.Clusters = append(count.Clusters, ClusterCount{threshold, mean})
	}
	return count
}
