package claimset

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// TestCompleteLinkage compares the numbers of clusters with those of SciPy, on random distances
// and on distances of which many are equal. testdata/scipy.json names the version and the call.
func TestCompleteLinkage(t *testing.T) {
	t.Parallel()
	body, err := os.ReadFile(filepath.Join("testdata", "scipy.json"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Cases []struct {
			Kind      string
			N         int
			Distances []float64 // of (0, 1), (0, 2), ..., (n-2, n-1)
			Clusters  []int     // by Thresholds
		}
	}
	if err := json.Unmarshal(body, &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Cases) < 10 {
		t.Fatalf("%d cases", len(file.Cases))
	}
	for _, c := range file.Cases {
		merges := completeLinkage(c.N, func(i, j int) float64 {
			i, j = min(i, j), max(i, j)
			return c.Distances[i*c.N-i*(i+1)/2+j-i-1]
		})
		var got []int
		for _, threshold := range Thresholds {
			n := c.N
			for _, distance := range merges {
				if distance <= threshold {
					n--
				}
			}
			got = append(got, n)
		}
		if diff := cmp.Diff(c.Clusters, got); diff != "" {
			t.Errorf("%d items, %s distances (-SciPy +got):\n%s", c.N, c.Kind, diff)
		}
	}
}

func TestClusters(t *testing.T) {
	t.Parallel()
	claims := []string{
		"California implemented incentives for renewable energy", "New York implemented incentives for renewable energy", // distance 1 - 10/13
		"a b c d e", "a b f g h", // distance .6
		"Marley was dead",
	}
	if diff := cmp.Diff([]int{5, 4, 3, 3}, Clusters(claims, .2, .5, .6, .8)); diff != "" {
		t.Errorf("clusters (-want +got):\n%s", diff)
	}
	if got := Clusters(nil, .5); got[0] != 0 {
		t.Errorf("no claims have %d clusters", got[0])
	}
}

// TestClustersOfAnyClaims: a larger threshold never gives more clusters, and there is at least one
// and at most one for each claim.
func TestClustersOfAnyClaims(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		claims := rapid.SliceOfN(rapid.StringMatching(`([abcd] ){1,6}`), 1, 12).Draw(t, "claims")
		got := Clusters(claims, 0, .5, .6, .7, .8, 1)
		descending := slices.Clone(got)
		slices.SortFunc(descending, func(a, b int) int { return b - a })
		if !slices.Equal(got, descending) || got[0] > len(claims) || got[len(got)-1] != 1 {
			t.Errorf("%q: %v clusters", claims, got)
		}
	})
}
