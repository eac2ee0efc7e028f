package textproc

import (
	"strings"

	"github.com/neorag/neorag/internal/text"
)

// A codeReader recognizes the lines of blocks of code in Markdown, Org, AsciiDoc and reStructuredText.
type codeReader struct {
	end      string // what the line begins with that ends the block, "" outside of one
	unclosed string // beginnings that no line after this one has
	literal  literal
	blank    bool // the line before is blank
}

// A literal is a block of reStructuredText that is indented after a line with "::".
type literal struct {
	open, begun bool
	indent      int // of the line with "::"
}

// holds reports whether a line is one of a block of code, or begins or ends one. A mark that
// nothing in the rest of the text closes begins no block.
func (c *codeReader) holds(s string, indent int, rest string) bool {
	if c.end != "" {
		if text.ClosesFence(s, c.end) || c.end == "#+end_" && strings.HasPrefix(strings.ToLower(s), c.end) {
			c.end = ""
		}
		return true
	}
	if c.inLiteral(s, indent) {
		return true
	}
	end := codeEnd(s, c.blank)
	if end == "" || strings.Contains(c.unclosed, end+" ") {
		return false
	}
	switch occurs, ends := closes(rest, end); {
	case !occurs:
		c.unclosed += end + " "
		return false
	case !ends:
		return false
	}
	c.end = end
	return true
}

// codeEnd returns what the line begins with that ends the block of code that a line begins, or "".
func codeEnd(s string, afterBlank bool) string {
	switch s[0] {
	case '`', '~':
		return text.Fence(s)
	case '#':
		if lower := strings.ToLower(s[:min(len(s), len("#+begin_example"))]); strings.HasPrefix(lower, "#+begin_src") || lower == "#+begin_example" {
			return "#+end_"
		}
	case '-':
		if s == "----" && afterBlank {
			return s
		}
	}
	return ""
}

// closes reports whether an end of a block of code occurs in the rest of a text, and whether it ends a
// block that begins here. Four hyphens do so only between lines that are not blank: they are a rule of
// Markdown too.
func closes(rest, end string) (occurs, ends bool) {
	switch end {
	case "#+end_":
		occurs = strings.Contains(rest, "\n#+END_") || strings.Contains(rest, "\n#+end_")
	case "----":
		at := strings.Index(rest, "\n----\n")
		if at < 0 && strings.HasSuffix(rest, "\n----") {
			at = len(rest) - len("\n----")
		}
		return at >= 0, at > 0 && rest[at-1] != '\n' && rest[0] != '\n'
	default:
		occurs = strings.Contains(rest, "\n"+end) || strings.HasPrefix(rest, end)
	}
	return occurs, occurs
}

// inLiteral reports whether a line is one of an indented block of code.
func (c *codeReader) inLiteral(s string, indent int) bool {
	l := &c.literal
	if l.open {
		if indent > l.indent && (l.begun || c.blank) {
			l.begun = true
			return true
		}
		*l = literal{}
	}
	if !strings.Contains(s, "::") {
		return false
	}
	directive := strings.HasPrefix(s, ".. code") || strings.HasPrefix(s, ".. sourcecode")
	if directive || strings.HasSuffix(s, "::") && !strings.HasPrefix(s, "..") {
		*l = literal{open: true, begun: directive, indent: indent}
	}
	return directive
}
