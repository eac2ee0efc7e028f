package openai

import (
	"slices"
	"strings"
)

// A block is reasoning of a model within its answer.
type block struct {
	open string
	shut []string // any of them
	// known means that the marks occur in text only as control tokens of models. Such blocks
	// are removed from the middle of an answer too, and so is what comes before a first end
	// without a beginning. Other marks are reasoning only at the beginning of an answer, because
	// documents have tags of the same names.
	known bool
}

// finalChannel begins the answer after other channels, which may be its only mark.
const finalChannel = "<|channel|>final"

// blocks are the forms of reasoning, all in lower case.
var blocks = []block{
	{"<think>", []string{"</think>"}, true},
	{"<thinking>", []string{"</thinking>"}, true},
	{"[think]", []string{"[/think]"}, true},
	{"◁think▷", []string{"◁/think▷"}, true},
	{"<seed:think>", []string{"</seed:think>"}, true},
	{"<|channel|>analysis", []string{"<|end|>", finalChannel}, true},
	{"<|channel|>commentary", []string{"<|end|>", finalChannel}, true},
	{"<|channel>thought", []string{"<channel|>"}, true},
	{"<unused94>thought", []string{"<unused95>"}, true},
	{"<|begin_of_thought|>", []string{"<|end_of_thought|>"}, true},
	{"<|start_thinking|>", []string{"<|end_thinking|>"}, true},
	{"<thought>", []string{"</thought>"}, false},
	{"<thoughts>", []string{"</thoughts>"}, false},
	{"<reason>", []string{"</reason>"}, false},
	{"<reasoning>", []string{"</reasoning>"}, false},
	{"<reflection>", []string{"</reflection>"}, false},
	{"<scratchpad>", []string{"</scratchpad>"}, false},
}

// openings are control tokens before an answer.
var openings = []string{
	"<|start|>assistant", "<|im_start|>assistant", "<|start_header_id|>assistant<|end_header_id|>", "<|assistant|>",
	finalChannel + "<|message|>", finalChannel + " <|constrain|>json<|message|>", "<|start_response|>", "<|begin_of_solution|>",
}

// selfTalk is how models begin to think. What begins so is held back until its end is known:
// the template of a server may have consumed the mark at the beginning.
var selfTalk = []string{
	"okay", "ok,", "alright", "hmm", "let me ", "let's ", "the user ", "we need ", "we have ", "i need to ", "i should ", "first, i ", "so, ",
	"好的", "嗯", "首先", "用户",
}

// The states of a reasoningFilter.
type filterState int

const (
	atStart   filterState = iota // nothing of the answer was returned
	inBlock                      // in reasoning
	inTalk                       // in what may be reasoning without a beginning
	inText                       // in the answer
	inAnother                    // in what may be reasoning within the answer
)

// A reasoningFilter removes reasoning from a text that arrives in pieces: blocks at the start,
// even one without an end, and blocks of known marks at the start of a line, which must have
// an end and not be in a code block. Marks within a line stay, since they may be quoted from
// a document. What it returns does not depend on the pieces.
type reasoningFilter struct {
	whole bool // hold back everything until it is known to be no reasoning

	state   filterState
	held    string
	scanned int      // bytes of held that do not have the end
	shut    []string // the ends of the block
	midLine bool     // the current line has more than white space already
	inCode  bool
}

// push adds a piece of the text and returns what can be shown.
func (f *reasoningFilter) push(piece string) string {
	f.held += piece
	return f.run()
}

func (f *reasoningFilter) run() string {
	var out strings.Builder
	for f.held != "" {
		before := len(f.held)
		was := f.state
		switch f.state {
		case atStart:
			f.begin()
		case inBlock, inAnother:
			f.skipBlock()
		case inTalk:
			f.skipTalk()
		case inText:
			f.release(&out)
		}
		if len(f.held) == before && f.state == was {
			break // more is needed
		}
	}
	return out.String()
}

// begin decides what the text begins with, if enough of it is there.
func (f *reasoningFilter) begin() {
	f.held = strings.TrimLeft(f.held, " \t\r\n")
	if f.held == "" {
		return
	}
	waits := false
	for _, token := range openings {
		found, possible := beginsWith(f.held, token)
		if found {
			f.held = f.held[len(token):]
			return
		}
		waits = waits || possible
	}
	for _, b := range blocks {
		found, possible := beginsWith(f.held, b.open)
		if found {
			f.held, f.shut, f.state, f.scanned = f.held[len(b.open):], b.shut, inBlock, 0
			return
		}
		waits = waits || possible
	}
	talks := f.whole
	for _, words := range selfTalk {
		found, possible := beginsWith(f.held, words)
		talks = talks || found
		waits = waits || possible
	}
	switch {
	case talks:
		f.state, f.scanned = inTalk, 0
	case !waits:
		f.state = inText
	}
}

