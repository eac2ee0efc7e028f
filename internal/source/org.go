package source

import (
	"regexp"
	"strings"
)

var (
	orgTags = regexp.MustCompile(`\s+:[\w@:]+:$`)
	orgTodo = regexp.MustCompile(`^(?:TODO|DONE)\s+`)
)

// orgHeadings returns the headings of an Org file, without their states and tags. Its title is the
// first one.
func orgHeadings(text string) []heading {
	var out []heading
	block := false
	eachLine(text, func(line string, start int) {
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
				out = append(out, heading{level: 0, title: title, start: start})
			}
		case stars > 0 && strings.HasPrefix(line[stars:], " "):
			title := orgTodo.ReplaceAllString(strings.TrimSpace(line[stars:]), "")
			if title = orgTags.ReplaceAllString(title, ""); title != "" {
				out = append(out, heading{level: stars, title: title, start: start})
			}
		}
	})
	return out
}
