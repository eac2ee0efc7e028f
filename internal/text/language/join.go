package language

import (
	"cmp"
	"strings"
)

// ands are the words that join the last two of several.
var ands = map[Language]string{
	Arabic: " و", Danish: " og ", Dutch: " en ", English: " and ", French: " et ", German: " und ",
	Greek: " και ", Hebrew: " ו", Hindi: " और ", Italian: " e ", Norwegian: " og ", Portuguese: " e ",
	Russian: " и ", Spanish: " y ", Swedish: " och ", Unknown: " and ",
	Chinese: "和", Japanese: "と", Korean: ", ", Thai: "และ",
}

// Join joins words as the language lists them: "A, B and C". Unknown joins as English.
func (l Language) Join(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	comma := ", "
	if l == Chinese || l == Japanese {
		comma = "、"
	}
	return strings.Join(words[:last], comma) + cmp.Or(ands[l], ands[English]) + words[last]
}
