package main

import (
	"fmt"
	"io"
	"strings"
)

// printTable prints the figures of all graphs next to each other, with the growth of each
// from the one before.
func printTable(w io.Writer, all []figures) error {
	var b strings.Builder
	for _, f := range all {
		fmt.Fprintf(&b, "%d entities, %d relationships, %d communities with %.2f members for each entity; server: heap %d MB, page cache %d MB\n",
			f.counts.Entities, f.counts.Relationships, f.counts.Communities, float64(f.members)/float64(f.entities), f.server.HeapMB, f.server.PageCacheMB)
	}
	fmt.Fprintf(&b, "\n%-24s", "")
	for i := range all {
		fmt.Fprintf(&b, " %10s %9s %9s %8s %9s", "s", "CPU s", "neorag's", "MB", "server MB")
		if i > 0 {
			fmt.Fprintf(&b, " %10s %10s", "per entity", "CPU")
		}
	}
	b.WriteByte('\n')
	last := all[len(all)-1]
	for _, stage := range last.stages {
		fmt.Fprintf(&b, "%-24s", stage.name)
		var before figure // per entity
		for i, f := range all {
			s, ok := f.stage(stage.name)
			if ok {
				fmt.Fprintf(&b, " %10.1f %9.1f %9.1f %8.0f %9.0f", s.seconds, s.cpu, s.goCPU, s.goMB, s.javaMB)
			} else {
				fmt.Fprintf(&b, " %10s %9s %9s %8s %9s", "", "", "", "", "")
			}
			each := figure{seconds: s.seconds / float64(f.entities), cpu: s.cpu / float64(f.entities)}
			if i > 0 {
				fmt.Fprintf(&b, " %10s %10s", growth(before.seconds, each.seconds), growth(before.cpu, each.cpu))
			}
			before = each
		}
		b.WriteByte('\n')
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// growth returns how many times more something takes than before.
func growth(before, after float64) string {
	if before == 0 || after == 0 {
		return ""
	}
	return fmt.Sprintf("%.2fx", after/before)
}

func (f figures) stage(name string) (figure, bool) {
	for _, s := range f.stages {
		if s.name == name {
			return s, true
		}
	}
	return figure{}, false
}
