package llm

import "context"

// RateLimits are the limits in a server's headers. Unknown limits are 0, unknown
// remainders -1.
type RateLimits struct {
	RequestsPerMinute, TokensPerMinute float64
	RequestsLeft, TokensLeft           float64
}

type rateLimitsKey struct{}

// withRateLimits returns a context for which ReportLimits calls f.
func withRateLimits(ctx context.Context, f func(RateLimits)) context.Context {
	return context.WithValue(ctx, rateLimitsKey{}, f)
}

// ReportLimits passes the limits in a response's headers to the limiter of the call.
// Providers call it with the context of the call.
func ReportLimits(ctx context.Context, l RateLimits) {
	if f, ok := ctx.Value(rateLimitsKey{}).(func(RateLimits)); ok {
		f(l)
	}
}
