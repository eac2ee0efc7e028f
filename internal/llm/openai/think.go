package openai

import "strings"

const (
	thinkOpen  = "<think>"
	thinkClose = "</think>"
)

// stripThink removes what a reasoning model thinks aloud: blocks at the start of
// the answer or of a line, also one that never ends, and a first block of which
// the server's template swallowed the opening tag. Tags within a line stay: they
// may be quoted from a document.
func stripThink(text string) string {
	if !strings.Contains(text, thinkClose) && !strings.Contains(text, thinkOpen) {
		return strings.TrimSpace(text)
	}
	if head, rest, found := strings.Cut(text, thinkClose); found && !strings.Contains(head, thinkOpen) &&
		(strings.HasSuffix(strings.TrimRight(head, " \t"), "\n") || strings.HasPrefix(rest, "\n")) {
		text = rest
	}
	var f thinkFilter
	return strings.TrimSpace(f.push(text) + f.end())
}

// A thinkFilter removes thinking from a text that comes in pieces. It holds
// back what may be the start of a tag.
type thinkFilter struct {
	held    string
	inside  bool
	midline bool // something other than blanks stands before, on this line
	started bool // something was given out
}

// push takes a piece and gives what can be shown.
func (f *thinkFilter) push(piece string) string {
	f.held += piece
	var out strings.Builder
	for f.held != "" {
		if f.inside {
			i := strings.Index(f.held, thinkClose)
			if i < 0 {
				f.held = f.held[max(0, len(f.held)-len(thinkClose)+1):]
				break
			}
			f.held, f.inside = f.held[i+len(thinkClose):], false
			if !f.started {
				f.held = strings.TrimLeft(f.held, " \t\r\n")
			}
			continue
		}
		if !f.midline && strings.HasPrefix(f.held, thinkOpen) {
			f.held, f.inside = f.held[len(thinkOpen):], true
			continue
		}
		if !f.midline && strings.HasPrefix(thinkOpen, f.held) {
			break // may become a tag
		}
		f.give(&out)
	}
	return out.String()
}

// give moves text to the output up to the next place where a tag may stand.
func (f *thinkFilter) give(out *strings.Builder) {
	n := 1
	switch {
	case f.midline:
		if n = strings.IndexByte(f.held, '\n') + 1; n == 0 {
			n = len(f.held)
		} else {
			f.midline = false
		}
	case strings.IndexByte(" \t\r\n", f.held[0]) < 0:
		f.midline = true
	}
	if text := f.held[:n]; f.started || strings.TrimSpace(text) != "" {
		out.WriteString(text)
		f.started = true
	}
	f.held = f.held[n:]
}

// end gives what was held back to the last.
func (f *thinkFilter) end() string {
	held := f.held
	f.held = ""
	if f.inside {
		return ""
	}
	return held
}
