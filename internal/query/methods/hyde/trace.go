package hyde

import (
	"fmt"
	"io"
)

// Passages are what the model wrote to search for. They are not evidence.
type Passages []string

// TraceName is part of query.Trace.
func (Passages) TraceName() string { return "passages" }

// Print prints the passages.
func (p Passages) Print(w io.Writer) {
	fmt.Fprint(w, "\nThe search was for the question and for what the model wrote, which is not evidence:\n")
	for _, passage := range p {
		fmt.Fprintf(w, "    %s\n", passage)
	}
}