// beginsWith reports whether a text begins with a mark, or may when more of it is there.
func beginsWith(text, mark string) (found, possible bool) {
	n := min(len(text), len(mark))
	if !strings.EqualFold(text[:n], mark[:n]) {
		return false, false
	}
	return n == len(mark), n < len(mark)
}

// skipBlock drops a block up to its end. A block at the start is dropped
// as it arrives; one in the answer stays if it has no end.
func (f *reasoningFilter) skipBlock() {
	at, end := findFirst(f.held, f.scanned, f.shut)
	switch {
	case at >= 0 && f.held[at:end] == finalChannel:
		f.held, f.state = f.held[at:], atStart
	case at >= 0 && f.state == inAnother:
		f.held, f.state = f.held[end:], inText
	case at >= 0:
		f.held, f.state = f.held[end:], atStart
	case f.state == inBlock:
		f.held = f.held[end:]
	default:
		f.scanned = end
	}
}

// findFirst returns the first of several marks at or after a byte of a text, in any case. If there is
// none, at is -1, and end is where one may begin that is not complete.
func findFirst(text string, from int, marks []string) (at, end int) {
	lower := lowerASCII(text[from:])
	at, longest := -1, 0
	for _, mark := range marks {
		longest = max(longest, len(mark))
		if i := strings.Index(lower, mark); i >= 0 && (at < 0 || from+i < at) {
			at, end = from+i, from+i+len(mark)
		}
	}
	if at < 0 {
		end = max(from, len(text)-longest+1)
	}
	return at, end
}

// lowerASCII returns a text of the same length with ASCII letters in lower case.
func lowerASCII(text string) string {
	b := []byte(text)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

// shutMarks are the ends of blocks of known marks.
var shutMarks = func() []string {
	var all []string
	for _, b := range blocks {
		for _, mark := range b.shut {
			if b.known && !slices.Contains(all, mark) && mark != finalChannel && mark != "<|end|>" {
				all = append(all, mark)
			}
		}
	}
	return all
}()

// skipTalk drops what comes before an end of reasoning that has no beginning. The end is alone
// in its line, or ends or begins it, and not in a code block.
func (f *reasoningFilter) skipTalk() {
	at, end := findFirst(f.held, f.scanned, shutMarks)
	if at < 0 {
		f.scanned = end
		return
	}
	head, rest := f.held[:at], f.held[end:]
	if rest == "" && !strings.HasSuffix(strings.TrimRight(head, " \t"), "\n") {
		return // the next byte decides
	}
	if !isReasoningHead(head, f.held[at:end]) || !strings.HasSuffix(strings.TrimRight(head, " \t"), "\n") && rest[0] != '\n' && rest[0] != '\r' {
		f.state = inText
		return
	}
	f.held, f.state = rest, atStart
}

// isReasoningHead reports whether what comes before an end may be reasoning: it has no beginning, and
// the end is not in a code block.
func isReasoningHead(head, end string) bool {
	for _, b := range blocks {
		if at, _ := findFirst(head, 0, []string{b.open}); at >= 0 && slices.Contains(b.shut, lowerASCII(end)) {
			return false
		}
	}
	fences := 0
	for line := range strings.Lines(head) {
		if strings.HasPrefix(strings.TrimLeft(line, " \t"), codeFence) {
			fences++
		}
	}
	return fences%2 == 0
}

const codeFence = "```"

// release moves text to out up to the next place where reasoning may begin.
func (f *reasoningFilter) release(out *strings.Builder) {
	n := 1
	switch {
	case f.midLine:
		if n = strings.IndexByte(f.held, '\n') + 1; n == 0 {
			n = len(f.held)
		} else {
			f.midLine = false
		}
	case strings.IndexByte(" \t\r\n", f.held[0]) < 0:
		if f.atMark() {
			return
		}
		f.midLine = true
	}
	out.WriteString(f.held[:n])
	f.held = f.held[n:]
}

// atMark reports whether a line begins with reasoning or may begin with it. It notes the
// beginning and the end of code.
func (f *reasoningFilter) atMark() bool {
	fenced, possible := beginsWith(f.held, codeFence)
	if fenced {
		f.inCode = !f.inCode
	}
	if fenced || possible || f.inCode {
		return possible
	}
	for _, b := range blocks {
		if !b.known {
			continue
		}
		found, possible := beginsWith(f.held, b.open)
		if found {
			f.state, f.shut, f.scanned = inAnother, b.shut, len(b.open)
		}
		if found || possible {
			return true
		}
	}
	return false
}

// flush returns what is still held back at the end of the text.
func (f *reasoningFilter) flush() string {
	out := ""
	if f.state == inTalk {
		f.state = inText
		out = f.run()
	}
	held := f.held
	f.held = ""
	if f.state == inBlock {
		return out
	}
	return out + held
}
