package extract

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/neorag/neorag/internal/graph"
)

// ParseJSON parses the records of an answer that follows the schema or nearly
// does: unknown or missing fields, numbers in quotes and keywords in one string
// are accepted. A record without its names is counted in Unread. It returns an
// error if the answer is not a JSON object.
func ParseJSON(answer string) (graph.Extraction, error) {
	var lists recordLists
	if err := json.Unmarshal([]byte(answer), &lists); err != nil {
		return graph.Extraction{}, fmt.Errorf("read the extraction: %w", err)
	}
	return lists.records(), nil
}

// recordLists are the lists of an answer.
type recordLists struct {
	Entities, Relationships, Claims []json.RawMessage
}

// records returns the records of the lists.
func (lists recordLists) records() graph.Extraction {
	var r recordReader
	for _, raw := range lists.Entities {
		if f := r.readObject(raw, "name"); f != nil {
			r.Entities = append(r.Entities, graph.EntityRecord{Name: cleanName(f.text("name")), Type: strings.ToLower(cleanName(f.text("type"))), Description: f.text("description")})
		}
	}
	for _, raw := range lists.Relationships {
		if f := r.readObject(raw, "source", "target"); f != nil {
			rel := graph.RelationshipRecord{
				Source: cleanName(f.text("source")), Target: cleanName(f.text("target")), Description: f.text("description"),
				Keywords: f.list("keywords"), Strength: parseStrength(f.text("strength")),
			}
			r.Relationships = append(r.Relationships, rel)
		}
	}
	for _, raw := range lists.Claims {
		if f := r.readObject(raw, "subject", "description"); f != nil {
			r.addClaim([]string{
				f.text("subject"), f.text("object"), f.text("type"), f.text("status"),
				f.text("start_date"), f.text("end_date"), f.text("description"), f.text("source_text"),
			})
		}
	}
	return r.Extraction
}

// A jsonRecord is a record as a JSON object, by field name.
type jsonRecord map[string]any

// readObject decodes a record. It returns nil, and counts the record as unread, if
// it is not an object or one of the needed fields is empty.
func (r *recordReader) readObject(raw json.RawMessage, needed ...string) jsonRecord {
	var f jsonRecord
	if json.Unmarshal(raw, &f) != nil {
		r.Unread++
		return nil
	}
	for _, n := range needed {
		if cleanName(f.text(n)) == "" {
			r.Unread++
			return nil
		}
	}
	return f
}

// text returns a field as a string, "" if it is missing or not a scalar.
func (f jsonRecord) text(field string) string {
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

// list returns a field as a list, also if it is one string with separators.
func (f jsonRecord) list(field string) []string {
	items, ok := f[field].([]any)
	if !ok {
		return splitKeywords(f.text(field))
	}
	var out []string
	for _, item := range items {
		if s, ok := item.(string); ok && cleanName(s) != "" {
			out = append(out, cleanName(s))
		}
	}
	return out
}
