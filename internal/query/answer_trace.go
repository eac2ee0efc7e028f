package query

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
)

// A Trace is what a method searched for and found on the way to an answer, in the form of
// `query --json`. Each method has its own type.
type Trace interface {
	// TraceName returns the name of its field in the JSON object of an Answer.
	TraceName() string
	// Print shows it below the answer, to explain it.
	Print(w io.Writer)
}

// MarshalJSON returns the answer as an object whose last fields are its traces.
func (a Answer) MarshalJSON() ([]byte, error) {
	type fields Answer // without this method
	var out bytes.Buffer
	encode := json.NewEncoder(&out)
	encode.SetEscapeHTML(false) // the encoder that called escapes what it wants escaped
	if err := encode.Encode(fields(a)); err != nil {
		return nil, err
	}
	for _, t := range a.Traces {
		out.Truncate(bytes.LastIndexByte(out.Bytes(), '}'))
		fmt.Fprintf(&out, ",%q:", t.TraceName())
		if err := encode.Encode(t); err != nil {
			return nil, err
		}
		out.WriteByte('}')
	}
	return out.Bytes(), nil
}
