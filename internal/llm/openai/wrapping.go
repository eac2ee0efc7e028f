package openai

import "strings"

// cleanAnswer returns the answer in the text of a model: without reasoning, without the fence
// of Markdown around it, and without control tokens at its end.
func cleanAnswer(text string) string {
	c := cleaner{reasoning: reasoningFilter{whole: true}}
	return strings.TrimSpace(c.push(text) + c.flush())
}

// A cleaner is cleanAnswer for a text that arrives in pieces. It does not know that a text is
// reasoning whose beginning is missing before the end comes; cleanAnswer does.
type cleaner struct {
	reasoning reasoningFilter
	fence     fenceFilter
	tail      tailFilter
}

// push adds a piece of the text and returns what can be shown.
func (c *cleaner) push(piece string) string {
	return c.fence.push(c.tail.push(c.reasoning.push(piece)))
}

// flush returns what is still held back at the end of the text.
func (c *cleaner) flush() string {
	last := c.tail.push(c.reasoning.flush()) + c.tail.flush()
	return c.fence.push(last) + c.fence.flush()
}

// A fenceFilter removes the lines of a fence around a text of Markdown, which models add to
// answers. Only a fence that names Markdown is one of these: any other is code, which was
// asked for.
type fenceFilter struct {
	held  string
	begun bool // it is known whether there is a fence
	open  bool // in the fence
	inner bool // in a code block in the fence
	mid   bool // the beginning of the line was returned
}

func (f *fenceFilter) push(piece string) string {
	f.held += piece
	if !f.begun {
		found, possible := beginsWith(f.held, codeFence)
		end := strings.IndexByte(f.held, '\n')
		if possible || found && end < 0 && len(f.held) < 16 {
			return "" // which language it names is not known yet
		}
		f.begun = true
		if found && end >= 0 {
			switch language := strings.TrimSpace(f.held[len(codeFence):end]); strings.ToLower(language) {
			case "markdown", "md":
				f.open, f.held = true, f.held[end+1:]
			}
		}
	}
	var out strings.Builder
	for f.open && f.held != "" && f.line(&out) {
	}
	if !f.open {
		out.WriteString(f.held)
		f.held = ""
	}
	return out.String()
}

// line moves a line to out, or the part that is there. It reports false if more is needed.
func (f *fenceFilter) line(out *strings.Builder) bool {
	end := strings.IndexByte(f.held, '\n') + 1
	if !f.mid {
		found, possible := beginsWith(f.held, codeFence)
		switch {
		case possible || found && end == 0:
			return false
		case found && f.closes(f.held[:end]):
			f.held = f.held[end:]
			return true
		}
	}
	f.mid = end == 0
	if f.mid {
		end = len(f.held)
	}
	out.WriteString(f.held[:end])
	f.held = f.held[end:]
	return true
}

// closes reports whether a line of a fence is the end of the outer one.
func (f *fenceFilter) closes(line string) bool {
	switch bare := strings.TrimSpace(line) == codeFence; {
	case !bare:
		f.inner = true
	case f.inner:
		f.inner = false
	default:
		f.open = false
	}
	return !f.open
}

func (f *fenceFilter) flush() string {
	held := f.held
	f.held = ""
	if f.open && !f.mid && strings.HasPrefix(held, codeFence) && f.closes(held) {
		return ""
	}
	return held
}

// endings are control tokens after an answer.
var endings = []string{
	"<|im_end|>", "<|eot_id|>", "<|eom_id|>", "<|end_of_text|>", "<|endoftext|>", "<|end|>", "<|return|>", "<|eot|>", "<|end_of_turn|>", "<|end_response|>",
	"<|end_of_turn_token|>", "<|end_of_solution|>", "<end_of_turn>", "<turn|>", "<eos>", "</s>", "<｜end▁of▁sentence｜>", "[EOS]",
}

// A tailFilter removes control tokens from the end of a text.
type tailFilter struct{ held string }

func (f *tailFilter) push(piece string) string {
	f.held += piece
	at := tailStart(f.held)
	out := f.held[:at]
	f.held = f.held[at:]
	return out
}

// tailStart returns where a text ends before white space and control tokens, of which the last
// may be incomplete.
func tailStart(text string) int {
	const longest = 256
	for at := max(0, len(text)-longest); at < len(text); at++ {
		if strings.IndexByte(" \t\r\n<[", text[at]) < 0 {
			continue
		}
		if _, ends := skipEndings(text[at:]); ends {
			return at
		}
	}
	return len(text)
}

// skipEndings skips white space and control tokens. ends reports whether nothing follows, or what
// may be the beginning of another one.
func skipEndings(text string) (rest string, ends bool) {
	for {
		text = strings.TrimLeft(text, " \t\r\n")
		if text == "" {
			return "", true
		}
		skipped := false
		for _, token := range endings {
			found, possible := beginsWith(text, token)
			if possible {
				return text, true
			}
			if found {
				text, skipped = text[len(token):], true
				break
			}
		}
		if !skipped {
			return text, false
		}
	}
}

func (f *tailFilter) flush() string {
	held := f.held
	f.held = ""
	if rest, _ := skipEndings(held); rest == "" {
		return ""
	}
	return held
}
