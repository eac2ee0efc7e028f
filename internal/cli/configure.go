package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/internal/config"
)

const (
	envConfig   = "NEORAG_CONFIG"
	settingFile = "neorag.yaml"
)

// An origin is the layer that a value comes from; a higher one wins.
type origin int

const (
	fromDefault origin = iota
	fromFile
	fromEnv
	fromFlag
)

func (o origin) String() string { return [...]string{"default", "file", "environment", "flag"}[o] }

// layered is the value of a setting, and where it comes from.
type layered struct {
	setting

	items []string
	from  origin
	where string // file with line, variable or flag
}

func (l layered) text() string {
	if len(l.items) == 0 {
		return ""
	}
	return l.items[0]
}

func configFlag() ucli.Flag {
	return &ucli.StringFlag{Name: "config", Usage: "`FILE` of settings (" + envConfig + ")", DefaultText: settingFile + " in the working directory, if it is there"}
}

// prepare gives a command the flags that go with its others, defaults in words,
// and layers of settings below its flags.
func (c *command) prepare(cmd *ucli.Command) {
	has := func(name string) bool {
		return slices.ContainsFunc(cmd.Flags, func(f ucli.Flag) bool { return f.Names()[0] == name })
	}
	if has("data") && cmd.Name != "up" && cmd.Name != "down" {
		cmd.Flags = append(cmd.Flags, neo4jFlags()...)
	}
	settable := false
	for _, f := range cmd.Flags {
		s, known := settingOf(cmd.Name, f.Names()[0])
		settable = settable || known
		describeFlag(f, s.auto)
	}
	if settable {
		cmd.Flags = append(cmd.Flags, configFlag())
		cmd.Before = c.configure
	}
}

// describeFlag sets the words for a default that is no plain value.
func describeFlag(f ucli.Flag, auto string) {
	switch f := f.(type) {
	case *ucli.BoolFlag:
		f.DisableDefaultText = true
	case *ucli.StringFlag:
		f.DefaultText = cmp.Or(f.DefaultText, auto)
	case *ucli.StringSliceFlag:
		f.DefaultText = cmp.Or(f.DefaultText, auto)
	case *ucli.IntFlag:
		f.DefaultText = cmp.Or(f.DefaultText, auto)
	case *ucli.Float64Flag:
		f.DefaultText = cmp.Or(f.DefaultText, auto)
	}
}

// configure puts defaults, file and environment below the flags of a command.
func (c *command) configure(cc *ucli.Context) error {
	if err := c.readLayers(cc); err != nil {
		return &userError{code: exitUsage, message: err.Error(), hint: "`neorag init` writes a file with every key; docs/settings.md lists them"}
	}
	for _, f := range cc.Command.Flags {
		flag := f.Names()[0]
		s, known := settingOf(cc.Command.Name, flag)
		if !known {
			continue
		}
		l := c.layers[s.Name]
		if cc.IsSet(flag) {
			c.layers[s.Name] = byFlag(cc, f, s)
			continue
		}
		if l.from == fromDefault {
			continue
		}
		text := l.text()
		switch {
		case isSlice(f):
			text = ucli.NewStringSlice(l.items...).Serialize()
		case s.inverse && text == "true":
			text = "false"
		case s.inverse:
			text = "true"
		}
		if err := cc.Set(flag, text); err != nil {
			return usage("%s: %s: expected %s", l.where, s.Name, s.Kind)
		}
	}
	return nil
}

func isSlice(f ucli.Flag) bool {
	_, slice := f.(*ucli.StringSliceFlag)
	return slice
}

// byFlag is the value of a setting that was given by flag.
func byFlag(cc *ucli.Context, f ucli.Flag, s setting) layered {
	l := layered{setting: s, from: fromFlag, where: "--" + s.flag}
	switch text := fmt.Sprint(cc.Value(s.flag)); {
	case isSlice(f):
		l.items = cc.StringSlice(s.flag)
	case s.inverse:
		l.items = one(strconv.FormatBool(text != "true"))
	default:
		l.items = one(text)
	}
	return l
}

// readLayers reads all settings but for flags.
func (c *command) readLayers(cc *ucli.Context) error {
	file, values, err := c.readFile(cmp.Or(cc.String("config"), c.env.Getenv(envConfig)))
	errs := []error{err}
	c.file, c.layers = file, map[string]layered{}
	for _, s := range allSettings() {
		l := layered{setting: s, items: s.Default}
		if v, given := values[s.Name]; given {
			l.items, l.from, l.where = v.Items, fromFile, fmt.Sprintf("%s:%d", file, v.Line)
			if s.Kind == config.Path && !filepath.IsAbs(v.Items[0]) {
				l.items = one(filepath.Join(filepath.Dir(file), v.Items[0]))
			}
		}
		for _, name := range s.env {
			if text := c.env.Getenv(name); text != "" {
				l.items, l.from, l.where = s.split(text), fromEnv, name
				for _, item := range l.items {
					if err := s.Check(item); err != nil {
						errs = append(errs, fmt.Errorf("%s: %w", name, err))
					}
				}
				break
			}
		}
		c.layers[s.Name] = l
	}
	return errors.Join(errs...)
}

// split gives the items of a variable: those of lists are parted by commas.
func (s setting) split(text string) []string {
	if s.Kind != config.List && s.Kind != config.Pairs && s.Kind != config.Parameters {
		return one(text)
	}
	var out []string
	for item := range strings.SplitSeq(text, ",") {
		out = append(out, strings.TrimSpace(item))
	}
	return out
}

// readFile reads a file of settings; without a name, the one in the working
// directory, if it is there. The name it gives is "" where there is none.
func (c *command) readFile(named string) (string, map[string]config.Value, error) {
	name := cmp.Or(named, filepath.Join(c.env.Dir, settingFile))
	f, err := os.Open(name)
	if errors.Is(err, os.ErrNotExist) && named == "" {
		return "", nil, nil
	}
	if err != nil {
		return "", nil, fmt.Errorf("read settings: %w", err)
	}
	defer func() { _ = f.Close() }()
	body, err := io.ReadAll(io.LimitReader(f, config.MaxSize+1))
	if err != nil {
		return "", nil, fmt.Errorf("read settings: %w", err)
	}
	all := allSettings()
	keys := make([]config.Key, len(all))
	for i, s := range all {
		keys[i] = s.Key
	}
	values, err := config.Parse(name, string(body), keys)
	return name, values, err
}

// get is the value behind a flag, also for a command that lacks the flag.
func (c *command) get(cc *ucli.Context, flag string) layered {
	s, _ := settingOf(cc.Command.Name, flag)
	return c.layers[s.Name]
}
