package export

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/neorag/neorag/internal/graph"
)

// maxRows bounds the rows of a statement.
const maxRows = 200

// writeCypher writes statements that create the graph in another database: entities,
// RELATED edges, communities and reports, with the same keys. Running them again
// changes nothing. Each ends with ";" and a line break, as cypher-shell requires.
func writeCypher(w *writer) error {
	w.print("// The entities, relationships, communities and reports of corpus ", w.graph.Corpus, "\n",
		"// Load it: cypher-shell -f FILE\n")
	for _, label := range []string{"Entity", "Community", "Report", "Finding"} {
		w.print("CREATE CONSTRAINT ", strings.ToLower(label), "_key IF NOT EXISTS FOR (n:", label, ") REQUIRE n.key IS UNIQUE;\n")
	}
	steps := []func() error{w.cypherEntities, w.cypherRelationships, w.cypherCommunities, w.cypherReports, w.cypherFindings}
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// An unwind collects rows and writes them in batches, each as an UNWIND before tail.
type unwind struct {
	w     *writer
	tail  string
	count int
}

func (s *unwind) row(fields ...string) {
	if s.count == 0 {
		s.w.print("UNWIND [\n")
	} else {
		s.w.print(",\n")
	}
	s.w.print("{")
	for i := 0; i < len(fields); i += 2 {
		if i > 0 {
			s.w.print(", ")
		}
		s.w.print(fields[i], ": ", fields[i+1])
	}
	s.w.print("}")
	if s.count++; s.count == maxRows {
		s.close()
	}
}

func (s *unwind) close() {
	if s.count > 0 {
		s.w.print("\n] AS row\n", s.tail, ";\n")
	}
	s.count = 0
}

func (w *writer) cypherEntities() error {
	s := &unwind{w: w, tail: "MERGE (n:Entity {key: row.key})\nSET n += row"}
	err := w.nodes(func(n Node) {
		_, labels := w.communityNames(n)
		first := ""
		if len(labels) > 0 {
			first = labels[0]
		}
		s.row("key", cypherText(n.Key), "corpus", cypherText(w.graph.Corpus), "name", cypherText(n.Name), "type", cypherText(n.Type),
			"description", cypherText(n.Description), "degree", formatInt(n.Degree), "frequency", formatInt(n.Frequency), "community", cypherText(first),
			"labels", cypherTexts(labels), "color", cypherText(n.Color.Hex()), "x", formatDecimal(n.X), "y", formatDecimal(n.Y), "size", formatDecimal(2*n.R))
	})
	s.close()
	return err
}

func (w *writer) cypherRelationships() error {
	s := &unwind{w: w, tail: "MATCH (a:Entity {key: row.source})\nMATCH (b:Entity {key: row.target})\n" +
		"MERGE (a)-[r:RELATED {key: row.key}]->(b)\nSET r.weight = row.weight, r.strength = row.strength, r.description = row.description, r.keywords = row.keywords"}
	err := w.edges(func(r graph.Relationship) {
		s.row("key", cypherText(r.Key), "source", cypherText(r.Source), "target", cypherText(r.Target), "weight", formatInt(r.Weight),
			"strength", formatDecimal(float64(r.Strength)/100), "description", cypherText(r.Description), "keywords", cypherTexts(r.Keywords))
	})
	s.close()
	return err
}

func (w *writer) cypherCommunities() error {
	s := &unwind{w: w, tail: "MERGE (n:Community {key: row.key})\nSET n += row"}
	for _, c := range w.drawing.Communities {
		s.row("key", cypherText(c.Key), "corpus", cypherText(w.graph.Corpus), "name", cypherText(c.Label), "label", cypherText(c.Label),
			"level", formatInt(c.Level), "ordinal", formatInt(c.Ordinal), "title", cypherText(c.Title), "entities", formatInt(c.Size), "weight", formatInt(c.Weight),
			"final", strconv.FormatBool(c.Final), "color", cypherText(c.Color.Hex()))
	}
	s.close()
	s.tail = "MATCH (c:Community {key: row.child})\nMATCH (p:Community {key: row.parent})\nMERGE (c)-[:PARENT_COMMUNITY]->(p)"
	for _, c := range w.drawing.Communities {
		if c.ParentIndex >= 0 {
			s.row("child", cypherText(c.Key), "parent", cypherText(c.Parent))
		}
	}
	s.close()
	s.tail = "MATCH (e:Entity {key: row.entity})\nMATCH (c:Community {key: row.community})\nMERGE (e)-[m:IN_COMMUNITY]->(c)\nSET m.level = row.level"
	for _, c := range w.graph.Communities {
		for _, m := range c.Members {
			s.row("entity", cypherText(m), "community", cypherText(c.Key), "level", formatInt(c.Level))
		}
	}
	s.close()
	return nil
}

func (w *writer) cypherReports() error {
	s := &unwind{w: w, tail: "MATCH (c:Community {key: row.community})\nMERGE (n:Report {key: row.key})\nSET n += row\nMERGE (c)-[:HAS_REPORT]->(n)"}
	err := w.reports(func(r graph.Report, c *Community) {
		s.row("key", cypherText(r.Key), "corpus", cypherText(w.graph.Corpus), "community", cypherText(c.Key), "title", cypherText(r.Title),
			"level", formatInt(r.Level), "summary", cypherText(r.Summary), "full_content", cypherText(r.FullContent), "rating", formatDecimal(r.Rating))
	})
	s.close()
	return err
}

func (w *writer) cypherFindings() error {
	s := &unwind{w: w, tail: "MATCH (r:Report {key: row.report})\nMERGE (n:Finding {key: row.key})\nSET n += row\nMERGE (r)-[:HAS_FINDING]->(n)"}
	err := w.reports(func(r graph.Report, _ *Community) {
		for i, f := range r.Findings {
			s.row("key", cypherText(graph.FindingKey(w.graph.Corpus, r.Key, i)), "corpus", cypherText(w.graph.Corpus), "report", cypherText(r.Key),
				"order", formatInt(i), "name", cypherText(f.Summary), "summary", cypherText(f.Summary), "explanation", cypherText(f.Explanation))
		}
	})
	s.close()
	return err
}

// cypherText returns a string literal. Control characters are written as \uXXXX: a
// literal stays on one line, so that cypher-shell does not take a line end in it for the
// end of the statement.
func cypherText(text string) string {
	var b strings.Builder
	b.WriteByte('\'')
	for _, r := range strings.ToValidUTF8(text, "\uFFFD") {
		switch {
		case r == '\'' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < ' ' || r == 0x7f:
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('\'')
	return b.String()
}

func cypherTexts(texts []string) string {
	quoted := make([]string, len(texts))
	for i, t := range texts {
		quoted[i] = cypherText(t)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}
