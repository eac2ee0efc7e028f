// Package stats has the statistics of evaluations: tests of paired samples, corrections for many
// tests, intervals and agreement. Functions do not change their arguments, and are deterministic.
package stats

import "math"

// NormalCDF returns the share of the standard normal distribution below z.
func NormalCDF(z float64) float64 { return math.Erfc(-z/math.Sqrt2) / 2 }

// NormalQuantile returns the z below which the share p of the standard normal distribution is.
func NormalQuantile(p float64) float64 { return -math.Sqrt2 * math.Erfcinv(2*p) }

// TwoSided returns the probability that a standard normal value is at least as far from 0 as z.
func TwoSided(z float64) float64 { return math.Erfc(math.Abs(z) / math.Sqrt2) }
