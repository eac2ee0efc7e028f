package pdftext

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const minDropCap = 1.5 // least size of a large first letter, as a multiple of the size of its paragraph

// withDropCaps joins the large first letters of paragraphs with the lines that they begin.
func withDropCaps(lines []line) []line {
	var all, begun []line // begun are the lines that such letters begin
	for i, l := range lines {
		if i > 0 && lines[i-1].isDropCapOf(l) {
			begun = append(begun, l)
		} else {
			all = append(all, l)
		}
	}
	if len(begun) == 0 {
		return lines
	}
	words := vocabularyOf(all)
	for i, letter := range all {
		if len(begun) == 0 || !letter.isDropCapOf(begun[0]) {
			continue
		}
		l := begun[0]
		begun = begun[1:]
		rest := strings.ToLower(firstWord(l.text))
		if l.box.left-letter.box.right > maxTracking*l.size && words[rest] && !words[strings.ToLower(letter.text)+rest] {
			letter.text += " " // it is a word
		}
		l.text, l.cells, l.box.left = letter.text+l.text, nil, letter.box.left
		all[i] = l
	}
	return all
}

// isDropCapOf reports whether a line is the first letter of the one after it: a large capital left of it
// that reaches as far up, and further down. The rest of the word is in lower case, or all in capitals.
func (l line) isDropCapOf(next line) bool {
	letter, n := utf8.DecodeRuneInString(l.text)
	if n != len(l.text) || !unicode.IsUpper(letter) || l.page != next.page || l.turn != next.turn || l.size < minDropCap*next.size {
		return false
	}
	first, n := utf8.DecodeRuneInString(next.text)
	second, _ := utf8.DecodeRuneInString(next.text[n:])
	distance, middle := next.box.left-l.box.right, (next.box.bottom+next.box.top)/2
	return (unicode.IsLower(first) || unicode.IsUpper(first) && unicode.IsUpper(second)) &&
		-next.size/2 < distance && distance < next.size && l.box.bottom < next.box.bottom && middle < l.box.top
}
