package textproc

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// A textReader recognizes what is not prose in a text: tables of contents, lists of
// references and links, page headers, and the heads of comments.
type textReader struct {
	text     string
	repeated map[string]int // short lines without their numbers
	inList   bool           // after a heading of a list
	others   int            // blocks of a list in a row that do not look like one
}

// minRepeated is how often a line occurs in a text if it is the header or footer of its pages.
const minRepeated = 3

func newTextReader(text string) textReader {
	r := textReader{text: text}
	if len(text) < minRepeated*minWrapped {
		return r
	}
	r.repeated = map[string]int{}
	for line := range strings.Lines(text) {
		if key := headerKey(strings.TrimSpace(line)); key != "" {
			r.repeated[key]++
		}
	}
	maps.DeleteFunc(r.repeated, func(_ string, n int) bool { return n < minRepeated })
	return r
}

// headerKey returns a line that may be the header of a page without its numbers, "" for
// another line. Most words of a header begin with a capital.
func headerKey(line string) string {
	if len(line) < 12 || len(line) > 80 || strings.ContainsAny(line[len(line)-1:], `.!?:;,"'`) {
		return ""
	}
	words, low := 0, 0
	for word := range strings.FieldsSeq(line) {
		words++
		if first, _ := utf8.DecodeRuneInString(word); unicode.IsLower(first) {
			low++
		}
	}
	if words < 3 || 2*low > words {
		return ""
	}
	if !strings.ContainsAny(line, "0123456789") {
		return line
	}
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return -1
		}
		return r
	}, line))
}

// standsAlone reports whether a line does not belong to a paragraph: a line of a table of
// contents, the header of a page, or the heading of a list, which begins one.
func (r *textReader) standsAlone(line string) bool {
	if isListHeading(line) {
		r.inList, r.others = true, 0
		return true
	}
	return isContentsLine(line) || len(r.repeated) > 0 && r.repeated[headerKey(line)] > 0
}

// isListEntry reports whether a block is an entry of a list of contents, references or links
// that began with a heading. Prose ends the list.
func (r *textReader) isListEntry(text string, marks citationMarks) bool {
	if !r.inList {
		return false
	}
	text = strings.TrimRight(text, closingMarks)
	ended := text != "" && strings.ContainsAny(text[len(text)-1:], ".!?")
	if marks.words < maxEntry && (marks.strong+marks.years > 0 || !ended) {
		r.others = 0
		return true
	}
	if r.others++; marks.words >= maxEntry || r.others > 1 {
		r.inList = false
	}
	return false
}

// maxEntry is the number of words that an entry of a list does not reach, unless it has the
// marks of many references.
const maxEntry = 40

// listHeadings are the headings of lists of contents, references and links.
var listHeadings = sync.OnceValue(func() map[string]bool {
	return setOf(strings.Split("contents|table of contents|index|list of figures|list of tables|list of illustrations|"+
		"references|bibliography|selected bibliography|notes|footnotes|endnotes|citations|works cited|literature cited|literature|"+
		"notes and references|references and notes|further reading|external links|see also|sources|"+
		"related articles|related posts|related content|related links|recommended reading|"+
		"inhalt|inhaltsverzeichnis|literatur|literaturverzeichnis|quellen|einzelnachweise|weblinks|anmerkungen|"+
		"table des matières|sommaire|références|bibliographie|notes et références|liens externes|voir aussi|"+
		"índice|contenido|bibliografía|referencias|enlaces externos|véase también", "|"))
})

func isListHeading(line string) bool {
	if len(line) > 60 {
		return false
	}
	return listHeadings()[strings.ToLower(strings.Trim(line, "#*>_=-:. \t0123456789"))]
}

// Runs of dots between a title and its page: long ones alone, shorter ones before a number.
const (
	minDots        = 5
	minDotsOfALine = 9
)

// isContentsLine reports whether a line is one of a table of contents: dots lead from a
// title to its page.
func isContentsLine(line string) bool {
	for i := strings.IndexByte(line, '.'); i >= 0 && i < len(line); i++ {
		dots, k := 0, i
		for ; k < len(line) && (line[k] == '.' || line[k] == ' '); k++ {
			if line[k] == '.' {
				dots++
			}
		}
		if dots >= minDotsOfALine || dots >= minDots && k < len(line) && '0' <= line[k] && line[k] <= '9' {
			return true
		}
		next := strings.IndexByte(line[k:], '.')
		if next < 0 {
			return false
		}
		i = k + next - 1
	}
	return false
}

// maxCommentHead is the most bytes of the head of a comment.
const maxCommentHead = 160

// commentHead matches the head of a comment on a web page: who wrote it, with date and time,
// or the buttons of the comment before it, with those.
var commentHead = sync.OnceValue(func() *regexp.Regexp {
	const (
		date = `(?:[A-Z][a-z]{2,8}\.? \d{1,2}(?:st|nd|rd|th)?,? \d{4}|\d{1,2} [A-Z][a-z]{2,8}\.? \d{4}|\d{1,4}[-/.]\d{1,2}[-/.]\d{2,4})`
		when = date + `,?(?: at)? \d{1,2}:\d{2}(?::\d{2})?(?: ?[AaPp]\.?[Mm]\b\.?)?(?: [A-Z]{2,4}\b)?`
		says = `(?:says|said|wrote|writes|commented|posted)`
	)
	return regexp.MustCompile(`^(?:.{0,100}?\b(?:Reply|Like)\b.{1,50}?` + when + `|.{1,60}?\b` + says + `:?(?: +on| +at)?\W{0,8}` + when + `|\W*` + when + `\W+\S.{0,40}?\b` + says + `:)`)
})

// commentHeadEnd returns where the head of a comment ends that a line begins with, 0 for
// another line.
func commentHeadEnd(line string) int {
	head := line[:min(len(line), maxCommentHead)]
	contains := func(part string) bool { return strings.Contains(head, part) }
	if !contains(":") || !slices.ContainsFunc([]string{"sa", "wr", "ted", "Reply"}, contains) {
		return 0
	}
	if m := commentHead().FindStringIndex(head); m != nil {
		return m[1]
	}
	return 0
}
