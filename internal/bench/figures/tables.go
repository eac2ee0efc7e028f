package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A table is one part of the output. A cell is a string, a number, or nil for a
// number that one side lacks.
type table struct {
	Title   string   `json:"title"`
	Columns []string `json:"columns,omitempty"`
	Rows    [][]any  `json:"rows,omitempty"`
	Note    string   `json:"note,omitempty"`
}

// tables measures the binaries and puts all figures together.
func (b *bench) tables(ctx context.Context, server bool) ([]table, error) {
	base, head := b.commits[0], b.commits[1]
	wall := table{
		Title:   "Wall time in ms, both sides by turns",
		Columns: []string{"command", "median", "head", "ratio", "fastest", "head", "ratio"},
		Note:    fmt.Sprintf("Of %d processes on either side, of %d where a corpus is made. On a busy machine the fastest of the many vary less than the medians.", short, long),
	}
	if err := wall.byTurns("neorag --help", short, func(side int) (time.Duration, error) {
		_, took, err := b.exec(ctx, &b.commits[side], "--help")
		return took, err
	}); err != nil {
		return nil, err
	}
	export := "not compared (RUN=1 does)"
	if server {
		var err error
		if export, err = b.measure(ctx, &wall); err != nil {
			return nil, err
		}
	}
	schemas := diff(ctx, filepath.Join(base.root, "docs", "json"), filepath.Join(head.root, "docs", "json"))
	return []table{
		{Title: "Commits", Note: "base: " + base.revision + "\n\nhead: " + head.revision + "\n\nA column that is named after a figure is the base's; the head's follows it."},
		totals(base, head),
		wall,
		{Title: "Export of the sample, byte for byte", Note: export},
		{Title: "Files of docs/json, byte for byte", Note: schemas},
		packages(base.tree.packages, head.tree.packages),
		ranking("Types with most methods", "methods", base.tree.receivers, head.tree.receivers),
		ranking("Longest functions", "lines", base.tree.functions, head.tree.functions),
		sideBySide("Flags", "command", []string{"visible", "hidden"}, base.flags, head.flags,
			"Visible flags are in the help, --help left out; hidden ones only in what the command offers to a shell, which never includes hidden switches."),
	}, nil
}

func packages(base, head map[string][]int) table {
	lacking := func(side, other map[string][]int) string {
		found := slices.DeleteFunc(slices.Sorted(maps.Keys(other)), func(name string) bool { return side[name] != nil })
		if len(found) == 0 {
			return "none"
		}
		return strings.Join(found, ", ")
	}
	return sideBySide("Packages", "package", []string{"files", "lines", "test lines", "names", "methods", "fields"}, base, head,
		"Files and lines are without tests; names, methods and fields are the exported ones.\n\nadded: "+lacking(base, head)+"\n\nremoved: "+lacking(head, base))
}

func totals(base, head commit) table {
	t := table{Title: "Totals", Columns: []string{"figure", "base", "head", "ratio"}}
	b := head.totals()
	for i, a := range base.totals() {
		t.pair(a.name, 0, [2]float64{float64(a.count), float64(b[i].count)})
	}
	return t
}

// totals returns the figures of the whole commit, in the order of the table.
func (c commit) totals() []counted {
	sums, flags := sum(c.tree.packages, numbers), sum(c.flags, 2)
	spans := make([]int, len(c.tree.functions))
	for i, f := range c.tree.functions {
		spans[len(spans)-1-i] = f.count
	}
	return []counted{
		{"packages", len(c.tree.packages)},
		{"files", sums[files]},
		{"lines", sums[lines]},
		{"test lines", sums[testLines]},
		{"lines of a file, median", quantile(c.tree.fileLines, 50)},
		{"lines of a file, 90th percentile", quantile(c.tree.fileLines, 90)},
		{"lines of a file, most", quantile(c.tree.fileLines, 100)},
		{"functions and methods", len(spans)},
		{"lines of a function, median", quantile(spans, 50)},
		{"lines of a function, 90th percentile", quantile(spans, 90)},
		{"lines of a function, most", quantile(spans, 100)},
		{"exported names", sums[names]},
		{"exported methods", sums[methods]},
		{"exported fields", sums[fields]},
		{"visible flags of all commands", flags[0]},
		{"hidden flags of all commands", flags[1]},
		{"modules required directly", c.tree.direct},
		{"modules required indirectly", c.tree.indirect},
		{"bytes of the binary", c.bytes},
	}
}

