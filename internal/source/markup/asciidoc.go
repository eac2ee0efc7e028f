package markup

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/neorag/neorag/internal/source/parse"
)

// AsciidocHeadings returns the headings of AsciiDoc, outside blocks: lines that begin with "=" or
// "#", and lines with a line of marks of their length below.
func AsciidocHeadings(text string) []parse.Heading {
	var out []parse.Heading
	block, title, titleStart, blank := "", "", 0, true
	parse.EachLine(text, func(line string, start int) {
		line = strings.TrimRight(line, " \t")
		name, written := strings.TrimLeft(line, "=#"), line
		marks := line[:len(line)-len(name)]
		switch {
		case block != "":
			if line == block {
				block = ""
			}
			line = ""
		case title != "" && underlines(line, title):
			out = append(out, parse.Heading{Level: 1 + strings.IndexByte("=-~^+", line[0]), Title: title, Start: titleStart})
			line = ""
		case strings.HasPrefix(line, "```"):
			block, line = "```", ""
		case len(line) >= 4 && strings.ContainsAny(line[:1], "-.=*_+/|") && strings.Trim(line, line[:1]) == "":
			block, line = line, ""
		case marks != "" && len(marks) <= 6 && strings.HasPrefix(name, " ") && (marks[0] == '=' || blank) && strings.Trim(marks, marks[:1]) == "":
			if name = strings.TrimSpace(strings.TrimSuffix(name, " "+marks)); name != "" {
				out = append(out, parse.Heading{Level: len(marks), Title: name, Start: start})
			}
			line = ""
		}
		title = ""
		if first, _ := utf8.DecodeRuneInString(line); blank && (unicode.IsLetter(first) || unicode.IsDigit(first)) {
			title, titleStart = line, start
		}
		blank = written == "" || strings.HasPrefix(written, "[") && !strings.HasPrefix(written, "[source")
	})
	return out
}

// underlines reports whether a line of marks has the length of a title, or one more or less.
func underlines(line, title string) bool {
	return line != "" && strings.ContainsAny(line[:1], "=-~^+") && strings.Trim(line, line[:1]) == "" &&
		max(2, len(line)-1) <= utf8.RuneCountInString(title) && utf8.RuneCountInString(title) <= len(line)+1
}
