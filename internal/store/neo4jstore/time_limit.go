package neo4jstore

import (
	"context"
	"time"
)

// DefaultTimeLimit is the time after which the server ends a transaction, so that a
// suspended client does not hold locks, unless WithTimeLimit sets another one.
const DefaultTimeLimit = 60 * time.Second

type timeLimitKey struct{}

// WithTimeLimit returns a context for transactions that may take another time than
// DefaultTimeLimit; 0 leaves the limit as it is. Reads of whole graphs and writes of many
// rows that take longer are repeated in smaller pieces, everything else fails. A lower
// limit of the server itself still holds.
func WithTimeLimit(ctx context.Context, limit time.Duration) context.Context {
	if limit <= 0 {
		return ctx
	}
	return context.WithValue(ctx, timeLimitKey{}, limit)
}

func timeLimit(ctx context.Context) time.Duration {
	if limit, ok := ctx.Value(timeLimitKey{}).(time.Duration); ok {
		return limit
	}
	return DefaultTimeLimit
}
