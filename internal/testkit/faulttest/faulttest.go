// Package faulttest chooses the points at which tests inject faults: the transactions of
// a run, its model calls.
package faulttest

import (
	"hash/fnv"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"sync"
	"testing"
)

// Env is the environment variable that makes tests inject faults at all points if it is
// "all".
const Env = "NEORAG_FAULTS"

// SeedEnv is the environment variable with the seed of all samples, a number. Without it
// each process takes a new one.
const SeedEnv = "NEORAG_SEED"

var newSeed = sync.OnceValue(rand.Uint32)

// seed returns the seed of all samples of this process.
func seed(tb testing.TB) uint32 {
	tb.Helper()
	given := os.Getenv(SeedEnv)
	if given == "" {
		return newSeed()
	}
	n, err := strconv.ParseUint(given, 10, 32)
	if err != nil {
		tb.Fatalf("%s=%s is not a number of 32 bits", SeedEnv, given)
	}
	return uint32(n)
}

// All reports whether tests inject all their faults, which takes minutes, or a sample.
func All() bool { return os.Getenv(Env) == "all" }

// Nightly skips a test that runs only with all faults, and says why: it needs minutes, or a
// server or file system for itself.
func Nightly(tb testing.TB, why string) {
	tb.Helper()
	if !All() {
		tb.Skipf("%s; %s=all runs it", why, Env)
	}
}

// Points returns the points from 1 to n at which a test injects a fault, in ascending
// order: all if the environment asks for it, else a sample. The sample depends on the seed,
// the name of the test and n. The test fails if n is 0.
func Points(tb testing.TB, n, sample int) []int {
	tb.Helper()
	if n < 1 || sample < 1 {
		tb.Fatalf("no point for a fault: a sample of %d from %d", sample, n)
	}
	points := make([]int, n)
	for i := range points {
		points[i] = i + 1
	}
	if All() || sample >= n {
		return points
	}
	name := fnv.New64a()
	_, _ = name.Write([]byte(tb.Name())) // never fails
	random := rand.New(rand.NewPCG(name.Sum64()^uint64(seed(tb)), uint64(n)))
	random.Shuffle(n, func(i, j int) { points[i], points[j] = points[j], points[i] })
	points = points[:sample]
	slices.Sort(points)
	tb.Logf("faults at points %v of %d, by %s=%d; %s=all takes all", points, n, SeedEnv, seed(tb), Env)
	return points
}

// Sample returns the cases at Places, in their order.
func Sample[T any](tb testing.TB, cases []T, sample int) []T {
	tb.Helper()
	var out []T
	for _, n := range Points(tb, len(cases), sample) {
		out = append(out, cases[n-1])
	}
	return out
}

// AtOrBefore calls attempt with a place, and with earlier ones until it reports that the fault
// happened there. Runs differ in how much they write in one transaction and embed in one call, so
// one may end before a place that another has.
func AtOrBefore(tb testing.TB, place int, attempt func(at int) bool) {
	tb.Helper()
	for at := place; at > 0; at /= 2 {
		if attempt(at) {
			return
		}
	}
	tb.Errorf("no fault happened at place %d or before", place)
}
