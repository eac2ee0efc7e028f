package main

import (
	"bytes"
	"regexp"
	"strings"
)

// uses are what lines are for.
var uses = []string{"product", "generated", "tests", "benches", "support"}

const (
	product   = iota // the program
	generated        // parts of it that a program wrote
	tests
	benches // programs that measure
	support // what tests and benchmarks share
)

var (
	benchFolder   = regexp.MustCompile(`^internal/(bench|browsertest)(/|$)`)
	supportFolder = regexp.MustCompile(`(^|/)(testkit|archtest|internal/gen|biggraph|fakemodel|testcorpora|testtimes|\w+test)(/|$)`)
	written       = []byte("// Code generated ")
)

// useOf returns what a file of a package is for.
func useOf(path, pkg string, body []byte) int {
	switch {
	case strings.HasSuffix(path, "_test.go"):
		return tests
	case supportFolder.MatchString(pkg) && !strings.HasPrefix(pkg, "internal/browsertest"):
		return support
	case benchFolder.MatchString(pkg):
		return benches
	case bytes.HasPrefix(body, written):
		return generated
	default:
		return product
	}
}

// byFolder adds up the lines of packages by the folder that has them, such as internal/query. A
// package of the base counts for the folder that it is in at the head.
func byFolder(packages map[string][]float64, head map[string][]float64) map[string][]float64 {
	out := map[string][]float64{}
	for pkg, lines := range packages {
		folder := folderOf(pkg)
		if _, same := head[pkg]; !same {
			for moved := range head {
				if strings.HasSuffix(moved, strings.TrimPrefix(pkg, "internal")) {
					folder = folderOf(moved)
				}
			}
		}
		if out[folder] == nil {
			out[folder] = make([]float64, len(uses))
		}
		for i, n := range lines {
			out[folder][i] += n
		}
	}
	return out
}

// folderOf returns the first parts of a package's path: two below internal and cmd, else one.
func folderOf(pkg string) string {
	parts := strings.Split(pkg, "/")
	if parts[0] == "internal" || parts[0] == "cmd" {
		return strings.Join(parts[:min(2, len(parts))], "/")
	}
	return parts[0]
}
