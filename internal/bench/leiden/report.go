package main

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
)

// A report is the result of a run.
type report struct {
	Machine  machine           `json:"machine"`
	Versions map[string]string `json:"versions"` // of Go and of the peers
	Size     string            `json:"size"`     // small or full
	Only     string            `json:"only"`     // names of the measured graphs, separated by commas; "" for all of the size
	Rounds   int               `json:"rounds"`
	Rows     table             `json:"rows"`
	Figures  []figure          `json:"figures"`
	Missing  []string          `json:"missing"` // what was left out, and why
}

// A machine describes where a report was measured.
type machine struct {
	System  string  `json:"system"`
	CPU     string  `json:"cpu"`
	Cores   int     `json:"cores"`
	MemGB   float64 `json:"memory_gb"`
	Loading float64 `json:"load"` // mean number of running programs in the minute before
}

func (m machine) String() string {
	s := fmt.Sprintf("%s, %d cores", m.System, m.Cores)
	if m.CPU != "" {
		s += ", " + m.CPU
	}
	if m.MemGB > 0 {
		s += fmt.Sprintf(", %.0f GB; load before the run %.1f", m.MemGB, m.Loading)
	}
	return s
}

var columns = []string{"graph", "nodes", "edges", "engine", "task", "workers", "runs", "ms", "conversion ms", "modularity", "levels", "communities", "disconnected", "largest", "peak MB", "above graph MB"}

// cells returns a row as text, by column.
func (r row) cells() []string {
	size := func(mb float64) string {
		if mb == 0 {
			return "-"
		}
		return fmt.Sprintf("%.0f", mb)
	}
	overhead := "-"
	if r.OverheadMs > 0 {
		overhead = duration(r.OverheadMs)
	}
	return []string{
		r.Graph, strconv.Itoa(r.Nodes), strconv.Itoa(r.Edges), r.Engine, r.Task, strconv.Itoa(r.Workers), strconv.Itoa(r.Runs),
		duration(r.Ms), overhead, fmt.Sprintf("%.5f", r.Modularity), strconv.Itoa(r.Levels), strconv.Itoa(r.Communities),
		strconv.Itoa(r.Disconnected), strconv.Itoa(r.Largest), size(r.PeakMB), size(r.AboveMB),
	}
}

// duration formats milliseconds with about three digits.
func duration(ms float64) string {
	switch {
	case ms < 10:
		return fmt.Sprintf("%.2f", ms)
	case ms < 100:
		return fmt.Sprintf("%.1f", ms)
	}
	return fmt.Sprintf("%.0f", ms)
}

// met returns whether a figure meets its requirement, as text.
func (f figure) met() string {
	if f.Holds {
		return "yes"
	}
	return "NO"
}

// versions returns the names and versions of the engines, sorted by name.
func (r report) versions() string {
	var all []string
	for _, name := range slices.Sorted(maps.Keys(r.Versions)) {
		all = append(all, name+" "+r.Versions[name])
	}
	return strings.Join(all, ", ")
}

// set describes the measured graphs.
func (r report) set() string {
	if r.Only != "" {
		return "Only " + strings.ReplaceAll(r.Only, ",", ", ")
	}
	return "The " + r.Size + " set"
}

// text prints a report for a terminal.
func (r report) text(w io.Writer) error {
	if _, err := fmt.Fprintf(w, "%s\n%s\n%s, up to %d rounds\n\n", r.Machine, r.versions(), r.set(), r.Rounds); err != nil {
		return err
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(t, strings.Join(columns, "\t")) // Flush returns the error
	for _, row := range r.Rows {
		_, _ = fmt.Fprintln(t, strings.Join(row.cells(), "\t"))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for _, f := range r.Figures {
		if _, err := fmt.Fprintf(w, "\n%s\n  required: %s\n  measured: %s\n  met: %s\n", f.What, f.Must, f.Found, f.met()); err != nil {
			return err
		}
	}
	for _, m := range r.Missing {
		if _, err := fmt.Fprintf(w, "\nleft out: %s", m); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintln(w)
	return err
}

// markdown returns the part of the documentation that -update writes.
func (r report) markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Machine: %s.\nVersions: %s.\n%s, up to %d rounds.\n\n", r.Machine, r.versions(), r.set(), r.Rounds)
	b.WriteString("| figure | required | measured | met |\n|---|---|---|---|\n")
	for _, f := range r.Figures {
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", f.What, f.Must, f.Found, f.met())
	}
	b.WriteString("\n| " + strings.Join(columns, " | ") + " |\n|" + strings.Repeat("---|", len(columns)) + "\n")
	for _, row := range r.Rows {
		b.WriteString("| " + strings.Join(row.cells(), " | ") + " |\n")
	}
	if len(r.Missing) > 0 {
		b.WriteString("\nLeft out:\n")
	}
	for _, m := range r.Missing {
		fmt.Fprintf(&b, "- %s\n", m)
	}
	return b.String()
}

// The lines of the documentation between which -update writes.
const (
	opening = "<!-- figures: make bench-leiden UPDATE=1 -->\n"
	closing = "<!-- end of figures -->\n"
)

// update replaces the text between the markers of a file.
func update(path, text string) error {
	body, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	before, rest, ok := bytes.Cut(body, []byte(opening))
	_, after, ends := bytes.Cut(rest, []byte(closing))
	if !ok || !ends {
		return fmt.Errorf("update %s: the lines %q and %q are missing", path, strings.TrimSpace(opening), strings.TrimSpace(closing))
	}
	return os.WriteFile(path, slices.Concat(before, []byte(opening+"\n"+text+"\n"+closing), after), 0o644)
}
