package synth

import (
	"strings"
	"time"

	"github.com/neorag/neorag/internal/text/textproc"
)

// hasKind reports whether a sentence, or a heading above it, has the kind of answer that the question asks
// for.
func (s *factScorer) hasKind(f *fact) bool {
	if s.form.Ask.In(f.Text) != "" || s.form.Ask.In(f.heading) != "" {
		return true
	}
	if s.form.Ask != textproc.AskTime {
		return false
	}
	words, _ := textproc.RelativeTimeIn(f.Text, time.Time{})
	return words != ""
}

// datedText returns the text of a sentence with the time that it tells, set in bold. Words such as yesterday
// tell none without the day on which they were written, which the heading or the title has.
func datedText(f *fact) (text, bold string) {
	written := textproc.DateIn(f.heading)
	if written.IsZero() {
		written = textproc.DateIn(f.Title)
	}
	relative, day := textproc.RelativeTimeIn(f.Text, written)
	own := textproc.AskTime.In(strings.Replace(f.Text, relative, "", 1))
	above := textproc.AskTime.In(f.heading)
	switch {
	case own != "":
		return f.Text, own
	case relative == "" && above != "":
		return strings.TrimSpace(f.heading) + ": " + f.Text, above
	case !day.IsZero():
		date := day.Format(time.DateOnly)
		return f.Text + " (" + relative + ": " + date + ")", date
	case relative != "" && !written.IsZero():
		return f.Text + " (written on " + written.Format(time.DateOnly) + ")", relative
	}
	return f.Text, ""
}
