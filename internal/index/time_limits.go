package index

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// TimeLimits are how long the server may take for one transaction of a stage. A stage
// without an entry has neo4jstore.DefaultTimeLimit.
type TimeLimits map[string]time.Duration

const (
	minTimeLimit = time.Second
	maxTimeLimit = 24 * time.Hour
)

// ParseTimeLimits parses pairs of a stage and a duration, such as "cluster=10m".
func ParseTimeLimits(pairs []string) (TimeLimits, error) {
	limits := TimeLimits{}
	for _, pair := range pairs {
		stage, duration, found := strings.Cut(pair, "=")
		if !found {
			return nil, fmt.Errorf("time limit %q: write STAGE=DURATION, as in cluster=10m", pair)
		}
		if !slices.Contains(Stages, stage) {
			return nil, fmt.Errorf("time limit %q: use one of the stages %s", pair, strings.Join(Stages, ", "))
		}
		limit, err := time.ParseDuration(duration)
		if err != nil || limit < minTimeLimit || limit > maxTimeLimit {
			return nil, fmt.Errorf("time limit %q: give a duration from 1s to 24h, such as 90s or 10m; without one it is %s", pair, neo4jstore.DefaultTimeLimit)
		}
		limits[stage] = limit
	}
	return limits, nil
}
