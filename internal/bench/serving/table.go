package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
)

// A row are the requests of one kind.
type row struct {
	name     string
	statuses map[int]int
	took     []time.Duration // of those with status 200, sorted
}

// rowsOf returns the rows of samples by kind, after the row of all.
func rowsOf(name string, samples []sample) []row {
	kinds := map[string]*row{}
	add := func(kind string, s sample) {
		r := kinds[kind]
		if r == nil {
			r = &row{name: name + kind, statuses: map[int]int{}}
			kinds[kind] = r
		}
		r.statuses[s.status]++
		if s.status == 200 {
			r.took = append(r.took, s.took)
		}
	}
	for _, s := range samples {
		add("", s)
		add(", "+s.kind, s)
	}
	var out []row
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		slices.Sort(kinds[kind].took)
		out = append(out, *kinds[kind])
	}
	return out
}

// percentile returns the duration that a share of sorted durations does not exceed; 0 for none.
func percentile(sorted []time.Duration, share float64) time.Duration {
	if len(sorted) == 0 {
		return 0
	}
	at := int(share*float64(len(sorted))+.999999) - 1
	return sorted[min(max(at, 0), len(sorted)-1)]
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// printTable prints rows as a table in Markdown.
func printTable(w io.Writer, rows []row) error {
	var b strings.Builder
	t := tabwriter.NewWriter(&b, 0, 0, 1, ' ', 0)
	_, _ = fmt.Fprint(t, "\n| \t| requests \t| other than 200 \t| p50 ms \t| p95 ms \t| p99 ms \t| max ms \t|\n|---\t|---:\t|---:\t|---:\t|---:\t|---:\t|---:\t|\n")
	for _, r := range rows {
		all := 0
		var others []string
		for _, status := range slices.Sorted(maps.Keys(r.statuses)) {
			all += r.statuses[status]
			if status != 200 {
				others = append(others, fmt.Sprintf("%d of %d", r.statuses[status], status))
			}
		}
		if len(others) == 0 {
			others = []string{"0"}
		}
		_, _ = fmt.Fprintf(t, "| %s \t| %d \t| %s \t| %.0f \t| %.0f \t| %.0f \t| %.0f \t|\n", r.name, all, strings.Join(others, ", "),
			ms(percentile(r.took, .5)), ms(percentile(r.took, .95)), ms(percentile(r.took, .99)), ms(percentile(r.took, 1)))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := io.WriteString(w, b.String())
	return err
}
