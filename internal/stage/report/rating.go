package report

import (
	"math"

	"github.com/neorag/neorag/internal/text"
)

// rating returns a rating from 0 to 10 with its explanation. Size, weight and claims
// count on logarithmic scales that reach their maximum at 200 entities, 1,000
// extracted records and 100 claims.
func rating(size, weight, claims int) (float64, string) {
	share := func(n int, full float64) float64 { return min(1, math.Log1p(float64(n))/math.Log1p(full)) }
	r := 4*share(size, 200) + 4*share(weight, 1000) + 2*share(claims, 100)
	return math.Round(r*10) / 10, "Computed from " + text.Count(size, "entity", "entities") + ", " +
		text.Count(weight, "mention of their relationships", "mentions of their relationships") + " and " + text.Count(claims, "claim", "claims") + "; more of each rates higher."
}
