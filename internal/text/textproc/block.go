package textproc

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A block is a paragraph, or a message of a chat log.
type block struct {
	Span
	speaker   string
	paragraph int
	notProse  bool // it states nothing: an entry of a list, a page header, the head of a comment
	code      bool
	cites     citationMarks
}

// labels look like speakers, but are not.
const labels = " Time Note Source Title Author "

// A blockSplitter splits a text into blocks, line by line.
type blockSplitter struct {
	lines      textReader
	chat       bool
	out        []block
	cur        block
	open       bool
	lastLength int    // of the line before, if it may continue in the next
	last       string // the line before, if it may continue in the next
	code       codeReader
	item       int // number of the last item of a numbered list
	paragraph  int
}

// blocksOf splits a text into paragraphs and messages.
func blocksOf(text string, chat bool) []block {
	b := blockSplitter{chat: chat}
	if !chat {
		b.lines = newTextReader(text)
	}
	pos := 0
	for line := range strings.Lines(text) {
		start := pos + len(line) - len(strings.TrimLeftFunc(line, unicode.IsSpace))
		s := strings.TrimSpace(line)
		pos += len(line)
		switch {
		case s == "":
			b.flush()
			b.code.blank = true
		case chat:
			b.addMessage(s, start)
		case b.code.holds(s, start-pos+len(line), text[pos:]):
			b.flush()
			b.append(block{Span: Span{start, start + len(s)}, notProse: true, code: true})
		default:
			b.addLine(s, start)
		}
		if s != "" {
			b.code.blank = false
		}
	}
	b.flush()
	return b.out
}

func (b *blockSplitter) flush() {
	if b.open {
		if !b.chat && !b.cur.notProse {
			if text := b.lines.text[b.cur.Start:b.cur.End]; b.lines.inList || mayCite(text) {
				b.cur.cites = citationMarksOf(text)
				b.cur.notProse = b.lines.isListEntry(text, b.cur.cites)
			}
		}
		b.append(b.cur)
	}
	b.open, b.lastLength, b.last = false, 0, ""
}

func (b *blockSplitter) append(x block) {
	x.paragraph = b.paragraph
	b.out = append(b.out, x)
	b.paragraph++
}

// addMessage adds a line of a chat log.
func (b *blockSplitter) addMessage(s string, start int) {
	name, rest := speakerOf(s)
	if rest > 0 {
		b.flush()
	}
	switch {
	case rest > 0 && !strings.Contains(labels, " "+name+" "):
		b.cur, b.open = block{Span: Span{start + rest, start + len(s)}, speaker: name}, true
		b.lastLength, b.last = 0, s[rest:]
	case isTimeOfChat(s):
	default:
		b.extend(s, start)
	}
}

func isTimeOfChat(s string) bool {
	return strings.HasPrefix(s, "Time: ") && len(s) > 6 && '0' <= s[6] && s[6] <= '9'
}

// addLine adds a line of another text.
func (b *blockSplitter) addLine(s string, start int) {
	if isTimeOfChat(s) {
		return
	}
	if n := commentHeadEnd(s); n > 0 {
		b.addAlone(Span{start, start + n})
		rest := strings.TrimLeftFunc(s[n:], unicode.IsSpace)
		if start += len(s) - len(rest); rest == "" {
			return
		}
		s = rest
	}
	if b.lines.standsAlone(s) || isImage(s) {
		b.flush()
		b.addAlone(Span{start, start + len(s)})
		return
	}
	mark := b.listMark(s)
	if mark == len(s) {
		mark = 0
	}
	heading := strings.HasPrefix(strings.TrimLeft(s, "#"), " ") // a line has no space around it
	if mark > 0 || heading || beginsEntry(s) {
		b.flush()
		s, start = s[mark:], start+mark
	}
	b.extend(s, start)
	if heading {
		b.flush()
	}
}

// images matches a line that only shows images, such as badges, or holds a comment of HTML.
var images = regexp.MustCompile(`^(?:(?:\[?!\[[^\]]*\]\([^)]*\)(?:\]\([^)]*\))?|<img[^>]*>|<!--.*-->)\s*)+$`)

func isImage(s string) bool {
	return (strings.Contains(s, "![") || strings.Contains(s, "<")) && images.MatchString(s)
}

// listMark returns the length of the mark of a list item at the beginning of a line, with the space
// after it, or 0. A number is one if it is 1 or follows the number of the item before it: a date may begin
// a line too.
func (b *blockSplitter) listMark(s string) int {
	for _, mark := range []string{"- ", "* ", "+ ", "• ", "– ", "◦ ", "▪ ", "‣ "} {
		if rest, found := strings.CutPrefix(s, mark); found {
			return len(s) - len(strings.TrimLeft(rest, " "))
		}
	}
	digits := len(s) - len(strings.TrimLeft(s, "0123456789"))
	if digits == 0 || digits > 3 || len(s) < digits+2 || s[digits] != '.' && s[digits] != ')' || s[digits+1] != ' ' {
		return 0
	}
	n, _ := strconv.Atoi(s[:digits])
	if n != 1 && n != b.item+1 {
		return 0
	}
	b.item = n
	return digits + 2
}

// addAlone adds a block that is not prose.
func (b *blockSplitter) addAlone(at Span) {
	b.flush()
	b.append(block{Span: at, notProse: true})
}

// extend adds a line to the open block, or to a new one if the line before does not look
// wrapped.
func (b *blockSplitter) extend(s string, start int) {
	length := lineLength(s)
	if b.lastLength < minWrapped && (length > maxShort || !continues(b.last, s)) {
		b.flush()
	}
	if !b.open {
		b.cur, b.open = block{Span: Span{start, start}}, true
	}
	b.cur.End = start + len(s)
	b.lastLength, b.last = length, s
	if first, _ := utf8.DecodeRuneInString(s); start == 0 && unicode.IsLower(first) {
		b.last = "" // a text that was cut in a line, which was longer
	}
}

// continues reports whether a line that may be short continues in the next one: it has no end mark, and
// the next one begins with a word in lower case. Lines of one word are rather a list.
func continues(line, next string) bool {
	next = strings.TrimLeft(next, "> ")
	word, _, several := strings.Cut(next, " ")
	first, _ := utf8.DecodeRuneInString(next)
	if !unicode.IsLower(first) || !strings.Contains(line, " ") || strings.Contains(line, "|") || strings.Contains(next, "|") {
		return false
	}
	bare := strings.TrimRight(word, ".,;!?)")
	isWord := !strings.ContainsFunc(bare, func(r rune) bool { return !isInWord(r) && !strings.ContainsRune("-'’", r) })
	end, _ := utf8.DecodeLastRuneInString(line)
	return isWord && (several || bare != word) && (isInWord(end) || strings.ContainsRune(",-–—)\\\"'’”“»*`", end))
}

// entries matches the beginning of a line of a log, which is a time.
var entries = lazily(`^\[?(?:\d{4}[-/]\d\d[-/]\d\d(?:[ T]\d\d:\d\d|\]? [A-Z\[]{2})|\d\d:\d\d:\d\d|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d)`)

// beginsEntry reports whether a line is one of a log, and not the rest of a wrapped line.
func beginsEntry(s string) bool {
	return len(s) > len("[10:00:00]") && (s[0] == '[' || '0' <= s[0] && s[0] <= '9' || s[3] == ' ') && entries().MatchString(s)
}

// lineLength returns the number of runes of a line, with a run of spaces as one.
func lineLength(s string) int {
	n, space := 0, false
	for _, r := range s {
		if r == ' ' && space {
			continue
		}
		space = r == ' '
		n++
	}
	return n
}
