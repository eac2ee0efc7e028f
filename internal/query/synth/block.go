package synth

import (
	"cmp"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/query/cite"
	"github.com/neorag/neorag/internal/query/retrieve"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// A Block is one item of a context: a report, a chunk, or another node of the graph.
type Block struct {
	Key    string
	Kind   graph.Kind
	Title  string
	Text   string
	Tokens int
	Weight float64 // relevance among the blocks, from 0 to 1

	Chunk neo4jstore.ChunkRow // of a chunk

	content   string // of a report, with its citations
	citations []int  // the numbers of a report's references
	citedOnly bool   // only what cites one of these is shown

	split          func() []cite.Statement // nil once it was called
	statements     []cite.Statement
	sentenceWeight float64
}

// Statements returns the sentences of a block. The text is split by the first call: with
// a model, only the blocks that the answer cites need it.
func (b *Block) Statements() []cite.Statement {
	if b.split != nil {
		b.statements, b.split = b.split(), nil
	}
	return b.statements
}

// Sentences returns the statements of a block with their weight, not scored yet, without lines of code.
func (b *Block) Sentences() []Sentence {
	return slices.DeleteFunc(b.lines(), func(s Sentence) bool { return s.Code })
}

// lines returns the statements of a block, and the lines of its code.
func (b *Block) lines() []Sentence {
	statements := b.Statements()
	out := make([]Sentence, len(statements))
	for i, s := range statements {
		out[i] = Sentence{Item: cite.Item{Statement: s}, weight: b.sentenceWeight, first: i == 0}
	}
	return out
}

// heading returns the headings above a place in the text of a chunk, the outermost first, separated by
// " > ".
func (b *Block) heading(at int) string {
	above := ""
	place := b.Chunk.Place
	for i, start := range place.HeadingStarts[:min(len(place.HeadingStarts), len(place.Headings))] {
		if start <= at {
			above = place.Headings[i]
		}
	}
	return above
}

// KeepCited removes the statements of a report that cite nothing, also from the text of
// the block.
func (b *Block) KeepCited() {
	b.statements = slices.DeleteFunc(b.Statements(), func(s cite.Statement) bool { return len(s.Cited) == 0 })
	var text strings.Builder
	text.WriteString(b.Title + "\n")
	for _, s := range b.statements {
		text.WriteString("\n" + s.Text)
	}
	b.Text, b.citedOnly = text.String(), true
	b.Tokens = min(b.Tokens, ApproximateTokens(b.Text))
}

// parts returns the parts of a report that a model is shown, numbered as its text is.
func (b *Block) parts() []cite.ReportPart {
	parts := cite.ReportParts(cmp.Or(b.content, b.Text))
	if !b.citedOnly {
		return parts
	}
	return slices.DeleteFunc(parts, func(p cite.ReportPart) bool {
		return !slices.ContainsFunc(p.Citations, func(n int) bool { return slices.Contains(b.citations, n) })
	})
}

// textBlock is a node whose statements are the sentences of a text.
func textBlock(kind graph.Kind, key, title, text string, weight float64) Block {
	return Block{
		Key: key, Kind: kind, Title: title, Text: text, Weight: weight, sentenceWeight: weight,
		split: func() []cite.Statement {
			return cite.TextUnits(text, title, graph.Reference{Kind: kind, Key: key})
		},
	}
}

// ChunkBlock returns a chunk as a block. Its sentences weigh at least .3, so that a good
// sentence of a lower-ranked chunk can win.
func ChunkBlock(c retrieve.Chunk) Block {
	b := textBlock(graph.KindChunk, c.Key, c.Title(), c.Text, c.Score)
	b.Tokens, b.sentenceWeight = c.NTokens, .3+.7*max(0, min(1, c.Score))
	b.Chunk = c.ChunkRow
	return b
}

// ChunkBlocks returns chunks as blocks.
func ChunkBlocks(chunks []retrieve.Chunk) []Block {
	blocks := make([]Block, len(chunks))
	for i, c := range chunks {
		blocks[i] = ChunkBlock(c)
	}
	return blocks
}

// ReportBlock returns a report as a block.
func ReportBlock(r neo4jstore.ReportRow, weight float64) Block {
	citations := make([]int, len(r.References))
	for i, ref := range r.References {
		citations[i] = ref.N
	}
	return Block{
		Key: r.Key, Kind: graph.KindReport, Title: r.Title, Text: r.FullContent, Tokens: r.NTokens, Weight: weight, sentenceWeight: weight,
		content: r.FullContent, citations: citations,
		split: func() []cite.Statement { return cite.ReportStatements(r.Report) },
	}
}

// rowTokens is what a row of a context costs in addition to its description.
const rowTokens = 8

// storedTokens is the stored count of a text. Texts taken from mentions have none.
func storedTokens(stored int, text string) int {
	if stored == 0 && text != "" {
		return ApproximateTokens(text)
	}
	return stored
}

// EntityBlock returns an entity as a block.
func EntityBlock(n graph.Entity, weight float64) Block {
	b := textBlock(graph.KindEntity, n.Key, n.Name, n.Description, weight)
	b.Tokens = rowTokens + storedTokens(n.NTokens, n.Description)
	if n.Type != "" && n.Type != graph.TypeUnknown {
		b.Title += " (" + n.Type + ")"
	}
	return b
}

// RelationshipBlock returns a relationship as a block.
func RelationshipBlock(r graph.Relationship, weight float64) Block {
	b := textBlock(graph.KindRelationship, r.Key, r.SourceName+" — "+r.TargetName, r.Description, weight)
	b.Tokens = rowTokens + storedTokens(r.NTokens, r.Description)
	return b
}

// ClaimBlock returns a claim as a block. Its statements are the sentences of the text
// that state the claim.
func ClaimBlock(c graph.Claim, weight float64) Block {
	title := c.ClaimRecord.Subject
	if c.ClaimRecord.Object != "" {
		title += " — " + c.ClaimRecord.Object
	}
	b := textBlock(graph.KindClaim, c.Key, title, cmp.Or(c.SourceText, c.Description), weight)
	b.Tokens, b.Text = rowTokens+c.NTokens, c.Description
	var facts []string
	for _, fact := range []string{c.Type, c.Status, dateRange(c.StartDate, c.EndDate)} {
		if fact != "" {
			facts = append(facts, fact)
		}
	}
	if len(facts) > 0 {
		b.Text += " (" + strings.Join(facts, ", ") + ")"
	}
	return b
}

func dateRange(start, end string) string {
	if end == "" || end == start {
		return start
	}
	return start + " to " + end
}
