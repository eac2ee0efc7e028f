package rank

import "math"

// fusionK is the constant k of reciprocal rank fusion.
const fusionK = 60

// A List is a ranking to fuse with others.
type List struct {
	Keys   []string // best first
	Weight float64  // 0 means 1
}

// Fuse fuses rankings by weighted reciprocal rank (RRF; Cormack, Clarke and Buettcher 2009): the score
// of a key is the sum of weight/(60+rank) over the lists, with ranks from 1. If a list repeats a key,
// the first rank counts. Ties are sorted by key.
func Fuse(lists ...List) []Scored {
	sums := map[string]float64{}
	for _, list := range lists {
		weight := list.Weight
		if !(weight > 0) {
			weight = 1
		}
		seen := make(map[string]bool, len(list.Keys))
		for i, key := range list.Keys {
			if !seen[key] {
				seen[key] = true
				sums[key] += weight / (fusionK + float64(i+1))
			}
		}
	}
	return sortedScores(sums)
}

// Boost adds the scores of a second list to the scores of a first: each list is divided by its
// best score, and the second is multiplied by weight. Keys that are only in the second
// list are added. With an empty second list the order of the first one stays.
func Boost(first, second []Scored, weight float64) []Scored {
	sums := make(map[string]float64, len(first))
	for _, s := range normalised(first) {
		sums[s.Key] = s.Score
	}
	for _, s := range normalised(second) {
		sums[s.Key] += float64(weight * s.Score)
	}
	return sortedScores(sums)
}

// MinMax rescales the scores of a list, which is best first, linearly to the range from 1 (best) to 0
// (last). Embedding models spread cosines in different ways; rescaled scores can be added to others.
func MinMax(list []Scored) []Scored {
	out := make([]Scored, len(list))
	for i, s := range list {
		best, last := list[0].Score, list[len(list)-1].Score
		out[i] = Scored{s.Key, 1}
		if best > last {
			out[i].Score = (s.Score - last) / (best - last)
		}
	}
	return out
}

// normalised returns the list with scores divided by the best one, unless that is 0 or
// infinite.
func normalised(list []Scored) []Scored {
	top := 0.
	for _, s := range list {
		top = max(top, s.Score)
	}
	if top == 0 || math.IsInf(top, 0) {
		top = 1
	}
	out := make([]Scored, len(list))
	for i, s := range list {
		out[i] = Scored{s.Key, s.Score / top}
	}
	return out
}
