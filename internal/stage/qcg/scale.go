package qcg

import (
	"cmp"
	"hash/fnv"
	"math"
	"slices"
	"strings"
)

// sampled is how many nodes a scale is measured on.
const sampled = 1000

// Scale measures where the cosines of the set lie, given the neighbours of each node. It
// compares a sample of nodes, chosen by the hashes of their keys without the first part up
// to "/", each with the next one of the sample and with its nearest neighbour.
func (s *Set) Scale(neighbours [][]Neighbour) Scale {
	type place struct {
		hash uint64
		node int
	}
	all := make([]place, len(s.keys))
	for i, key := range s.keys {
		h := fnv.New64a()
		_, local, _ := strings.Cut(key, "/")
		_, _ = h.Write([]byte(local))
		all[i] = place{h.Sum64(), i}
	}
	slices.SortFunc(all, func(a, b place) int { return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.node, b.node)) })
	all = all[:min(len(all), sampled)]
	var unrelated, near float64
	linked := 0
	for i, p := range all {
		unrelated += s.Similarity(p.node, all[(i+1)%len(all)].node)
		if list := neighbours[p.node]; len(list) > 0 {
			near += list[0].Score
			linked++
		}
	}
	if len(all) < 3 || linked == 0 {
		return Scale{}
	}
	thousandths := func(x float64) float64 { return math.Round(1000*x) / 1000 }
	return Scale{Unrelated: thousandths(unrelated / float64(len(all))), Near: thousandths(near / float64(linked))}
}
