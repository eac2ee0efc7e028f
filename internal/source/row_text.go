package source

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// keyColumns are the usual names of columns that say what a row is about.
var keyColumns = []string{"title", "name", "label", "model", "product", "item", "subject"}

// rowText returns the text of a row of a table, such as "Model: buick skylark 320. Horsepower:
// 165.", and what the row is about. A value in JSON is one part of the text for each value in it.
func rowText(columns []string, values map[string]string) (key, text string) {
	var parts []leaf
	for _, name := range columns {
		leaves := leavesOf(name, values[name])
		if leaves == nil {
			leaves = []leaf{{name, values[name]}}
		}
		for len(leaves) > 0 {
			path, list := leaves[0].path, []string(nil)
			for len(leaves) > 0 && leaves[0].path == path {
				list = append(list, strings.Join(strings.Fields(leaves[0].value), " "))
				leaves = leaves[1:]
			}
			if value := strings.Join(list, ", "); value != "" {
				parts = append(parts, leaf{path, value})
			}
		}
	}
	var b strings.Builder
	for i, p := range parts {
		if i > 0 {
			b.WriteByte(' ')
		}
		name := p.path
		if _, column := values[name]; !column {
			name = strings.ReplaceAll(name, ".", " ")
		}
		b.WriteString(columnLabel(name) + ": " + p.value)
		if last, _ := utf8.DecodeLastRuneInString(p.value); !strings.ContainsRune(".!?", last) {
			b.WriteByte('.')
		}
	}
	return rowKey(parts, values), b.String()
}

// rowKey returns what a row is about: the value of a column with one of the usual names, which may be
// in an object, or else of the first one that is not a number.
func rowKey(parts []leaf, values map[string]string) (key string) {
	for _, usual := range keyColumns {
		for _, p := range parts {
			if strings.EqualFold(strings.TrimSpace(p.path), usual) {
				return p.value
			}
		}
	}
	for _, p := range parts {
		if _, name, nested := strings.Cut(p.path, "."); nested && slices.Contains(keyColumns, strings.ToLower(name)) {
			return p.value
		}
	}
	for _, p := range parts {
		_, err := strconv.ParseFloat(p.value, 64)
		if _, column := values[p.path]; err != nil && (column || key == "") {
			if key = p.value; column {
				break
			}
		}
	}
	return key
}

// columnLabel returns the name of a column as people write it.
func columnLabel(name string) string {
	name = strings.Join(strings.FieldsFunc(name, func(r rune) bool { return r == '_' || unicode.IsSpace(r) }), " ")
	name = strings.TrimRight(name, ":")
	first, size := utf8.DecodeRuneInString(name)
	return string(unicode.ToUpper(first)) + name[size:]
}
