package cli

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"

	ucli "github.com/urfave/cli/v2"
)

// TestExamples checks that the help of each command has examples, and that they name
// commands and flags that exist.
func TestExamples(t *testing.T) {
	t.Parallel()
	app := newApp(&environment{Env: Env{Stdin: &bytes.Buffer{}, Stdout: io.Discard, Stderr: io.Discard, Getenv: func(string) string { return "" }}})
	commands := map[string]*ucli.Command{}
	for _, cmd := range app.Commands {
		if len(cmd.Subcommands) == 0 {
			commands[cmd.Name] = cmd
		}
		for _, sub := range cmd.Subcommands {
			commands[cmd.Name+" "+sub.Name] = sub
		}
	}
	for name, cmd := range commands {
		if !strings.Contains(cmd.CustomHelpTemplate, "EXAMPLES:") {
			t.Errorf("%s: its help has no examples", name)
		}
	}
	for name, calls := range examples {
		for _, call := range calls {
			args := strings.Fields(call)
			cmd, _ := commandOf(app, args)
			if cmd == nil || cmd != commands[name] {
				t.Errorf("%s: %q does not call it", name, call)
				continue
			}
			for _, arg := range args {
				flag, _, _ := strings.Cut(strings.TrimLeft(arg, "-"), "=")
				if strings.HasPrefix(arg, "-") && !slices.ContainsFunc(cmd.Flags, func(f ucli.Flag) bool { return slices.Contains(f.Names(), flag) }) {
					t.Errorf("%s: %q: no flag %s", name, call, arg)
				}
			}
		}
	}
}
