package cli

import (
	"context"
	"errors"
	"io"
	"slices"

	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/internal/server/mcp"
	"github.com/neorag/neorag/internal/server/service"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/ui/terminal"
)

func newMCPCommand(env *environment) *ucli.Command {
	return &ucli.Command{
		Name:  "mcp",
		Usage: "let an agent search and ask, over the Model Context Protocol on standard input and output",
		Description: "Programs such as Claude Desktop, Cursor and VS Code start this command: docs/agents.md shows how to configure\n" +
			"them. `neorag serve` offers the same over HTTP, at /mcp.",
		Flags:  slices.Concat([]ucli.Flag{corpusFlag(), writeFlag()}, settingFlags("serve.corpora", "serve.documents", "serve.roots", "serve.runs"), serviceFlags()),
		Action: action(env, mcpOptionsFrom, runMCP),
	}
}

type mcpOptions struct {
	serviceOptions

	write bool
	runs  runsOptions // that agents start
}

func mcpOptionsFrom(cc invocation) (o mcpOptions, err error) {
	o.write = cc.Bool("write")
	if o.serviceOptions, err = serviceOptionsFrom(cc); err != nil {
		return o, err
	}
	o.runs, err = runsOptionsFrom(cc, o.corpus)
	return o, err
}

func runMCP(ctx context.Context, env *environment, o mcpOptions) error {
	return withService(ctx, env, o.serviceOptions, func(store *neo4jstore.Store, offered *service.Service) error {
		if terminal.IsTerminal(env.Stdin) {
			env.note("neorag mcp answers programs, which write messages to its standard input (Ctrl-C stops it)")
		}
		agents := mcp.Options{Version: currentBuild().Version, Service: offered, Log: env.logger()}
		if o.write {
			folder, err := o.runs.folder(env)
			if err != nil {
				return err
			}
			agents.Files, agents.Runs = folder, serverRuns(env, store, o.runs, folder)
		}
		err := withRuns(ctx, agents.Runs, func(ctx context.Context) error {
			return mcp.New(agents).Run(ctx, io.NopCloser(env.Stdin), openOutput{env.Stdout})
		})
		if errors.Is(err, mcp.ErrMessage) {
			return failure(err, "mcp: standard input: "+err.Error(), "an MCP client starts this command and writes one JSON message per line; docs/agents.md shows how to configure clients")
		}
		return err
	})
}

// openOutput is standard output, which stays open.
type openOutput struct{ io.Writer }

// Close does nothing.
func (openOutput) Close() error { return nil }
