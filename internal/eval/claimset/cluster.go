package claimset

import "math"

// Thresholds are the distances up to which clusters are merged in reports on diversity
// (GraphRAG, table 4).
var Thresholds = [4]float64{.5, .6, .7, .8}

// Clusters returns the number of clusters of claims for each threshold. Clusters are merged, the
// closest first, while their farthest claims are at most threshold apart (complete linkage); the
// distance of claims is 1 - ROUGE-L.
func Clusters(claims []string, thresholds ...float64) []int {
	words := make([][]string, len(claims))
	for i, c := range claims {
		words[i] = Words(c)
	}
	merges := completeLinkage(len(claims), func(i, j int) float64 { return 1 - rougeL(words[i], words[j]) })
	counts := make([]int, len(thresholds))
	for k, threshold := range thresholds {
		counts[k] = len(claims)
		for _, distance := range merges {
			if distance <= threshold+rounding {
				counts[k]--
			}
		}
	}
	return counts
}

// rounding is what 1 - ROUGE-L may be above the exact value: 1 - .4 is above .6.
const rounding = 1e-12

// completeLinkage returns the distances at which n items are merged into one cluster, in no
// order. Of equal distances it takes the one that SciPy takes, so that both find the same
// clusters. It follows chains of nearest neighbours (D. Müllner, Modern hierarchical,
// agglomerative clustering algorithms, 2011), and takes time and memory of n².
func completeLinkage(n int, distance func(i, j int) float64) []float64 {
	if n < 2 {
		return nil
	}
	d := make([][]float64, n) // of clusters
	for i := range d {
		d[i] = make([]float64, n)
		for j := range i {
			d[i][j] = distance(i, j)
			d[j][i] = d[i][j]
		}
	}
	gone := make([]bool, n) // merged into a later cluster
	var chain []int
	merges := make([]float64, 0, n-1)
	for len(merges) < n-1 {
		if len(chain) == 0 {
			for i := range n {
				if !gone[i] {
					chain = append(chain, i)
					break
				}
			}
		}
		x, y, nearest := extend(&chain, d, gone)
		merges = append(merges, nearest)
		gone[min(x, y)] = true
		kept := max(x, y)
		for i := range n {
			if !gone[i] && i != kept {
				d[i][kept] = max(d[i][x], d[i][y])
				d[kept][i] = d[i][kept]
			}
		}
	}
	return merges
}

// extend adds nearest neighbours to a chain until its last two clusters are each other's nearest
// one, and removes these from it.
func extend(chain *[]int, d [][]float64, gone []bool) (x, y int, nearest float64) {
	for {
		c := *chain
		x, y, nearest = c[len(c)-1], -1, math.Inf(1)
		if len(c) > 1 {
			y = c[len(c)-2] // of equal distances the one before, so that a chain never turns in a circle
			nearest = d[x][y]
		}
		before := y
		for i := range d {
			if !gone[i] && i != x && d[x][i] < nearest {
				y, nearest = i, d[x][i]
			}
		}
		if y == before {
			*chain = c[:len(c)-2]
			return x, y, nearest
		}
		*chain = append(*chain, y)
	}
}
