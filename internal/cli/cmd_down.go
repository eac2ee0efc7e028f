package cli

import (
	"context"

	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/internal/store/localneo4j"
)

func newDownCommand(env *environment) *ucli.Command {
	return &ucli.Command{
		Name:   "down",
		Usage:  "stop the local Neo4j and keep its data",
		Flags:  []ucli.Flag{ownFlag("server.data", "")},
		Action: func(cc *ucli.Context) error { return runDown(cc.Context, env) },
	}
}

// stoppedServer is the shape of `down --json`.
type stoppedServer struct {
	Stopped bool `json:"stopped"`
}

func runDown(ctx context.Context, env *environment) error {
	// Otherwise it would stop another server than the file of this folder names.
	if err := env.requireTrust("server.data"); err != nil {
		return err
	}
	data, err := env.serverData()
	if err != nil {
		return err
	}
	env.handlesSignals.Store(true) // stopping has its own limits
	defer env.handlesSignals.Store(false)
	stopped, err := localneo4j.Down(ctx, localneo4j.Options{Data: data})
	if err != nil {
		return err
	}
	return env.print(stoppedServer{stopped}, func() {
		if stopped {
			env.printf("Neo4j stopped; its data stays in %s\n", data)
		} else {
			env.printf("no local Neo4j was running\n")
		}
	})
}
