package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/internal/config"
)

func configFlag() ucli.Flag {
	return &ucli.StringFlag{Name: "config", Usage: "`FILE` of settings (" + config.EnvConfig + ")", DefaultText: config.FileName + " in the working directory, if it is there"}
}

// prepare gives a command the flags that go with its others, descriptions of
// defaults, and the layers of settings below its flags.
func (c *command) prepare(cmd *ucli.Command) {
	has := func(name string) bool {
		return slices.ContainsFunc(cmd.Flags, func(f ucli.Flag) bool { return f.Names()[0] == name })
	}
	if has("data") && cmd.Name != "up" && cmd.Name != "down" {
		cmd.Flags = append(cmd.Flags, neo4jFlags()...)
	}
	settable := false
	for _, f := range cmd.Flags {
		s, known := config.ForFlag(cmd.Name, f.Names()[0])
		settable = settable || known
		describeFlag(f, s.DefaultText)
	}
	if settable {
		cmd.Flags = append(cmd.Flags, configFlag())
		cmd.Before = c.configure
	}
}

// describeFlag sets the description of a default that depends on something.
func describeFlag(f ucli.Flag, text string) {
	switch f := f.(type) {
	case *ucli.BoolFlag:
		f.DisableDefaultText = true
	case *ucli.StringFlag:
		f.DefaultText = cmp.Or(f.DefaultText, text)
	case *ucli.StringSliceFlag:
		f.DefaultText = cmp.Or(f.DefaultText, text)
	case *ucli.IntFlag:
		f.DefaultText = cmp.Or(f.DefaultText, text)
	case *ucli.Float64Flag:
		f.DefaultText = cmp.Or(f.DefaultText, text)
	}
}

// configure loads the settings, and gives each flag that was not given the value
// of its setting.
func (c *command) configure(cc *ucli.Context) error {
	var err error
	c.config, err = config.Load(config.Sources{
		Dir: c.env.Dir, File: cc.String("config"), Getenv: c.env.Getenv,
		Flag: func(s config.Setting) ([]string, bool) { return flagItems(cc, s) },
		Warn: func(message string) { c.note(cc, "%s", message) },
	})
	if err != nil {
		return &userError{code: exitUsage, message: err.Error(), hint: "`neorag init` writes a file with every key; docs/settings.md lists them"}
	}
	for _, f := range cc.Command.Flags {
		flag := f.Names()[0]
		s, known := config.ForFlag(cc.Command.Name, flag)
		if !known {
			continue
		}
		v := c.config.Get(s.Name)
		if v.Origin == config.FromDefault || v.Origin == config.FromFlag {
			continue
		}
		text := v.Text()
		switch {
		case isSlice(f):
			text = ucli.NewStringSlice(v.Items...).Serialize()
		case s.Inverted:
			text = strconv.FormatBool(text != "true")
		}
		if err := cc.Set(flag, text); err != nil {
			return usage("%s: %s: expected %s", v.Where, s.Name, s.Kind)
		}
	}
	return nil
}

func isSlice(f ucli.Flag) bool {
	_, slice := f.(*ucli.StringSliceFlag)
	return slice
}

// flagItems returns the value of a setting that was given as a flag of the command.
func flagItems(cc *ucli.Context, s config.Setting) (items []string, given bool) {
	i := slices.IndexFunc(cc.Command.Flags, func(f ucli.Flag) bool {
		behind, known := config.ForFlag(cc.Command.Name, f.Names()[0])
		return known && behind.Name == s.Name
	})
	if i < 0 || !cc.IsSet(s.Flag) {
		return nil, false
	}
	text := fmt.Sprint(cc.Value(s.Flag))
	switch {
	case isSlice(cc.Command.Flags[i]):
		return cc.StringSlice(s.Flag), true
	case s.Inverted:
		text = strconv.FormatBool(text != "true")
	}
	return []string{text}, true
}
