// Package faulttest chooses the places at which tests inject faults: the transactions of
// a run, its model calls.
package faulttest

import (
	"hash/fnv"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
)

// Env is the environment variable that makes tests inject faults at all places if it is
// "all".
const Env = "NEORAG_FAULTS"

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

// Places returns the places from 1 to n at which a test injects a fault, in ascending
// order: all if the environment asks for it, else a sample. The sample depends only on
// the name of the test and n. The test fails if there is no place.
func Places(tb testing.TB, n, sample int) []int {
	tb.Helper()
	if n < 1 || sample < 1 {
		tb.Fatalf("no place for a fault: a sample of %d from %d", sample, n)
	}
	places := make([]int, n)
	for i := range places {
		places[i] = i + 1
	}
	if All() || sample >= n {
		return places
	}
	name := fnv.New64a()
	_, _ = name.Write([]byte(tb.Name())) // never fails
	random := rand.New(rand.NewPCG(name.Sum64(), uint64(n)))
	random.Shuffle(n, func(i, j int) { places[i], places[j] = places[j], places[i] })
	places = places[:sample]
	slices.Sort(places)
	tb.Logf("faults at %d of %d places; %s=all takes all", sample, n, Env)
	return places
}
