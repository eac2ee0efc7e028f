package auto

import (
	"cmp"
	"fmt"
	"io"
	"strconv"

	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/query/route"
)

// A Choice is which method auto chose, and why.
type Choice struct{ route.Choice }

// TraceName is part of query.Trace.
func (Choice) TraceName() string { return "choice" }

// Print prints the features of the question that decided.
func (c Choice) Print(w io.Writer) {
	f := c.Features
	for _, line := range [][2]string{
		{"chosen by", c.By},
		{"broad question", strconv.FormatBool(f.Overview)},
		{"broad words", query.ListOrNone(f.Broad)},
		{"known entities", query.ListOrNone(f.Names)},
		{"asks for identity", strconv.FormatBool(f.Identity)},
		{"relation words", query.ListOrNone(f.Relates)},
		{"comparing words", query.ListOrNone(f.Compares)},
		{"exact words", strconv.FormatBool(f.Quote)},
		{"asks for a fact", cmp.Or(f.Asks, "none")},
		{"entities found", strconv.Itoa(f.Entities)},
		{"chunks found", strconv.Itoa(f.Chunks)},
		{"reports", strconv.FormatBool(f.Reports)},
	} {
		fmt.Fprintf(w, "  %-18s %s\n", line[0], line[1])
	}
}
