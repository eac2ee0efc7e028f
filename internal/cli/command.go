package cli

import (
	"context"

	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/internal/config"
)

// action returns the action of a command: it reads the options from the flags and
// runs the command with them.
func action[Options any](env *environment, from func(*ucli.Context) (Options, error), run func(context.Context, *environment, Options) error) ucli.ActionFunc {
	return func(cc *ucli.Context) error {
		o, err := from(cc)
		if err != nil {
			return err
		}
		return run(cc.Context, env, o)
	}
}

// finish adds to a command, or to its subcommands, what all commands share: output
// flags, settings as the defaults of flags, and grouped help. path is the name
// of the command after those of the commands that it belongs to.
func finish(cmd *ucli.Command, env *environment, path string) {
	cmd.OnUsageError = onUsageError
	for _, sub := range cmd.Subcommands {
		finish(sub, env, path+" "+sub.Name)
	}
	if len(cmd.Subcommands) > 0 {
		return
	}
	hasSettings := false
	for _, f := range cmd.Flags {
		s, known := config.ForFlag(cmd.Name, f.Names()[0])
		hasSettings = hasSettings || known
		describeDefault(f, s.DefaultText)
	}
	cmd.Flags = append(cmd.Flags, outputFlags()...)
	if hasSettings {
		cmd.Flags = append(cmd.Flags, configFlag())
	}
	cmd.CustomHelpTemplate = helpTemplate(cmd, path)
	cmd.Before = func(cc *ucli.Context) error {
		env.outputOptions = outputOptionsFrom(cc)
		if !hasSettings {
			return nil
		}
		return loadSettings(cc, env)
	}
}
