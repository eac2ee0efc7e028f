package textproc

import "strings"

// citationMarks are what a text has of a list of references.
type citationMarks struct {
	words  int
	strong int // pages, volumes, publishers, initials after surnames, addresses, numbers of notes
	years  int // between marks, as in "(1993)"
}

// isDense reports whether a text is a list of references, and not prose that cites.
func (c citationMarks) isDense() bool {
	const wordsPerMark = 14
	marks := c.strong + c.years
	return c.strong > 0 && marks > 2 && wordsPerMark*marks >= c.words
}

// areSeveral reports whether a text without a verb is a reference.
func (c citationMarks) areSeveral() bool { return c.strong > 0 && c.strong+c.years > 1 }

// citationWords are the words that references have and prose has not.
const citationWords = " p pp vol vols ibid eds al op cit loc hrsg isbn issn doi publ cf vgl ff "

// citationMarksOf counts the marks of references in a text.
func citationMarksOf(text string) citationMarks {
	var c citationMarks
	previous := ""
	for field := range strings.FieldsSeq(text) {
		c.words++
		if isPlain(field) {
			previous = field
			continue
		}
		switch word := strings.Trim(field, "([{\"'_*.,;:)]}"); {
		case c.words == 1 && isNoteNumber(field), strings.HasPrefix(field, "http"), strings.HasPrefix(word, "www."),
			isCitationWord(word, field), isInitialOfSurname(field, previous),
			word == "Press" && strings.HasSuffix(field, ","):
			c.strong++
		case isCitedYear(word, field, previous):
			c.years++
		}
		previous = field
	}
	return c
}

// mayCite reports whether a text may have strong marks, without reading each word.
func mayCite(text string) bool {
	if field, _, _ := strings.Cut(text, " "); isNoteNumber(field) || strings.Contains(text, "http") || strings.Contains(text, "www.") || strings.Contains(text, "Press,") {
		return true
	}
	for end := strings.IndexByte(text, '.'); end >= 0; {
		start := end
		for start > 0 && isASCIILetter(text[start-1]) {
			start--
		}
		word := text[start:end]
		if len(word) == 1 && word[0] <= 'Z' || len(word) <= len("publ") && isCitationWord(word, word+".") {
			return true
		}
		next := strings.IndexByte(text[end+1:], '.')
		if next < 0 {
			break
		}
		end += 1 + next
	}
	return false
}

func isASCIILetter(c byte) bool { return c|32 >= 'a' && c|32 <= 'z' }

// isPlain reports whether a field is a word without marks, which is most of them.
func isPlain(field string) bool {
	return isASCIILetter(field[0]) && isASCIILetter(field[len(field)-1]) && !strings.HasPrefix(field, "http") && !strings.HasPrefix(field, "www.")
}

// isNoteNumber reports whether a field is the number of a note: [12], (30), 12. or ^.
func isNoteNumber(field string) bool {
	if field == "^" || field == "↑" {
		return true
	}
	digits := strings.Trim(field, "[](){}.*>")
	return digits != "" && digits != field && len(digits) < 4 && strings.Trim(digits, "0123456789") == ""
}

func isCitationWord(word, field string) bool {
	if len(word) > len("publ") || word == field { // a mark follows each of them
		return false
	}
	lower := strings.ToLower(word)
	return lower != "" && strings.Contains(citationWords, " "+lower+" ")
}

// isInitialOfSurname reports whether a field is an initial after a surname: "Bell, J." or
// "Bell J.,".
func isInitialOfSurname(field, previous string) bool {
	if len(field) < 2 || field[0] < 'A' || field[0] > 'Z' || field[1] != '.' || previous == "" {
		return false
	}
	capital := previous[0] >= 'A' && previous[0] <= 'Z' || previous[0] >= 0x80
	if !capital || len(previous) < 3 {
		return false
	}
	return len(field) == 2 && strings.HasSuffix(previous, ",") || len(field) == 3 && (field[2] == ',' || field[2] == ';')
}

// isCitedYear reports whether a field is a year between marks, and not the year of a date.
func isCitedYear(word, field, previous string) bool {
	if len(word) == 5 && 'a' <= word[4] && word[4] <= 'c' {
		word = word[:4]
	}
	if len(word) != 4 || word[0] != '1' && word[0] != '2' || strings.Trim(word, "0123456789") != "" {
		return false
	}
	if strings.HasPrefix(field, "(") {
		return true
	}
	before := strings.TrimRight(previous, ",")
	if before == previous && !strings.HasSuffix(previous, ".") && !strings.HasSuffix(previous, ":") || strings.Trim(before, "0123456789") != before {
		return false // the day of a date ends with a digit
	}
	return strings.ContainsAny(field[len(field)-1:], ".,;)") && ClassOf(strings.ToLower(before))&Calendar == 0
}
