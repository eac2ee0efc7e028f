package cite

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// listHeadings are the headings that models give to a list of references at the end of an
// answer, in lower case, in the languages that prompts are answered in most.
var listHeadings = func() map[string]bool {
	headings := map[string]bool{}
	for _, words := range []string{
		"references|reference|reference list|document references|sources|sources cited|sources used|cited sources|citations|bibliography|works cited|footnotes",
		"referenzen|quellen|quellenangaben|quellenverzeichnis|literatur|literaturverzeichnis|belege|nachweise|einzelnachweise|fußnoten",
		"références|sources citées|bibliographie|notes de bas de page",
		"referencias|fuentes|fuentes citadas|bibliografía",
		"riferimenti|fonti|bibliografia",
		"referências|fontes|referências bibliográficas",
		"referenties|bronnen|bronvermelding|literatuur|literatuurlijst",
		"источники|ссылки|литература|список литературы|библиография",
		"参考文献|参考资料|參考文獻|參考資料|来源|來源|资料来源|引用|引用来源|出处",
		"参考資料|出典|引用文献|参照",
	} {
		for heading := range strings.SplitSeq(words, "|") {
			headings[heading] = true
		}
	}
	return headings
}()

var (
	// listEntry matches a line that begins with the number of a reference: [2], [2.3], 【2】, [^2]:,
	// (2), 2. or 2), also as an item.
	listEntry = regexp.MustCompile(`^[ \t]*(?:[-*+•][ \t]+)?\\?(?:[\[【［]\^?(?:\d{1,4}(?:\.\d{1,4})?|\pL+:?[ \t]*\pL*[ \t(]*\d[^\]】］]*)\\?[\]】］]|\(\d{1,4}\)|\d{1,4}[.)][ \t])`)
	// listFile matches an item that is only the name of a file or an address.
	listFile = regexp.MustCompile("^[ \\t]*(?:[-*+•][ \\t]+)?[`*_<]*(?:https?://\\S+|[^\\s\\[\\]|]{1,120}\\.[a-zA-Z0-9]{2,5})[`*_>]*[ \\t]*$")
	// footnote matches the definition of a footnote, which needs no heading.
	footnote = regexp.MustCompile(`^[ \t]*\[\^\d{1,4}\]:`)
	rule     = regexp.MustCompile(`^[ \t]*(?:-{3,}|\*{3,}|_{3,})[ \t]*$`)
)

// maxOwnList bounds the text of a list of references, of which a stream holds the whole back.
const maxOwnList = 8 << 10

// An ownList removes the list of references that a model adds to its answer, also where nothing
// asks for one. Its numbers do not cite: they name records again, or nothing. The list
// ends the answer, and has entries that begin with numbers or are names of files. It takes the answer
// in pieces and holds back what may be the list.
type ownList struct {
	deliver func(string)
	removed int // entries

	line    string // the beginning of a line
	passed  bool   // the beginning of this line was delivered
	begun   bool   // the answer has text
	held    string // lines that may be the list
	heading bool   // held has the heading of a list, or a footnote
	entries int    // in held
}

// write takes the next piece of the answer.
func (l *ownList) write(piece string) {
	l.line += piece
	for {
		end := strings.IndexByte(l.line, '\n') + 1
		if end == 0 {
			break
		}
		l.take(l.line[:end])
		l.line = l.line[end:]
	}
	if l.passed || l.held == "" && !mayBeginList(l.line) {
		l.passed = l.passed || l.line != ""
		l.pass(l.line)
		l.line = ""
	}
}

// maxHeading is the most bytes of a heading with its marks and an entry after it.
const maxHeading = 120

// footnoteStart matches the beginning of a footnote that is not complete.
var footnoteStart = regexp.MustCompile(`^[ \t]*(?:\[(?:\^(?:\d{1,4}\]?)?)?)?$`)

// mayBeginList reports whether the beginning of a line may be a rule, a footnote or the heading of
// a list. It is true for the beginnings of all lines that take holds back.
func mayBeginList(line string) bool {
	for n := 1; n < utf8.UTFMax && n <= len(line); n++ { // a character that is not complete
		if at := len(line) - n; utf8.RuneStart(line[at]) {
			if !utf8.FullRuneInString(line[at:]) {
				line = line[:at]
			}
			break
		}
	}
	if footnoteStart.MatchString(line) || footnote.MatchString(line) {
		return true
	}
	trimmed := strings.TrimLeft(line, " \t#*_-\r")
	if len(line) > maxHeading {
		return false
	}
	name, _ := headingName(trimmed)
	for heading := range listHeadings {
		if strings.HasPrefix(heading, name) {
			return true
		}
	}
	return false
}

// take takes a line.
func (l *ownList) take(line string) {
	if l.passed {
		l.passed = false
		l.pass(line)
		return
	}
	text := strings.TrimRight(line, "\r\n")
	name, rest := headingName(text)
	isHeading := len(text) <= maxHeading && listHeadings[name] && (rest == "" || listEntry.MatchString(rest))
	isEntry := l.heading && (listEntry.MatchString(text) || listFile.MatchString(text))
	switch {
	case l.begun && footnote.MatchString(text):
		l.heading = true
		l.entries++
	case l.begun && isHeading:
		l.heading = true
		if rest != "" {
			l.entries++
		}
	case isEntry && !endsWithCitation(text):
		l.entries++
	case l.held != "" && strings.TrimSpace(text) == "":
	case l.begun && rule.MatchString(text):
		l.release()
	default:
		l.release()
		l.pass(line)
		return
	}
	if l.held += line; len(l.held) > maxOwnList {
		l.release()
	}
}

// endsWithCitation reports whether an item states something, as its citation at the end shows.
func endsWithCitation(line string) bool {
	line = strings.TrimRight(line, " \t.。*_")
	if !strings.HasSuffix(line, "]") && !strings.HasSuffix(line, "】") && !strings.HasSuffix(line, "］") {
		return false
	}
	begin := strings.LastIndexAny(line, "[【［")
	return begin > 0 && strings.ContainsAny(line[begin:], "0123456789") && len(strings.Fields(listEntry.ReplaceAllString(line[:begin], ""))) > 0
}

// headingName returns a line without the marks of a heading, in lower case, and what follows its
// colon.
func headingName(line string) (name, rest string) {
	line = strings.ReplaceAll(strings.TrimSpace(line), "：", ":")
	name, rest, _ = strings.Cut(strings.Trim(line, "#*_ \t"), ":")
	return strings.ToLower(strings.Trim(name, "#*_ \t")), strings.Trim(rest, "*_ \t")
}

// release delivers what is held back, which is not a list.
func (l *ownList) release() {
	held := l.held
	l.held, l.heading, l.entries = "", false, 0
	l.pass(held)
}

func (l *ownList) pass(text string) {
	if text == "" {
		return
	}
	l.begun = l.begun || strings.TrimSpace(text) != ""
	l.deliver(text)
}

// close ends the answer.
func (l *ownList) close() {
	if l.line != "" {
		line := l.line
		l.line = ""
		l.take(line)
	}
	if l.entries == 0 {
		l.release()
	}
	l.removed, l.held = l.entries, ""
}
