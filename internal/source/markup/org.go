package markup

import (
	"regexp"
	"strings"

	"github.com/neorag/neorag/internal/source/parse"
)

var (
	orgTags = regexp.MustCompile(`\s+:[\w@:]+:$`)
	orgTodo = regexp.MustCompile(`^(?:TODO|DONE)\s+`)
)

// OrgHeadings returns the headings of an Org file, without their states and tags. Its title is the
// first one.
func OrgHeadings(text string) []parse.Heading {
	var out []parse.Heading
	block := false
	parse.EachLine(text, func(line string, start int) {
		line = strings.TrimRight(line, " \t")
		lower := strings.ToLower(line)
		stars := len(line) - len(strings.TrimLeft(line, "*"))
		switch {
		case strings.HasPrefix(lower, "#+begin_"):
			block = true
		case strings.HasPrefix(lower, "#+end_"):
			block = false
		case block:
		case strings.HasPrefix(lower, "#+title:"):
			if title := strings.TrimSpace(line[len("#+title:"):]); title != "" {
				out = append(out, parse.Heading{Level: 0, Title: title, Start: start})
			}
		case stars > 0 && strings.HasPrefix(line[stars:], " "):
			title := orgTodo.ReplaceAllString(strings.TrimSpace(line[stars:]), "")
			if title = orgTags.ReplaceAllString(title, ""); title != "" {
				out = append(out, parse.Heading{Level: stars, Title: title, Start: start})
			}
		}
	})
	return out
}
