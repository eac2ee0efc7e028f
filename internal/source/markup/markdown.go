package markup

import (
	"regexp"
	"strings"

	"github.com/neorag/neorag/internal/source/parse"
	"github.com/neorag/neorag/internal/text"
)

// maxSetext is the length, in bytes, of the longest paragraph that a line below can make a heading.
const maxSetext = 500

// MarkdownHeadings returns the headings outside code blocks, comments and blocks of HTML that are
// not Markdown.
func MarkdownHeadings(markdown string) []parse.Heading {
	var out []parse.Heading
	ends := map[string]int{}
	fence, closing, before, beforeStart, lines, blank := "", "", "", 0, 0, true
	parse.EachLine(markdown, func(line string, start int) {
		indent := len(line) - len(strings.TrimLeft(line, " "))
		line = strings.TrimSpace(line)
		mark := text.Fence(line)
		switch {
		case fence != "":
			if text.ClosesFence(line, fence) {
				fence = ""
			}
			line = ""
		case closing != "":
		case mark != "":
			fence, line = mark, ""
		case indent < 4 && isHashes(line):
			if h := (parse.Heading{Level: len(line) - len(strings.TrimLeft(line, "#")), Title: hashTitle(line), Start: start}); h.Title != "" {
				out = append(out, h)
			}
			line = ""
		case before != "" && isUnderline(line) && (lines == 1 || line[0] == '='): // "---" below more lines is often a rule
			level := 1
			if line[0] == '-' {
				level = 2
			}
			out = append(out, parse.Heading{Level: level, Title: trimEmphasis(before), Start: beforeStart})
			line = ""
		case indent < 4:
			if closing = htmlEnd(line); closing != "" && !occursAfter(markdown, closing, start, ends) {
				closing = ""
			}
		}
		if closing != "" {
			if strings.Contains(line, closing) {
				closing = ""
			}
			line = ""
		}
		switch {
		case line == "", strings.ContainsAny(line[:1], "-*+>|=<"): // no list, quotation or table
			before = ""
		case blank:
			before, beforeStart, lines = line, start, 1
		case before != "" && len(before)+len(line) < maxSetext:
			before, lines = before+" "+line, lines+1
		default:
			before = ""
		}
		blank = line == ""
	})
	return out
}

// htmlEnd returns what ends a block of HTML that a line begins, in which nothing is Markdown, or "".
func htmlEnd(line string) string {
	if strings.HasPrefix(line, "<!--") {
		return "-->"
	}
	for _, name := range []string{"pre", "script", "style", "textarea"} {
		if rest, found := strings.CutPrefix(line, "<"+name); found && (rest == "" || strings.ContainsAny(rest[:1], " \t>")) {
			return "</" + name + ">"
		}
	}
	return ""
}

// occursAfter reports whether a part occurs in a text after a place. ends are the last places of
// the parts that were looked for.
func occursAfter(text, part string, at int, ends map[string]int) bool {
	if _, known := ends[part]; !known {
		ends[part] = strings.LastIndex(text, part)
	}
	return ends[part] >= at
}

// isHashes reports whether a line begins with one to six "#" and a space or tab.
func isHashes(line string) bool {
	rest := strings.TrimLeft(line, "#")
	n := len(line) - len(rest)
	return n >= 1 && n <= 6 && rest != "" && strings.ContainsAny(rest[:1], " \t")
}

// isUnderline reports whether a line underlines the heading before it.
func isUnderline(line string) bool {
	return len(line) >= 3 && (strings.Trim(line, "=") == "" || strings.Trim(line, "-") == "")
}

// hashTitle returns the title in a line of hashes, which may also end with some.
func hashTitle(line string) string {
	title := strings.TrimSpace(strings.TrimLeft(line, "#"))
	if at := attributes.FindStringIndex(title); at != nil {
		title = strings.TrimSpace(title[:at[0]])
	}
	if bare := strings.TrimRight(title, "#"); bare == "" || strings.HasSuffix(bare, " ") {
		title = strings.TrimSpace(bare)
	}
	return trimEmphasis(title)
}

// attributes match the attributes at the end of a heading, such as {#name} or {: .class }.
var attributes = regexp.MustCompile(`\s*\{ ?[:#.][^{}]*\}$`)

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
