package extract

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/neorag/neorag/internal/graph"
)

// ParseJSON reads an answer that keeps to the schema, and one that nearly does:
// fields more or fewer, figures in quotes, keywords in one text. A record that
// names nothing is counted in Unread. The error says that it is no JSON object.
func ParseJSON(answer string) (graph.Extraction, error) {
	var lists struct {
		Entities, Relationships, Claims []json.RawMessage
	}
	var r reading
	if err := json.Unmarshal([]byte(answer), &lists); err != nil {
		return graph.Extraction{}, fmt.Errorf("read the extraction: %w", err)
	}
	for _, raw := range lists.Entities {
		if f := r.object(raw, "name"); f != nil {
			r.Entities = append(r.Entities, graph.EntityRecord{Name: name(f.text("name")), Type: strings.ToLower(name(f.text("type"))), Description: f.text("description")})
		}
	}
	for _, raw := range lists.Relationships {
		if f := r.object(raw, "source", "target"); f != nil {
			rel := graph.RelationshipRecord{
				Source: name(f.text("source")), Target: name(f.text("target")), Description: f.text("description"),
				Keywords: f.list("keywords"), Strength: strength(f.text("strength")),
			}
			r.Relationships = append(r.Relationships, rel)
		}
	}
	for _, raw := range lists.Claims {
		if f := r.object(raw, "subject", "description"); f != nil {
			r.claim([]string{
				f.text("subject"), f.text("object"), f.text("type"), f.text("status"),
				f.text("start_date"), f.text("end_date"), f.text("description"), f.text("source_text"),
			})
		}
	}
	return r.Extraction, nil
}

// object is a record with the fields that it is nothing without.
type object map[string]any

func (r *reading) object(raw json.RawMessage, needed ...string) object {
	var f object
	if json.Unmarshal(raw, &f) != nil {
		r.Unread++
		return nil
	}
	for _, n := range needed {
		if name(f.text(n)) == "" {
			r.Unread++
			return nil
		}
	}
	return f
}

func (f object) text(field string) string {
	switch v := f[field].(type) {
	case string:
		return strings.TrimSpace(v)
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case bool:
		return strings.ToUpper(strconv.FormatBool(v))
	}
	return ""
}

func (f object) list(field string) []string {
	items, ok := f[field].([]any)
	if !ok {
		return keywords(f.text(field))
	}
	var out []string
	for _, item := range items {
		if s, ok := item.(string); ok && name(s) != "" {
			out = append(out, name(s))
		}
	}
	return out
}
