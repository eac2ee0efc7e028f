package cli

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/internal/config"
)

// A settingFlag is the flag of a setting. It holds a text, which config.Load checks as it checks
// values of the file and the environment.
type settingFlag interface {
	ucli.Flag
	setting() string
	items(*ucli.Context) []string
}

// A settingKey is the key of a flag's setting.
type settingKey string

func (k settingKey) setting() string { return string(k) }

type textFlag struct {
	*ucli.StringFlag
	settingKey
}

func (f textFlag) items(cc *ucli.Context) []string { return []string{cc.String(f.Name)} }

type switchFlag struct {
	*ucli.BoolFlag
	settingKey
}

func (f switchFlag) items(cc *ucli.Context) []string {
	return []string{strconv.FormatBool(cc.Bool(f.Name))}
}

type itemsFlag struct {
	listFlag
	settingKey
}

func (f itemsFlag) items(cc *ucli.Context) []string { return cc.StringSlice(f.Name) }

// A listFlag is a flag that can be repeated, or given values separated by commas.
type listFlag struct{ *ucli.StringSliceFlag }

// GetUsage returns the usage for the help.
func (f listFlag) GetUsage() string { return f.Usage + " (repeatable)" }

// IsSliceFlag keeps the library from printing the flag twice.
func (listFlag) IsSliceFlag() bool { return false }

func (f listFlag) String() string { return ucli.FlagStringer(f) }

// settingFlags returns the flags of settings, each named by its key or by the section that it is in.
func settingFlags(names ...string) []ucli.Flag {
	var flags []ucli.Flag
	for _, name := range names {
		for _, s := range config.Settings() {
			if s.Flag != "" && (s.Name == name || strings.HasPrefix(s.Name, name+".")) {
				flags = append(flags, flagOf(s))
			}
		}
	}
	return flags
}

// ownFlag returns the flag of a setting for a command that describes it differently, as an everyday flag.
// An empty usage means the setting's.
func ownFlag(key, usage string) ucli.Flag {
	s := config.Find(key)
	s.Usage, s.Group = cmp.Or(usage, s.Usage), ""
	return flagOf(s)
}

func flagOf(s config.Setting) ucli.Flag {
	hidden, key := s.Usage == "", settingKey(s.Name)
	standard := strings.Join(s.Default, ", ")
	switch s.Kind {
	case config.Switch:
		return switchFlag{&ucli.BoolFlag{Name: s.Flag, Aliases: s.Aliases, Category: s.Group, Usage: s.Usage, Hidden: hidden, DisableDefaultText: true}, key}
	case config.List, config.Pairs, config.Parameters:
		return itemsFlag{listFlag{&ucli.StringSliceFlag{Name: s.Flag, Aliases: s.Aliases, Category: s.Group, Usage: s.Usage, Hidden: hidden, DefaultText: cmp.Or(s.DefaultText, standard)}}, key}
	case config.Text, config.Path, config.Variable:
		if standard != "" {
			standard = strconv.Quote(standard)
		}
	}
	return textFlag{&ucli.StringFlag{Name: s.Flag, Aliases: s.Aliases, Category: s.Group, Usage: s.Usage, Hidden: hidden, DefaultText: cmp.Or(s.DefaultText, standard)}, key}
}

func configFlag() ucli.Flag {
	return &ucli.StringFlag{
		Name: "config", Category: outputGroup, Usage: "read settings from `FILE` (" + config.EnvConfig + ")",
		DefaultText: config.FileName + " in the working directory, if it exists",
	}
}

// logFlags are the flags of commands with settings that choose what is logged. Commands that call
// models have a flag for a log of these calls too.
func logFlags(cmd *ucli.Command) []ucli.Flag {
	flags := settingFlags("log.format", "log.level")
	if slices.ContainsFunc(cmd.Flags, func(f ucli.Flag) bool {
		return slices.Contains(f.Names(), "model") || slices.Contains(f.Names(), "embedding-model")
	}) {
		flags = append(flags, settingFlags("log.calls")...)
		flags = append(flags, settingFlags("log.calls_text")...)
	}
	return flags
}

// hasSettings reports whether a command has a flag of a setting.
func hasSettings(cmd *ucli.Command) bool {
	return slices.ContainsFunc(cmd.Flags, func(f ucli.Flag) bool {
		_, ok := f.(settingFlag)
		return ok
	})
}

// loadSettings loads and checks the settings of the environment.
func loadSettings(cc *ucli.Context, env *environment) error {
	trust, _ := env.trustStore() // without a data folder no found file is trusted
	settings, err := config.Load(config.Sources{
		Dir: env.Dir, File: cc.String("config"), Getenv: env.Getenv, Trust: trust,
		Flag: func(s config.Setting) ([]string, bool) { return flagItems(cc, s) },
		Warn: func(message string) { env.note("%s", message) },
	})
	if err != nil {
		return &userError{code: exitUsage, message: err.Error(), hint: "`neorag init` writes a file with every key; docs/settings.md lists them", cause: err}
	}
	env.settings = settings
	env.reportIgnored()
	return env.requireServer(cc)
}

// flagItems returns the value of a setting that was given as a flag of the command.
func flagItems(cc *ucli.Context, s config.Setting) (items []string, given bool) {
	for _, f := range cc.Command.Flags {
		if f, ok := f.(settingFlag); ok && f.setting() == s.Name && cc.IsSet(s.Flag) {
			return f.items(cc), true
		}
	}
	return nil, false
}
