package extract

import (
	"encoding/json"
	"strings"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/llm"
)

// parseLists parses the lists of records in an answer that is JSON. It is not ok if there is
// none.
func parseLists(answer string) (x graph.Extraction, ok bool) {
	repaired, err := llm.Repair(answer)
	if err != nil {
		return x, false
	}
	var lists map[string]json.RawMessage
	if json.Unmarshal([]byte(repaired), &lists) != nil || lists["entities"] == nil && lists["relationships"] == nil && lists["claims"] == nil {
		return x, false
	}
	x, err = ParseJSON(repaired)
	return x, err == nil
}

// parseAny parses an answer in any of the formats. It returns no records for an answer
// without any.
func parseAny(answer string) graph.Extraction {
	if x, ok := parseLists(answer); ok {
		return x
	}
	return ParseTuples(answer)
}

// parseCut parses the records that are complete in an answer that was cut off, in any of the
// formats.
func parseCut(answer string) graph.Extraction {
	if heads := recordHead.FindAllStringIndex(answer, -1); len(heads) > 0 {
		return ParseTuples(answer[:heads[len(heads)-1][0]])
	}
	return readLists(answer).records()
}

// readLists reads the records of a JSON object up to where it ends or is no longer valid.
func readLists(answer string) (lists recordLists) {
	d := json.NewDecoder(strings.NewReader(answer[max(0, strings.IndexByte(answer, '{')):]))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return lists
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return lists
		}
		if open, err := d.Token(); err != nil || open != json.Delim('[') {
			return lists
		}
		for d.More() {
			var record json.RawMessage
			if d.Decode(&record) != nil {
				return lists
			}
			switch name {
			case "entities":
				lists.Entities = append(lists.Entities, record)
			case "relationships":
				lists.Relationships = append(lists.Relationships, record)
			case "claims":
				lists.Claims = append(lists.Claims, record)
			}
		}
		if _, err := d.Token(); err != nil {
			return lists
		}
	}
	return lists
}
