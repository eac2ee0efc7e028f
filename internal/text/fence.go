package text

import "strings"

// Fence returns the back quotes or tildes with which a line begins a block of code in Markdown, or "".
func Fence(line string) string {
	for _, c := range []string{"`", "~"} {
		mark := line[:len(line)-len(strings.TrimLeft(line, c))]
		if len(mark) > 2 && (c == "~" || !strings.Contains(line[len(mark):], c)) {
			return mark
		}
	}
	return ""
}

// ClosesFence reports whether a line ends the block of code that a fence began.
func ClosesFence(line, fence string) bool {
	return strings.HasPrefix(line, fence) && strings.Trim(line, fence[:1]) == ""
}
