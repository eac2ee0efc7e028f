package cli

import (
	"cmp"
	"fmt"
	"slices"

	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/internal/config"
)

// A listFlag is a flag that can be repeated, or given values separated by commas.
type listFlag struct{ *ucli.StringSliceFlag }

// GetUsage returns the usage for the help.
func (f listFlag) GetUsage() string { return f.Usage + " (repeatable)" }

// IsSliceFlag keeps the library from printing the flag twice.
func (listFlag) IsSliceFlag() bool { return false }

func (f listFlag) String() string { return ucli.FlagStringer(f) }

func configFlag() ucli.Flag {
	return &ucli.StringFlag{
		Name: "config", Category: outputGroup, Usage: "read settings from `FILE` (" + config.EnvConfig + ")",
		DefaultText: config.FileName + " in the working directory, if it exists",
	}
}

// describeDefault describes a default that depends on something.
func describeDefault(f ucli.Flag, text string) {
	switch f := f.(type) {
	case *ucli.BoolFlag:
		f.DisableDefaultText = true
	case *ucli.StringFlag:
		f.DefaultText = cmp.Or(f.DefaultText, text)
	case listFlag:
		f.DefaultText = cmp.Or(f.DefaultText, text)
	case *ucli.IntFlag:
		f.DefaultText = cmp.Or(f.DefaultText, text)
	case *ucli.Float64Flag:
		f.DefaultText = cmp.Or(f.DefaultText, text)
	}
}

// loadSettings loads the settings, and sets each flag that was not given to the
// value that the file or the environment has for it.
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
	if err := env.requireServer(cc); err != nil {
		return err
	}
	for _, f := range cc.Command.Flags {
		flag := f.Names()[0]
		s, known := config.ForFlag(cc.Command.Name, flag)
		if !known {
			continue
		}
		v := settings.Get(s.Name)
		if v.Origin == config.FromDefault || v.Origin == config.FromFlag {
			continue
		}
		text := v.Text()
		if isList(f) {
			text = ucli.NewStringSlice(v.Items...).Serialize()
		}
		if err := cc.Set(flag, text); err != nil {
			return usage("%s: %s: expected %s", v.Where, s.Name, s.Kind)
		}
	}
	return nil
}

func isList(f ucli.Flag) bool {
	_, list := f.(listFlag)
	return list
}

// flagItems returns the value of a setting that was given as a flag of the command.
func flagItems(cc *ucli.Context, s config.Setting) (items []string, given bool) {
	i := slices.IndexFunc(cc.Command.Flags, func(f ucli.Flag) bool {
		other, known := config.ForFlag(cc.Command.Name, f.Names()[0])
		return known && other.Name == s.Name
	})
	if i < 0 || !cc.IsSet(s.Flag) {
		return nil, false
	}
	if isList(cc.Command.Flags[i]) {
		return cc.StringSlice(s.Flag), true
	}
	return []string{fmt.Sprint(cc.Value(s.Flag))}, true
}
