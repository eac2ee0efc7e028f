package evalreport

import (
	"maps"
	"slices"

	"github.com/neorag/neorag/internal/evalrun"
	"github.com/neorag/neorag/internal/stats"
)

// A ClaimCount is the mean number of claims of the answers of a condition (GraphRAG, table 3).
type ClaimCount struct {
	Condition string         `json:"condition"`
	Extractor string         `json:"extractor"`
	Answers   int            `json:"answers"`
	Failed    int            `json:"failed"` // answers or extractions, which count as no claim
	Claims    stats.Interval `json:"claims"`

	counts values
}

// claims returns the numbers of claims, by extractor and condition.
func (v *view) claims() []ClaimCount {
	counted := map[string]map[string]int{} // by extractor and key of the answer
	for _, c := range v.folder.Claims.All() {
		if counted[c.Extractor] == nil {
			counted[c.Extractor] = map[string]int{}
		}
		counted[c.Extractor][c.Answer] = len(c.Claims)
	}
	var out []ClaimCount
	for _, extractor := range slices.Sorted(maps.Keys(counted)) {
		for i, c := range v.conditions {
			count := ClaimCount{Condition: c.Name, Extractor: extractor, counts: empty(len(v.questions))}
			for j, cell := range v.answers[i] {
				n, ok := counted[extractor][cell.key]
				switch {
				case ok:
					count.Answers++
				case cell.failed || v.failed[evalrun.Claims{Answer: cell.key, Extractor: extractor}.Key()]:
					count.Failed++
				default:
					continue
				}
				count.counts[j] = float64(n)
			}
			if count.Answers+count.Failed > 0 {
				count.Claims, _ = count.counts.interval()
				out = append(out, count)
			}
		}
	}
	return out
}
