package source

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// keyColumns are the usual names of columns that say what a row is about.
var keyColumns = []string{"title", "name", "label", "model", "product", "item", "subject"}

// rowText returns the text of a row of a table, such as "Model: buick skylark 320. Horsepower:
// 165.", and what the row is about: the value of a column with one of the usual names, or else of
// the first one that is not a number.
func rowText(columns []string, values map[string]string) (key, text string) {
	var b strings.Builder
	for _, name := range columns[:min(len(columns), maxMetadata)] {
		value := strings.Join(strings.Fields(joinedList(json.RawMessage(values[name]), ", ", values[name])), " ")
		if value == "" {
			continue
		}
		if _, err := strconv.ParseFloat(value, 64); key == "" && err != nil {
			key = value
		}
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(columnLabel(name) + ": " + value)
		if last, _ := utf8.DecodeLastRuneInString(value); !strings.ContainsRune(".!?", last) {
			b.WriteByte('.')
		}
	}
	for _, usual := range keyColumns {
		for _, name := range columns {
			if strings.EqualFold(strings.TrimSpace(name), usual) && strings.TrimSpace(values[name]) != "" {
				return strings.Join(strings.Fields(values[name]), " "), b.String()
			}
		}
	}
	return key, b.String()
}

// columnLabel returns the name of a column as people write it.
func columnLabel(name string) string {
	name = strings.Join(strings.FieldsFunc(name, func(r rune) bool { return r == '_' || unicode.IsSpace(r) }), " ")
	name = strings.TrimRight(name, ":")
	first, size := utf8.DecodeRuneInString(name)
	return string(unicode.ToUpper(first)) + name[size:]
}
