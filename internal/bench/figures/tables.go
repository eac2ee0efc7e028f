package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A table compares the numbers that both sides have under the same names.
type table struct {
	title, note string
	kinds       []string // of numbers: each is a column of the base and one of the head; up to two have one of head/base
	names       []string // of the rows; nil for all, sorted, with their sum
	sides       [2]map[string][]float64
}

// print writes the table as Markdown. A "-" is a number that one side lacks.
func (t table) print(w io.Writer) {
	line := func(cells []string) {
		_, _ = fmt.Fprintf(w, "| %-36s | %s |\n", cells[0], strings.Join(cells[1:], " | "))
	}
	pad := func(n float64, decimals int) string {
		if math.IsNaN(n) || math.IsInf(n, 0) {
			return "       -"
		}
		return fmt.Sprintf("%8s", strconv.FormatFloat(n, 'f', decimals, 64))
	}
	columns, ratios, names := []string{""}, len(t.kinds) <= 2, t.names
	for _, kind := range t.kinds {
		columns = append(columns, fmt.Sprintf("%8s", kind), "    head")
		if ratios {
			columns = append(columns, "   ratio")
		}
	}
	if names == nil {
		all := maps.Clone(t.sides[0])
		maps.Copy(all, t.sides[1])
		names = append(slices.Sorted(maps.Keys(all)), "sum")
	}
	_, _ = fmt.Fprintf(w, "\n## %s\n\n", t.title)
	line(columns)
	line(append([]string{"---"}, slices.Repeat([]string{"-------:"}, len(columns)-1)...))
	for _, name := range names {
		row := []string{name}
		for i := range t.kinds {
			base, head := t.number(0, name, i), t.number(1, name, i)
			row = append(row, pad(base, -1), pad(head, -1))
			if ratios {
				row = append(row, pad(head/base, 3))
			}
		}
		line(row)
	}
	if t.note != "" {
		_, _ = fmt.Fprintf(w, "\n%s\n", t.note)
	}
}

// number returns a number of a side, NaN if the side lacks it.
func (t table) number(side int, name string, kind int) float64 {
	if values, ok := t.sides[side][name]; ok {
		return values[kind]
	}
	if name == "sum" && t.names == nil {
		return sum(t.sides[side], kind)
	}
	return math.NaN()
}

// sum returns the sum of a kind of number over all names.
func sum(of map[string][]float64, kind int) (total float64) {
	for _, values := range of {
		total += values[kind]
	}
	return total
}

// largest returns the names of the 15 largest numbers of both sides, largest first.
func largest(sides [2]map[string][]float64) []string {
	most := map[string]float64{}
	for _, side := range sides {
		for name, values := range side {
			most[name] = max(most[name], values[0])
		}
	}
	names := slices.SortedFunc(maps.Keys(most), func(a, b string) int { return cmp.Or(cmp.Compare(most[b], most[a]), cmp.Compare(a, b)) })
	return names[:min(15, len(names))]
}

// print measures both binaries and prints all tables.
func (b *bench) print(ctx context.Context, w io.Writer, server bool) error {
	base, head := b.commits[0], b.commits[1]
	_, _ = fmt.Fprintf(w, "base: %s\n\nhead: %s\n\nA column with the name of a figure is the base; the column after it is the head.\n", base.revision, head.revision)
	table{title: "Totals", kinds: []string{"base"}, names: totals, sides: [2]map[string][]float64{base.totals(), head.totals()}}.print(w)
	times := table{
		title: "Wall time in ms, both sides in turn", kinds: []string{"median", "fastest"}, names: []string{}, sides: [2]map[string][]float64{{}, {}},
		note: fmt.Sprintf("Of %d processes on each side, of %d where a corpus is made. On a busy machine the fastest vary less than the medians.", short, long),
	}
	err := times.inTurn("neorag --help", short, func(side int) (time.Duration, error) {
		_, took, err := b.exec(ctx, &b.commits[side], "--help")
		return took, err
	})
	export := "not compared (RUN=1 does)"
	if server && err == nil {
		export, err = b.measure(ctx, &times)
	}
	if err != nil {
		return err
	}
	times.print(w)
	_, _ = fmt.Fprintf(w, "\n## Export of the sample, byte for byte\n\n%s\n\n## Files of docs/json, byte for byte\n\n%s\n",
		export, diff(ctx, filepath.Join(base.root, "docs", "json"), filepath.Join(head.root, "docs", "json")))
	table{
		title: "Lines by folder", kinds: uses, sides: [2]map[string][]float64{byFolder(base.uses, head.uses), byFolder(head.uses, head.uses)},
		note: "Product is the program without generated files; benches are programs that measure, support is what tests and benchmarks share.",
	}.print(w)
	table{
		title: "Packages", kinds: []string{"files", "lines", "tests", "names", "methods", "fields"}, sides: [2]map[string][]float64{base.packages, head.packages},
		note: "Files and lines are without tests, tests are their lines; names, methods and fields are the exported ones.",
	}.print(w)
	receivers, functions := [2]map[string][]float64{base.receivers, head.receivers}, [2]map[string][]float64{base.functions, head.functions}
	table{title: "Types with most methods", kinds: []string{"methods"}, names: largest(receivers), sides: receivers}.print(w)
	table{title: "Longest functions", kinds: []string{"lines"}, names: largest(functions), sides: functions}.print(w)
	table{
		title: "Flags", kinds: []string{"visible", "hidden"}, sides: [2]map[string][]float64{base.flags, head.flags},
		note: "Visible flags are those in the help, except --help. Hidden ones are only offered to a shell, which never includes hidden switches.",
	}.print(w)
	return nil
}

// totals are the names of the figures of a whole commit.
var totals = []string{
	"packages", "files", "lines", "lines of tests", "exported names", "exported methods", "exported fields",
	"lines of a file, median", "lines of a file, 90th percentile", "lines of a file, most", "functions and methods",
	"lines of a function, median", "lines of a function, 90th percentile", "lines of a function, most",
	"visible flags of all commands", "hidden flags of all commands", "modules required directly", "modules required indirectly", "bytes of the binary",
}

// totals returns the figures of the whole commit, by name.
func (c commit) totals() map[string][]float64 {
	values := []float64{float64(len(c.packages))}
	for kind := range numbers {
		values = append(values, sum(c.packages, kind))
	}
	values = append(values, quantile(c.fileLines, 50), quantile(c.fileLines, 90), quantile(c.fileLines, 100), float64(len(c.spans)),
		quantile(c.spans, 50), quantile(c.spans, 90), quantile(c.spans, 100), sum(c.flags, 0), sum(c.flags, 1), c.direct, c.indirect, c.bytes)
	all := map[string][]float64{}
	for i, name := range totals {
		all[name] = values[i : i+1]
	}
	return all
}

// quantile returns the smallest of the values that p percent of them do not exceed, and 0
// for none.
func quantile(values []float64, p int) float64 {
	if len(values) == 0 {
		return 0
	}
	return slices.Sorted(slices.Values(values))[(len(values)*p+99)/100-1]
}
