package cli

import (
	"slices"
	"strings"

	ucli "github.com/urfave/cli/v2"
)

// flagsFirst moves flags before arguments, since the library stops parsing flags at
// the first argument. Everything after "--" stays an argument.
func flagsFirst(app *ucli.App, args []string) []string {
	cmd, at := commandOf(app, args)
	if cmd == nil {
		return args
	}
	takesValue := map[string]bool{}
	for _, f := range cmd.Flags {
		described, ok := f.(ucli.DocGenerationFlag)
		for _, name := range f.Names() {
			takesValue[name] = ok && described.TakesValue()
		}
	}
	flags, rest := []string{}, []string{}
	tail := args[at+1:]
	for i := 0; i < len(tail); i++ {
		a := tail[i]
		switch {
		case a == "--":
			rest = append(rest, tail[i:]...)
			i = len(tail)
		case a == "-" || !strings.HasPrefix(a, "-"):
			rest = append(rest, a)
		default:
			flags = append(flags, a)
			name, _, inline := strings.Cut(strings.TrimLeft(a, "-"), "=")
			if takesValue[name] && !inline && i+1 < len(tail) {
				i++
				flags = append(flags, tail[i])
			}
		}
	}
	if slices.Contains(flags, "--generate-bash-completion") {
		return args
	}
	if i := slices.Index(rest, "-"); i >= 0 && !slices.Contains(rest, "--") {
		rest = append([]string{"--"}, rest...)
	}
	return slices.Concat(args[:at+1], flags, rest)
}

// commandOf returns the innermost command that the arguments name, and the index of
// its name; nil if they name none.
func commandOf(app *ucli.App, args []string) (*ucli.Command, int) {
	if len(args) < 2 {
		return nil, 0
	}
	at := slices.IndexFunc(args[1:], func(a string) bool { return !strings.HasPrefix(a, "-") }) + 1
	if at == 0 {
		return nil, 0
	}
	cmd := app.Command(args[at])
	for cmd != nil && at+1 < len(args) {
		i := slices.IndexFunc(cmd.Subcommands, func(sub *ucli.Command) bool { return sub.HasName(args[at+1]) })
		if i < 0 {
			break
		}
		cmd, at = cmd.Subcommands[i], at+1
	}
	return cmd, at
}
