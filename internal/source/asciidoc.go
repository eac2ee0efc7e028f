package source

import "strings"

var _ = register(format{mime: "text/asciidoc", extensions: []string{".adoc", ".asciidoc"}, read: readMarkup(asciidocHeadings), headings: asciidocHeadings})

// asciidocHeadings returns the headings of AsciiDoc, outside blocks.
func asciidocHeadings(text string) []heading {
	var out []heading
	block := ""
	eachLine(text, func(line string, start int) {
		line = strings.TrimRight(line, " \t")
		marks := line[:len(line)-len(strings.TrimLeft(line, "="))]
		switch {
		case block != "":
			if line == block {
				block = ""
			}
		case len(line) >= 4 && strings.ContainsAny(line[:1], "-.=*_+/|") && strings.Trim(line, line[:1]) == "":
			block = line
		case marks != "" && len(marks) <= 6 && strings.HasPrefix(line[len(marks):], " "):
			out = append(out, heading{len(marks), strings.TrimSpace(strings.TrimSuffix(line[len(marks):], " "+marks)), start})
		}
	})
	return out
}
