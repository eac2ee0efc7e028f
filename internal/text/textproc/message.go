package textproc

import "strings"

// A Message is a message of a chat log, by its index terms.
type Message struct {
	Speaker []string
	Terms   []string // of its text
}

// Messages returns the messages of a chat log, in order. A line without a speaker belongs to
// the message before it.
func Messages(text string) []Message {
	var out []Message
	eachLine(text, func(start, end int) {
		line := text[start:end]
		name, at := speakerOf(line)
		switch {
		case at > 0 && !timeLine().MatchString(line):
			out = append(out, Message{Speaker: Terms(name), Terms: Terms(line[at:])})
		case len(out) > 0:
			last := &out[len(out)-1]
			last.Terms = append(last.Terms, Terms(strings.TrimSpace(line))...)
		}
	})
	return out
}
