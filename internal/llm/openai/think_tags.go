package openai

import "strings"

const (
	thinkOpen  = "<think>"
	thinkClose = "</think>"
)

// stripThink removes the reasoning of a model from its answer: blocks between think tags
// at the start of the answer or of a line, even one without an end, and a first block
// whose opening tag is missing because the server's template consumed it. Tags within a
// line stay, since they may be quoted from a document.
func stripThink(text string) string {
	if !strings.Contains(text, thinkClose) && !strings.Contains(text, thinkOpen) {
		return strings.TrimSpace(text)
	}
	if head, rest, found := strings.Cut(text, thinkClose); found && !strings.Contains(head, thinkOpen) &&
		(strings.HasSuffix(strings.TrimRight(head, " \t"), "\n") || strings.HasPrefix(rest, "\n")) {
		text = rest
	}
	var f thinkFilter
	return strings.TrimSpace(f.push(text) + f.flush())
}

// A thinkFilter removes reasoning from a streamed text. It holds back what may be the
// start of a tag.
type thinkFilter struct {
	held    string
	inBlock bool
	midLine bool // the current line has more than white space already
	emitted bool // some text was returned
}

// push adds a piece of the text and returns what can be shown.
func (f *thinkFilter) push(piece string) string {
	f.held += piece
	var out strings.Builder
	for f.held != "" {
		if f.inBlock {
			i := strings.Index(f.held, thinkClose)
			if i < 0 {
				f.held = f.held[max(0, len(f.held)-len(thinkClose)+1):]
				break
			}
			f.held, f.inBlock = f.held[i+len(thinkClose):], false
			if !f.emitted {
				f.held = strings.TrimLeft(f.held, " \t\r\n")
			}
			continue
		}
		if !f.midLine && strings.HasPrefix(f.held, thinkOpen) {
			f.held, f.inBlock = f.held[len(thinkOpen):], true
			continue
		}
		if !f.midLine && strings.HasPrefix(thinkOpen, f.held) {
			break // may be the start of a tag
		}
		f.release(&out)
	}
	return out.String()
}

// release moves text to out up to the next position where a tag may begin.
func (f *thinkFilter) release(out *strings.Builder) {
	n := 1
	switch {
	case f.midLine:
		if n = strings.IndexByte(f.held, '\n') + 1; n == 0 {
			n = len(f.held)
		} else {
			f.midLine = false
		}
	case strings.IndexByte(" \t\r\n", f.held[0]) < 0:
		f.midLine = true
	}
	if text := f.held[:n]; f.emitted || strings.TrimSpace(text) != "" {
		out.WriteString(text)
		f.emitted = true
	}
	f.held = f.held[n:]
}

// flush returns what is still held back at the end of the text.
func (f *thinkFilter) flush() string {
	held := f.held
	f.held = ""
	if f.inBlock {
		return ""
	}
	return held
}
