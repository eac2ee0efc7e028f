package query

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/neorag/neorag/internal/query/retrieve"
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
	return encodeTraced(fields(a), a.Traces)
}

// MarshalJSON returns the context as an object whose last fields are its traces.
func (c Context) MarshalJSON() ([]byte, error) {
	type fields Context // without this method
	return encodeTraced(fields(c), c.Traces)
}

// encodeTraced returns an object with traces as its last fields.
func encodeTraced(object any, traces []Trace) ([]byte, error) {
	var out bytes.Buffer
	encode := json.NewEncoder(&out)
	encode.SetEscapeHTML(false) // the encoder that called escapes what it wants escaped
	if err := encode.Encode(object); err != nil {
		return nil, err
	}
	for _, t := range traces {
		out.Truncate(bytes.LastIndexByte(out.Bytes(), '}'))
		fmt.Fprintf(&out, ",%q:", t.TraceName())
		if err := encode.Encode(t); err != nil {
			return nil, err
		}
		out.WriteByte('}')
	}
	return out.Bytes(), nil
}

// A ScoredSource is a chunk, or what leads to chunks, with its score: of a chunk its share of walks,
// unless a method says something else.
type ScoredSource struct {
	Key   string  `json:"key"`
	Name  string  `json:"name"`
	Score float64 `json:"score"`
}

// ScoredSources names chunks that a method ranked.
func ScoredSources(chunks []retrieve.Chunk) []ScoredSource {
	out := make([]ScoredSource, len(chunks))
	for i, c := range chunks {
		out[i] = ScoredSource{Key: c.Key, Name: SourceName(c.Title(), c.Index), Score: c.Score}
	}
	return out
}

// PrintedNodes is how many nodes of each kind a trace prints.
const PrintedNodes = 10

// PrintScored prints the first of what a method ranked.
func PrintScored(w io.Writer, list []ScoredSource, decimals int) {
	for _, s := range list[:min(PrintedNodes, len(list))] {
		fmt.Fprintf(w, "    %6.*f  %s\n", decimals, s.Score, s.Name)
	}
}

// PrintSources prints the best sources after a line that says what their scores are.
func PrintSources(w io.Writer, sources []ScoredSource, scores string, decimals int) {
	fmt.Fprintf(w, "  %d sources by %s\n", len(sources), scores)
	PrintScored(w, sources, decimals)
}

// ListOrNone joins words with commas.
func ListOrNone(words []string) string { return cmp.Or(strings.Join(words, ", "), "none") }
