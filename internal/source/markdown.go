package source

import (
	"strings"
)

var _ = register(format{
	mime:       "text/markdown",
	extensions: []string{".md", ".markdown", ".mdown", ".mkd"},
	read:       readMarkup(markdownHeadings),
	headings:   markdownHeadings,
})

// markdownHeadings returns the headings outside code blocks.
func markdownHeadings(text string) []heading {
	var out []heading
	fence, before, beforeStart, blank := "", "", 0, true
	eachLine(text, func(line string, start int) {
		indent := len(line) - len(strings.TrimLeft(line, " "))
		line = strings.TrimSpace(line)
		mark := fenceOf(line)
		switch {
		case fence != "":
			if strings.HasPrefix(mark, fence) && mark == line {
				fence = ""
			}
			line = ""
		case len(mark) >= 3:
			fence, line = mark, ""
		case indent < 4 && isHashes(line):
			if h := (heading{len(line) - len(strings.TrimLeft(line, "#")), hashTitle(line), start}); h.title != "" {
				out = append(out, h)
			}
			line = ""
		case before != "" && isUnderline(line):
			level := 1
			if line[0] == '-' {
				level = 2
			}
			out = append(out, heading{level, trimEmphasis(before), beforeStart})
			line = ""
		}
		if before, beforeStart = "", start; blank && line != "" && !strings.ContainsAny(line[:1], "-*+>|=<") {
			before = line // a paragraph of one line, so far; no list, quotation or table
		}
		blank = line == ""
	})
	return out
}

// fenceOf returns the back quotes or tildes at the beginning of a line.
func fenceOf(line string) string {
	for _, c := range "`~" {
		if mark := line[:len(line)-len(strings.TrimLeft(line, string(c)))]; mark != "" {
			return mark
		}
	}
	return ""
}

// isHashes reports whether a line begins with one to six "#" and a space.
func isHashes(line string) bool {
	rest := strings.TrimLeft(line, "#")
	n := len(line) - len(rest)
	return n >= 1 && n <= 6 && strings.HasPrefix(rest, " ")
}

// isUnderline reports whether a line underlines the heading before it.
func isUnderline(line string) bool {
	return len(line) >= 3 && (strings.Trim(line, "=") == "" || strings.Trim(line, "-") == "")
}

// hashTitle returns the title in a line of hashes, which may also end with some.
func hashTitle(line string) string {
	title := strings.TrimSpace(strings.TrimLeft(line, "#"))
	if bare := strings.TrimRight(title, "#"); bare == "" || strings.HasSuffix(bare, " ") {
		title = strings.TrimSpace(bare)
	}
	return trimEmphasis(title)
}

// trimEmphasis removes emphasis around the whole title.
func trimEmphasis(title string) string {
	for _, mark := range []string{"**", "__", "*", "_", "`"} {
		inner, front := strings.CutPrefix(title, mark)
		inner, back := strings.CutSuffix(inner, mark)
		if front && back && !strings.Contains(inner, mark) {
			return inner
		}
	}
	return title
}
