package cli

import (
	ucli "github.com/urfave/cli/v2"
)

func newVersionCommand(env *environment) *ucli.Command {
	return &ucli.Command{
		Name:   "version",
		Usage:  "print version, commit, date, Go version and platform of this program",
		Action: func(*ucli.Context) error { return runVersion(env) },
	}
}

// runVersion prints the line that --version prints too.
func runVersion(env *environment) error {
	b := currentBuild()
	return env.print(b, func() { env.printf("neorag version %s\n", b) })
}
