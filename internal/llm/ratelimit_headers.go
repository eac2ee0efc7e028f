package llm

import "context"

// RateLimits are what a server's headers say about its limits. Unknown figures
// are 0, unknown remainders -1.
type RateLimits struct {
	RequestsPerMinute, TokensPerMinute float64
	RequestsLeft, TokensLeft           float64
}

type rateLimitsKey struct{}

// withRateLimits makes ReportLimits call f for calls under the context.
func withRateLimits(ctx context.Context, f func(RateLimits)) context.Context {
	return context.WithValue(ctx, rateLimitsKey{}, f)
}

// ReportLimits is how a provider hands the limits in an answer's headers to the
// gate that the call came through.
func ReportLimits(ctx context.Context, l RateLimits) {
	if f, ok := ctx.Value(rateLimitsKey{}).(func(RateLimits)); ok {
		f(l)
	}
}
