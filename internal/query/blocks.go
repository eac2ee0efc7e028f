package query

import (
	"strings"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/neo4jstore"
)

// rowTokens is what a row of a context costs beside name and description.
const rowTokens = 8

// entityBlock is an entity in a context. Its sentences are those of its description.
func entityBlock(n graph.Entity, weight float64) block {
	b := block{key: n.Key, kind: graph.KindEntity, title: n.Name, text: n.Description, tokens: n.NTokens + rowTokens, weight: weight}
	if n.Type != "" && n.Type != graph.TypeUnknown {
		b.title += " (" + n.Type + ")"
	}
	b.quote(n.Description, n.Name)
	return b
}

func relationshipBlock(r graph.Relationship, weight float64) block {
	name := r.SourceName + " — " + r.TargetName
	b := block{key: r.Key, kind: graph.KindRelationship, title: name, text: r.Description, tokens: r.NTokens + rowTokens, weight: weight}
	b.quote(r.Description, name)
	return b
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
	b := block{key: c.Key, kind: graph.KindClaim, title: name, text: text, tokens: c.NTokens + rowTokens, weight: weight}
	said := c.SourceText
	if said == "" {
		said = c.Description
	}
	b.quote(said, name)
	return b
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
		statements: reportStatements(r.Report, weight),
	}
}

// quote takes the sentences of a text as the block's statements.
func (b *block) quote(text, title string) {
	for _, s := range sentences(text) {
		said := foldSpace(text[s.start:s.end])
		if len(said) < 2 {
			continue
		}
		b.statements = append(b.statements, statement{
			text: said, target: graph.Reference{Kind: b.kind, Key: b.key}, title: title,
			group: b.key, weight: b.weight, first: len(b.statements) == 0,
		})
	}
}
