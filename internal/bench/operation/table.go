package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// A verdict is what a case shows of a program.
type verdict string

const (
	right   verdict = "ok"
	fault   verdict = "fault"
	broken  verdict = "not run" // what the case needs could not be made
	skipped verdict = "skipped" // a program that the case needs is not installed
)

// A result is what happened in a case.
type result struct {
	verdict verdict
	got     string
	seconds float64
}

// printTable prints what happened in each case, with a second program also before.
func printTable(w io.Writer, cases []testCase, results [][]result) {
	head, line := "| kind | case | what is right | what happened | |", "|---|---|---|---|---|"
	if len(results) > 1 {
		head, line = head+" before | |", line+"---|---|"
	}
	_, _ = fmt.Fprintf(w, "%s\n%s\n", head, line)
	for j, c := range cases {
		row := []string{c.kind, c.name, c.right}
		for _, r := range results {
			row = append(row, cut(r[j].got, 200), string(r[j].verdict))
		}
		for i := range row {
			row[i] = strings.NewReplacer("|", `\|`, "<", "&lt;").Replace(row[i])
		}
		_, _ = fmt.Fprintf(w, "| %s |\n", strings.Join(row, " | "))
	}
}

// printCounts prints how many cases are right, by kind.
func printCounts(w io.Writer, cases []testCase, results [][]result) {
	kinds := []string{}
	for _, c := range cases {
		if !slices.Contains(kinds, c.kind) {
			kinds = append(kinds, c.kind)
		}
	}
	slices.Sort(kinds)
	head, line := "| kind | right |", "|---|---:|"
	if len(results) > 1 {
		head, line = head+" before |", line+"---:|"
	}
	_, _ = fmt.Fprintf(w, "\n%s\n%s\n", head, line)
	for _, kind := range append(kinds, "all") {
		row := []string{kind}
		for _, r := range results {
			n, of, not := 0, 0, 0
			for j, c := range cases {
				switch {
				case kind != "all" && c.kind != kind:
				case r[j].verdict == broken || r[j].verdict == skipped:
					not++
				default:
					of++
					n += map[verdict]int{right: 1}[r[j].verdict]
				}
			}
			cell := fmt.Sprintf("%d of %d", n, of)
			if not > 0 {
				cell += fmt.Sprintf(" (%d not run)", not)
			}
			row = append(row, cell)
		}
		_, _ = fmt.Fprintf(w, "| %s |\n", strings.Join(row, " | "))
	}
}
