// Package cite gives every statement of an answer its evidence: it follows the
// citations of a statement down to the words of a document, and numbers them in
// the answer's text.
//
// A citation in an answer is a number in brackets, [n], of one Reference, the record that is
// cited. Each statement that cites it has its own Citation, whose Quote is the words at its
// offsets in a document: the words of the statement, or else one to three sentences that hold most
// of its content, and then it is approximate. There is no Quote rather than one that holds
// less than a floor. A citation of a node that does not exist, or of one other than a chunk that
// holds less than the floor, is removed and counted. A Checker may judge the quotes of an answer that
// a model wrote.
package cite

import (
	"context"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// A Reference is the origin of a statement, down to the words of a document.
type Reference struct {
	N        int        `json:"n"`    // the number in the answer, from 1
	Kind     graph.Kind `json:"kind"` // what the statement rests on
	Key      string     `json:"key"`
	Title    string     `json:"title"`
	Corpus   string     `json:"corpus"`
	Document string     `json:"document"` // URI; empty if none is known
	Chunk    string     `json:"chunk"`    // key of the chunk that holds the quote
	Start    int        `json:"start"`    // byte of the file, or of the text of the document if converted
	End      int        `json:"end"`
	Place
	Quote string `json:"quote"` // the bytes from start to end, of the best citation of this record; empty if none has a quote
	// Approximate means that the quote was found by similarity: it does not hold the words
	// of the statement, nor the statement the words of the quote.
	Approximate bool `json:"approximate"`
	// Stale is how much of what a report was written from is new since, from 0 to 1, where
	// reports may wait to be written again.
	Stale float64 `json:"stale,omitempty"`
	Href  string  `json:"href,omitempty"` // of a server: path of the page that shows the evidence
}

// An evidenceReader reads what references point at, in their order. A reference
// that points at nothing is left out.
type evidenceReader interface {
	Evidence(ctx context.Context, refs []graph.Reference) ([]neo4jstore.Evidence, error)
	ChunkPlaces(ctx context.Context, keys []string) ([]neo4jstore.PlacedChunk, error)
}

// Known is evidence that was read before, by the node that it is evidence of.
type Known map[graph.Reference]neo4jstore.Evidence

// AddChunk adds a chunk that was read with its document.
func (k Known) AddChunk(row neo4jstore.ChunkRow) {
	k[graph.Reference{Kind: graph.KindChunk, Key: row.Key}] = neo4jstore.Evidence{
		Kind: graph.KindChunk, Key: row.Key, Title: row.DocumentTitle, Text: row.Text, Chunk: row.Key,
		Document: row.Document, DocumentURI: row.DocumentURI, Start: row.Start, End: row.End, ChunkText: row.Text,
	}
}

// A Match is how a quote was found.
type Match string

// The matches. A citation without a quote has none.
const (
	Exact       Match = "exact"       // the quote holds the words of the statement, or the statement all words of the quote
	Approximate Match = "approximate" // by similarity, or a model named the sentence
)

// A Citation is one statement of an answer with one record that it cites, and the words
// of a document behind both.
type Citation struct {
	N         int    `json:"n"`         // number of the reference
	Statement string `json:"statement"` // the statement, without its citations
	Document  string `json:"document"`  // URI; empty without a quote
	Chunk     string `json:"chunk"`     // key of the chunk that holds the quote
	Start     int    `json:"start"`     // byte of the file, or of the text of the document if converted
	End       int    `json:"end"`
	Place
	Quote string `json:"quote"` // the bytes from start to end; empty if nothing in the record holds enough of the statement
	Match Match  `json:"match,omitempty" enum:"exact,approximate"`
}

// An Answer is a text with its citations.
type Answer struct {
	Text        string // Markdown, holds [n]
	References  []Reference
	Citations   []Citation // in the order of the text
	Dangling    int        // citations and statements that were removed because no evidence was found
	Dropped     int        // citations that were removed because others of their statement are better evidence of it
	Unfounded   int        // citations that were removed because nothing in what they cite holds enough of their statement
	Missing     int        // cited sentences that do not exist in the records that are cited
	Unsupported int        // quotes that were removed because a Checker found that they state nothing of their statement
	Unchecked   int        // quotes that a Checker was asked about and did not judge
	CheckErr    error      // why it did not
	Uncited     int        // statements without a citation, also one that was removed
}
