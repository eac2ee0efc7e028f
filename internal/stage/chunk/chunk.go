// Package chunk splits documents into overlapping windows of tokens. A window
// ends at a paragraph if possible, else at a sentence, else at a word. The
// boundary depends only on the text nearby (content-defined chunking), so after
// an edit the windows realign with the old ones and few of them change.
package chunk

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/text/textproc"
	"github.com/neorag/neorag/internal/text/tokens"
)

// A Boundary selects where windows end.
type Boundary string

// Content ends a window at the best boundary between four and six fifths of the
// size. Exact ends it at the size, moved to the next rune boundary.
const (
	Content Boundary = "content"
	Exact   Boundary = "exact"
)

// version is part of the fingerprint: it changes when the same text is split differently.
const version = "2"

const firstVersion = "1"

const (
	defaultSize    = 600
	defaultOverlap = 100
)

// Options configure how documents are split. The zero value works.
type Options struct {
	Size     int      // tokens of a window; 0 means 600
	Overlap  *int     // tokens shared with the previous window; nil means 100, at most a sixth of the size; negative means none
	Boundary Boundary // "" means Content
	Encoding string   // of the tokens; "" means o200k_base
}

func (o Options) size() int { return cmp.Or(o.Size, defaultSize) }

func (o Options) overlap() int {
	if o.Overlap != nil {
		return max(*o.Overlap, 0)
	}
	return min(defaultOverlap, o.size()/6)
}

func (o Options) boundary() Boundary { return cmp.Or(o.Boundary, Content) }

// Fingerprint hashes everything that affects the chunks of a text. Options with
// the same effect have the same fingerprint.
func (o Options) Fingerprint() string { return o.fingerprint(version) }

// FirstFingerprint is the fingerprint that these options had when sentences were found by other
// rules.
func (o Options) FirstFingerprint() string { return o.fingerprint(firstVersion) }

func (o Options) fingerprint(version string) string {
	encoding := cmp.Or(o.Encoding, string(tokens.O200k))
	return graph.Hash("chunk", version, strconv.Itoa(o.size()), strconv.Itoa(o.overlap()), string(o.boundary()), encoding)
}

// Validate returns an error if Split would reject the options. The error says what to
// change.
func (o Options) Validate() error {
	if o.Size < 0 {
		return fmt.Errorf("chunk size %d: it must be at least 1 token; leave it out for %d", o.Size, defaultSize)
	}
	if o.overlap() >= o.size() {
		return fmt.Errorf("chunk overlap %d is not smaller than the chunk size %d: lower --chunk-overlap or raise --chunk-size",
			o.overlap(), o.size())
	}
	if b := o.boundary(); b != Content && b != Exact {
		return fmt.Errorf("unknown chunk boundary %q: use %s or %s", b, Content, Exact)
	}
	if _, err := tokens.Get(o.Encoding); err != nil {
		return fmt.Errorf("chunk encoding: %w", err)
	}
	return nil
}

// Split returns the chunks of a document, in order. Every chunk is an unchanged piece of
// the text, and together they cover all of it except windows that hold only white space.
// A text without words has no chunks. The counter must count in the options' encoding;
// if it is nil, Split looks it up.
func Split(corpus string, doc graph.Document, counter *tokens.Counter, o Options) ([]graph.Chunk, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	if doc.Key == "" {
		return nil, fmt.Errorf("split document %q: missing key", doc.URI)
	}
	if counter == nil {
		var err error
		if counter, err = tokens.Get(o.Encoding); err != nil {
			return nil, fmt.Errorf("split document %q: %w", doc.URI, err)
		}
	}
	if strings.TrimSpace(doc.Text) == "" {
		return nil, nil
	}
	t := tokenizedText{text: doc.Text, offsets: counter.Offsets(doc.Text)}
	var windows []window
	if o.boundary() == Exact {
		windows = t.exactWindows(o.size(), o.overlap())
	} else {
		for _, s := range textproc.Sentences(doc.Text) {
			t.sentences = append(t.sentences, s.Start)
		}
		windows = t.contentWindows(o.size(), o.overlap())
	}
	return chunks(corpus, doc, windows), nil
}

// chunks makes chunks of the windows that hold text. The keys of chunks with equal
// text differ by the number of earlier ones.
func chunks(corpus string, doc graph.Document, windows []window) []graph.Chunk {
	out := make([]graph.Chunk, 0, len(windows))
	seen := make(map[string]int, len(windows))
	places := placer{doc: &doc, line: doc.Places.Line}
	for _, w := range windows {
		text := doc.Text[w.start:w.end]
		if strings.TrimSpace(text) == "" {
			continue
		}
		out = append(out, graph.Chunk{
			Key:      graph.ChunkKey(corpus, doc.Key, text, seen[text]),
			Document: doc.Key,
			Text:     text,
			Index:    len(out),
			NTokens:  w.tokens,
			Start:    w.start,
			End:      w.end,
			Place:    places.of(w),
		})
		seen[text]++
	}
	return out
}
