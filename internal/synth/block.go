package query

import (
	"cmp"
	"strings"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/neo4jstore"
)

// rowTokens is what a row of a context costs beside name and description.
const rowTokens = 8

// tokensOf is the count that is stored of a text. What mentions say has none.
func tokensOf(stored int, text string) int {
	if stored == 0 && text != "" {
		return approximateTokens(text)
	}
	return stored
}

// entityBlock is an entity in a context. Its sentences are those of its description.
func entityBlock(n graph.Entity, weight float64) block {
	b := block{key: n.Key, kind: graph.KindEntity, title: n.Name, text: n.Description, tokens: rowTokens + tokensOf(n.NTokens, n.Description), weight: weight}
	if n.Type != "" && n.Type != graph.TypeUnknown {
		b.title += " (" + n.Type + ")"
	}
	b.say = func(b *block) []statement { return b.quote(n.Description, n.Name, b.weight) }
	return b
}

func relationshipBlock(r graph.Relationship, weight float64) block {
	name := r.SourceName + " — " + r.TargetName
	return block{
		key: r.Key, kind: graph.KindRelationship, title: name, text: r.Description, tokens: rowTokens + tokensOf(r.NTokens, r.Description), weight: weight,
		say: func(b *block) []statement { return b.quote(r.Description, name, b.weight) },
	}
}

// claimBlock is a claim in a context; its sentence is the one that states it.
func claimBlock(c graph.Claim, weight float64) block {
	name := c.ClaimRecord.Subject
	if c.ClaimRecord.Object != "" {
		name += " — " + c.ClaimRecord.Object
	}
	text := c.Description
	var facts []string
	for _, fact := range []string{c.Type, c.Status, dates(c.StartDate, c.EndDate)} {
		if fact != "" {
			facts = append(facts, fact)
		}
	}
	if len(facts) > 0 {
		text += " (" + strings.Join(facts, ", ") + ")"
	}
	said := cmp.Or(c.SourceText, c.Description)
	return block{
		key: c.Key, kind: graph.KindClaim, title: name, text: text, tokens: c.NTokens + rowTokens, weight: weight,
		say: func(b *block) []statement { return b.quote(said, name, b.weight) },
	}
}

func dates(start, end string) string {
	if end == "" || end == start {
		return start
	}
	return start + " to " + end
}

func reportBlock(r neo4jstore.ReportRow, weight float64) block {
	return block{
		key: r.Key, kind: graph.KindReport, title: r.Title, text: r.FullContent, tokens: r.NTokens, weight: weight,
		say: func(b *block) []statement { return reportStatements(r.Report, b.weight) },
	}
}

// quote takes the sentences of a text as statements of the block.
func (b *block) quote(text, title string, weight float64) []statement {
	spans := sentences(text)
	out := make([]statement, 0, len(spans))
	for _, at := range spans {
		said := foldSpace(text[at.start:at.end])
		if len(said) < 2 {
			continue
		}
		s := statement{
			text: said, target: graph.Reference{Kind: b.kind, Key: b.key}, title: title,
			group: b.key, weight: weight, first: len(out) == 0,
		}
		if b.kind == graph.KindChunk {
			s.quote = at
		}
		out = append(out, s)
	}
	return out
}
