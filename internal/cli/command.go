package cli

import (
	"context"

	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/internal/config"
)

// An invocation is how a command was called: its arguments, the flags of this call, and the values
// of all settings, nil for a command without settings.
type invocation struct {
	*ucli.Context

	settings *config.Config
}

// action returns the action of a command: it reads the options from the invocation and
// runs the command with them.
func action[Options any](env *environment, from func(invocation) (Options, error), run func(context.Context, *environment, Options) error) ucli.ActionFunc {
	return func(cc *ucli.Context) error {
		o, err := from(invocation{cc, env.settings})
		if err != nil {
			return err
		}
		return run(cc.Context, env, o)
	}
}

// finish adds to a command, or to its subcommands, what all commands share: output
// flags, settings, and grouped help. path is the name
// of the command after the names of the commands that it belongs to.
func finish(cmd *ucli.Command, env *environment, path string) {
	cmd.OnUsageError = onUsageError
	for _, sub := range cmd.Subcommands {
		finish(sub, env, path+" "+sub.Name)
	}
	if len(cmd.Subcommands) > 0 {
		return
	}
	for _, f := range cmd.Flags {
		if f, ok := f.(*ucli.BoolFlag); ok {
			f.DisableDefaultText = true
		}
	}
	configured := hasSettings(cmd)
	cmd.Flags = append(cmd.Flags, outputFlags()...)
	if configured {
		cmd.Flags = append(cmd.Flags, configFlag())
		cmd.Flags = append(cmd.Flags, logFlags(cmd)...)
	}
	run := cmd.Action
	cmd.Action = func(cc *ucli.Context) error {
		cc.Context = env.startTelemetry(cc.Context, path)
		return run(cc)
	}
	cmd.CustomHelpTemplate = helpTemplate(cmd, path)
	cmd.Before = func(cc *ucli.Context) error {
		env.outputOptions = outputOptionsFrom(cc)
		if !configured {
			return nil
		}
		return loadSettings(cc, env)
	}
}