// quantile returns the smallest of ascending values that p percent of them do
// not exceed, and 0 for none.
func quantile(ascending []int, p int) int {
	if len(ascending) == 0 {
		return 0
	}
	return ascending[(len(ascending)*p+99)/100-1]
}

// sum adds the numbers of all names.
func sum(of map[string][]int, count int) []int {
	sums := make([]int, count)
	for _, values := range of {
		for i, n := range values {
			sums[i] += n
		}
	}
	return sums
}

// pair adds a row: the base's value, the head's and their ratio for each pair.
func (t *table) pair(name string, decimals int, pairs ...[2]float64) {
	number := func(f float64, decimals int) any { return json.Number(strconv.FormatFloat(f, 'f', decimals, 64)) }
	row := []any{name}
	for _, p := range pairs {
		row = append(row, number(p[0], decimals), number(p[1], decimals), nil)
		if p[0] > 0 {
			row[len(row)-1] = number(p[1]/p[0], 3)
		}
	}
	t.Rows = append(t.Rows, row)
}

// sideBySide gives each name of either side a row, sorted, and ends with the sum.
func sideBySide(title, first string, kinds []string, base, head map[string][]int, note string) table {
	t := table{Title: title, Columns: []string{first}, Note: note}
	for _, kind := range kinds {
		t.Columns = append(t.Columns, kind, "head")
	}
	add := func(name string, values ...[]int) {
		row := make([]any, len(t.Columns))
		row[0] = name
		for side := range values {
			for i, n := range values[side] {
				row[1+2*i+side] = n
			}
		}
		t.Rows = append(t.Rows, row)
	}
	all := maps.Clone(base)
	maps.Copy(all, head)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		add(name, base[name], head[name])
	}
	add("sum", sum(base, len(kinds)), sum(head, len(kinds)))
	return t
}

// ranking gives the first ten of both sides.
func ranking(title, unit string, base, head []counted) table {
	t := table{Title: title, Columns: []string{"base", unit, "head", unit}}
	for i := range min(10, max(len(base), len(head))) {
		row := []any{"", nil, "", nil}
		for side, list := range [][]counted{base, head} {
			if i < len(list) {
				row[2*side], row[2*side+1] = list[i].name, list[i].count
			}
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// markdown prints the table with padded cells. Columns of numbers are aligned
// to the right.
func (t table) markdown() string {
	out := make([]string, 2+len(t.Rows)) // header, rule and rows, which grow by a column at a time
	for i, column := range t.Columns {
		cells, width, text := make([]string, len(t.Rows)), len(column), false
		for j, row := range t.Rows {
			_, isText := row[i].(string)
			text = text || isText
			if cells[j] = "-"; row[i] != nil {
				cells[j] = fmt.Sprint(row[i])
			}
			width = max(width, len(cells[j]))
		}
		rule := strings.Repeat("-", width+1) + ":"
		if text {
			rule, width = strings.Repeat("-", width+2), -width
		}
		out[0] += fmt.Sprintf("| %*s ", width, column)
		out[1] += "|" + rule
		for j := range cells {
			out[2+j] += fmt.Sprintf("| %*s ", width, cells[j])
		}
	}
	parts := []string{"## " + t.Title}
	if t.Columns != nil {
		parts = append(parts, strings.Join(out, "|\n")+"|")
	}
	if t.Note != "" {
		parts = append(parts, t.Note)
	}
	return strings.Join(parts, "\n\n") + "\n"
}
