package fakemodel

import (
	"fmt"
	"slices"
	"strings"
)

// summary returns the first sentences of the first three descriptions, after some
// reasoning that a client has to remove.
func summary(descriptions string) string {
	var out []string
	for line := range strings.Lines(descriptions) {
		s, _, _ := strings.Cut(strings.TrimSpace(line), ". ")
		if out = append(out, strings.TrimSuffix(s, ".")+"."); len(out) == 3 {
			break
		}
	}
	return "<think>Three will do.</think>In short: " + strings.Join(out, " ")
}

// report returns a report that cites the first rows of the context and a row that
// does not exist, and that has a field which the schema does not ask for.
func report(context string) string {
	rows := rowsOf(context)
	kind := "Entities"
	for _, k := range []string{"Reports", "Entities", "Relationships"} {
		if len(rows[k]) > 0 {
			kind = k
		}
	}
	title, _, _ := strings.Cut(append(rows[kind], "Nothing")[0], "|")
	var findings []map[string]string
	for i, row := range rows[kind][:min(3, len(rows[kind]))] {
		cells := strings.Split(row, "|")
		findings = append(findings, map[string]string{
			"summary":     cells[0],
			"explanation": fmt.Sprintf("%s [Data: %s (%d, 9999, +more)].", strings.TrimSuffix(cells[len(cells)-1], "."), kind, i+1),
		})
	}
	return marshal(map[string]any{
		"title": "About " + title, "summary": fmt.Sprintf("It is about %s [Data: %s (1)].", title, kind),
		"rating": "6.5", "rating_explanation": "It matters.", "findings": findings, "date_range": "1843",
	})
}

// rowsOf returns the records of the context of a report by kind, without their numbers.
func rowsOf(context string) map[string][]string {
	rows := map[string][]string{}
	section := ""
	for line := range strings.Lines(context) {
		line = strings.TrimSpace(line)
		if id, rest, ok := strings.Cut(line, "|"); ok && id != "id" {
			rows[section] = append(rows[section], rest)
		} else if slices.Contains([]string{"Entities", "Relationships", "Claims", "Reports"}, line) {
			section = line
		} else if strings.HasPrefix(line, "Report ") {
			rows["Reports"] = append(rows["Reports"], line)
		}
	}
	return rows
}
