package cli

import (
	"strings"

	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/internal/markdown"
)

// live shows an answer on a terminal while a model writes it.
type live struct {
	c    *command
	on   bool
	text strings.Builder
	rich *markdown.Writer // nil where text is shown as it is
}

func (c *command) live(cc *ucli.Context, m *models) *live {
	_, tty := terminal(c.env.Stdout)
	l := &live{c: c, on: tty && m != nil && !cc.Bool("json")}
	if width, rich := c.rich(); l.on && rich {
		l.rich = markdown.NewWriter(width, func(s string) { c.printf("%s", s) })
	}
	return l
}

// rich is the width of the terminal that stdout is, if text may be laid out and
// styled there: not with NO_COLOR, and not where the terminal knows no styles.
func (c *command) rich() (width int, ok bool) {
	width, tty := terminal(c.env.Stdout)
	return width, tty && c.env.Getenv("NO_COLOR") == "" && c.env.Getenv("TERM") != "dumb"
}

// deliver takes the pieces of the answer; nil when nobody watches. first is
// called before anything is shown.
func (l *live) deliver(first func()) func(string) {
	if !l.on {
		return nil
	}
	return func(delta string) {
		if l.text.Len() == 0 {
			first()
		}
		l.text.WriteString(delta)
		if l.rich != nil {
			l.rich.Write(delta)
			return
		}
		l.c.printf("%s", plain(delta))
	}
}

// end closes the line that the answer ended in.
func (l *live) end() {
	switch {
	case l.text.Len() == 0:
	case l.rich != nil:
		l.rich.Close()
	default:
		l.c.printf("\n")
	}
}

// shows reports that the answer stands on the terminal as it is.
func (l *live) shows(answer string) bool {
	return l.on && strings.Join(strings.Fields(l.text.String()), " ") == strings.Join(strings.Fields(answer), " ")
}

// printMarkdown shows markdown: laid out on a terminal, else as it is.
func (c *command) printMarkdown(text string) {
	if width, rich := c.rich(); rich {
		c.printf("%s", markdown.Terminal(text, width))
		return
	}
	c.printf("%s\n", plain(strings.TrimRight(text, "\n")))
}
