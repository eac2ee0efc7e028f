package cli

import (
	"strings"

	ucli "github.com/urfave/cli/v2"
)

// live shows an answer on a terminal while a model writes it.
type live struct {
	c    *command
	on   bool
	text strings.Builder
}

func (c *command) live(cc *ucli.Context, m *models) *live {
	_, tty := terminal(c.env.Stdout)
	return &live{c: c, on: tty && m != nil && !cc.Bool("json")}
}

// deliver takes the pieces of the answer; nil when nobody watches.
func (l *live) deliver() func(string) {
	if !l.on {
		return nil
	}
	return func(delta string) {
		l.text.WriteString(delta)
		l.c.printf("%s", plain(delta))
	}
}

// end closes the line that the answer ended in.
func (l *live) end() {
	if l.text.Len() > 0 {
		l.c.printf("\n")
	}
}

// shows reports that the answer stands on the terminal as it is.
func (l *live) shows(answer string) bool {
	return l.on && strings.Join(strings.Fields(l.text.String()), " ") == strings.Join(strings.Fields(answer), " ")
}
