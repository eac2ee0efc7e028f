// Command testtimes reads what `go test -json` printed, and prints the seconds of each
// package and the slowest tests:
//
//	go run ./internal/testkit/testtimes -slow .ci/slow.txt .bench/test-program.json .bench/test-browser.json
//
// With -check it prints only what is slower than allowed and not in the list of slow tests,
// and fails if there is anything; files that do not exist are left out.
package main

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
)

// How long a package and a test may take, in seconds, unless the list has a reason; or as a
// share of all tests, if that is longer: on a slow or busy machine, everything is slower.
const (
	mostOfPackage  = 90
	mostOfTest     = 20
	shareOfPackage = 1. / 15
	shareOfTest    = 1. / 50
)

// shown is how many of the slowest tests are printed.
const shown = 10

func main() {
	slow := flag.String("slow", "", "file with the packages and tests that may be slow: a name and a reason a line")
	check := flag.Bool("check", false, "fail if something is slower than allowed")
	flag.Parse()
	if err := run(os.Stdout, *slow, *check, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "testtimes:", err)
		os.Exit(1)
	}
}

func run(w io.Writer, slow string, check bool, files []string) error {
	var parts []io.Reader
	for _, name := range files {
		body, err := os.ReadFile(name)
		if check && errors.Is(err, fs.ErrNotExist) {
			continue // its tests did not run here
		}
		if err != nil {
			return err
		}
		parts = append(parts, bytes.NewReader(body))
	}
	all, err := read(io.MultiReader(parts...))
	if err != nil {
		return fmt.Errorf("read %v: %w", files, err)
	}
	allowed, err := readSlow(slow)
	if err != nil {
		return err
	}
	if !check {
		report(w, all)
		return nil
	}
	for _, d := range tooSlow(all, allowed) {
		_, _ = fmt.Fprintf(w, "%s took %.0f s; make it faster, or add it with a reason to %s\n", d.name(), d.seconds, slow)
		err = errors.New("packages or tests are too slow")
	}
	return err
}

// A duration is how long a package took, or a test of it.
type duration struct {
	pkg, test string
	seconds   float64
}

// name returns the name in the list of what may be slow.
func (d duration) name() string {
	if d.test == "" {
		return d.pkg
	}
	return d.pkg + "." + d.test
}

// read returns the durations of packages and of tests without subtests, the longest first. A
// parallel test is not charged for the time it waits.
func read(r io.Reader) ([]duration, error) {
	all, parents := map[string]duration{}, map[string]bool{}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var e struct {
			Action, Package, Test string
			Elapsed               float64
		}
		if json.Unmarshal(lines.Bytes(), &e) != nil || e.Action != "pass" && e.Action != "fail" {
			continue
		}
		d := duration{strings.TrimPrefix(e.Package, "github.com/neorag/neorag/"), e.Test, e.Elapsed}
		all[d.name()] = d
		for i := strings.LastIndex(e.Test, "/"); i > 0; i = strings.LastIndex(e.Test[:i], "/") {
			parents[duration{pkg: d.pkg, test: e.Test[:i]}.name()] = true
		}
	}
	maps.DeleteFunc(all, func(name string, _ duration) bool { return parents[name] })
	return slices.SortedFunc(maps.Values(all), func(a, b duration) int {
		return cmp.Or(cmp.Compare(b.seconds, a.seconds), cmp.Compare(a.name(), b.name()))
	}), lines.Err()
}

// readSlow returns the names in the list of what may be slow.
func readSlow(path string) (map[string]bool, error) {
	body, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	allowed := map[string]bool{}
	for line := range strings.Lines(string(body)) {
		name, reason, _ := strings.Cut(strings.TrimSpace(line), " ")
		if name == "" || strings.HasPrefix(name, "#") {
			continue
		}
		if reason == "" {
			return nil, fmt.Errorf("%s: %s has no reason", path, name)
		}
		allowed[name] = true
	}
	return allowed, nil
}

// tooSlow returns what takes longer than allowed and is not in the list.
func tooSlow(all []duration, allowed map[string]bool) []duration {
	_, total := sums(all)
	return slices.DeleteFunc(slices.Clone(all), func(d duration) bool {
		most := max(mostOfPackage, total*shareOfPackage)
		if d.test != "" {
			most = max(mostOfTest, total*shareOfTest)
		}
		top := d
		top.test, _, _ = strings.Cut(d.test, "/")
		return d.seconds <= most || allowed[top.name()]
	})
}

// sums returns the seconds of the tests of each package and of all.
func sums(all []duration) (packages map[string]float64, total float64) {
	packages = map[string]float64{}
	for _, d := range all {
		if d.test != "" {
			packages[d.pkg] += d.seconds
			total += d.seconds
		}
	}
	return packages, total
}

// report prints the seconds of the packages that take at least one, with the sum of their
// tests, and the slowest tests.
func report(w io.Writer, all []duration) {
	packages, total := sums(all)
	_, _ = fmt.Fprintf(w, "\n%8s %8s  package, whose tests take %.0f s in all\n", "seconds", "tests", total)
	for _, d := range all {
		if d.test == "" && d.seconds >= 1 {
			_, _ = fmt.Fprintf(w, "%8.1f %8.1f  %s\n", d.seconds, packages[d.pkg], d.pkg)
		}
	}
	_, _ = fmt.Fprintf(w, "\n%8s  slowest tests\n", "seconds")
	tests := slices.DeleteFunc(slices.Clone(all), func(d duration) bool { return d.test == "" })
	for _, d := range tests[:min(shown, len(tests))] {
		_, _ = fmt.Fprintf(w, "%8.1f  %s\n", d.seconds, d.name())
	}
}
