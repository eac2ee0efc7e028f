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
		fmt.Fprintf(&b, "%d entities, %d relationships, %d communities; server: heap %d MB, page cache %d MB\n",
			f.counts.Entities, f.counts.Relationships, f.counts.Communities, f.server.HeapMB, f.server.PageCacheMB)
	}
	fmt.Fprintf(&b, "\n%-24s", "")
	for i := range all {
		fmt.Fprintf(&b, " %10s %8s %9s", "s", "MB", "server MB")
		if i > 0 {
			fmt.Fprintf(&b, " %10s", "per entity")
		}
	}
	b.WriteByte('\n')
	last := all[len(all)-1]
	for _, stage := range last.stages {
		fmt.Fprintf(&b, "%-24s", stage.name)
		before := 0.
		for i, f := range all {
			s, ok := f.stage(stage.name)
			if !ok {
				fmt.Fprintf(&b, " %10s %8s %9s", "", "", "")
			} else {
				fmt.Fprintf(&b, " %10.1f %8.0f %9.0f", s.seconds, s.goMB, s.javaMB)
			}
			each := s.seconds / float64(f.entities)
			if i > 0 && ok && before > 0 {
				fmt.Fprintf(&b, " %9.2fx", each/before)
			} else if i > 0 {
				fmt.Fprintf(&b, " %10s", "")
			}
			before = each
		}
		b.WriteByte('\n')
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (f figures) stage(name string) (figure, bool) {
	for _, s := range f.stages {
		if s.name == name {
			return s, true
		}
	}
	return figure{}, false
}
