package cli

import (
	"fmt"
	"runtime/debug"
	"slices"
	"strings"

	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/internal/config"
)

const exitHelp = `
Exit codes: 0 ok, 1 failure, 2 wrong usage, 3 finished with failed parts, 130 interrupted.
`

// app is the whole command line.
func (c *command) app() *ucli.App {
	app := &ucli.App{
		Name:                   "neorag",
		Usage:                  "index documents into a Neo4j knowledge graph and ask questions over it, with evidence",
		Version:                version(),
		Reader:                 c.env.Stdin,
		Writer:                 c.env.Stdout,
		ErrWriter:              c.env.Stderr,
		EnableBashCompletion:   true,
		UseShortOptionHandling: true,
		HideHelpCommand:        true,
		CustomAppHelpTemplate:  ucli.AppHelpTemplate + exitHelp,
		ExitErrHandler:         func(*ucli.Context, error) {},
		OnUsageError:           usageError,
		CommandNotFound:        nil,
		Action: func(cc *ucli.Context) error {
			if name := cc.Args().First(); name != "" {
				return usage("unknown command %q%s", name, nearest(name, commandNames(cc.App)))
			}
			return ucli.ShowAppHelp(cc)
		},
		Commands: []*ucli.Command{
			c.init(), c.up(), c.down(), c.doctor(), c.index(), c.embed(), c.status(), c.remove(),
			c.query(), c.methods(), c.eval(), c.trace(), c.report(), c.cypher(), c.explore(), c.cluster(), c.export(), c.cache(), c.completion(),
		},
	}
	for _, cmd := range app.Commands {
		c.complete(cmd)
	}
	return app
}

// complete gives a command, or those below it, what all have.
func (c *command) complete(cmd *ucli.Command) {
	cmd.OnUsageError = usageError
	for _, below := range cmd.Subcommands {
		c.complete(below)
	}
	if len(cmd.Subcommands) == 0 {
		c.prepare(cmd)
		cmd.Flags = append(cmd.Flags, jsonFlag(), quietFlag())
	}
}

func usageError(_ *ucli.Context, err error, _ bool) error {
	return &userError{code: exitUsage, message: err.Error(), hint: "`neorag COMMAND --help` lists the flags"}
}

// version is the module's version, or the commit that it was built from.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	revision, dirty := "", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision" && len(s.Value) >= 12:
			revision = s.Value[:12]
		case s.Key == "vcs.modified" && s.Value == "true":
			dirty = "+changes"
		}
	}
	if revision == "" {
		return "development"
	}
	return revision + dirty
}

func commandNames(app *ucli.App) []string {
	var names []string
	for _, cmd := range app.Commands {
		names = append(names, cmd.Name)
	}
	return names
}

// nearest offers the name that is one slip away from what was typed.
func nearest(typed string, names []string) string {
	if best := closest(typed, names); best != "" {
		return fmt.Sprintf("; did you mean %s?", best)
	}
	return "; `neorag --help` lists all"
}

// closest is the name that is one slip away from what was typed, "" if none is.
func closest(typed string, names []string) string {
	best := ""
	for _, n := range names {
		if strings.HasPrefix(n, typed) || config.Distance(typed, n) <= 2 && (best == "" || config.Distance(typed, n) < config.Distance(typed, best)) {
			best = n
		}
	}
	return best
}

// reorder puts flags before arguments, since the library stops reading flags
// at the first argument. Everything after "--" stays an argument.
func reorder(app *ucli.App, args []string) []string {
	if len(args) < 2 {
		return args
	}
	at := slices.IndexFunc(args[1:], func(a string) bool { return !strings.HasPrefix(a, "-") }) + 1
	if at == 0 {
		return args
	}
	cmd := app.Command(args[at])
	if cmd == nil {
		return args
	}
	for at+1 < len(args) {
		i := slices.IndexFunc(cmd.Subcommands, func(below *ucli.Command) bool { return below.HasName(args[at+1]) })
		if i < 0 {
			break
		}
		cmd, at = cmd.Subcommands[i], at+1
	}
	takesValue := map[string]bool{}
	for _, f := range cmd.Flags {
		_, isBool := f.(*ucli.BoolFlag)
		for _, name := range f.Names() {
			takesValue[name] = !isBool
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
