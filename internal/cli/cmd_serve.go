package cli

import (
	"context"
	"crypto/rand"
	"errors"
	"net"
	"slices"
	"syscall"

	ucli "github.com/urfave/cli/v2"
	"golang.org/x/sync/errgroup"

	"github.com/neorag/neorag/internal/config"
	"github.com/neorag/neorag/internal/server"
	"github.com/neorag/neorag/internal/server/files"
	"github.com/neorag/neorag/internal/server/mcp"
	"github.com/neorag/neorag/internal/server/service"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

func newServeCommand(env *environment) *ucli.Command {
	return &ucli.Command{
		Name:  "serve",
		Usage: "answer questions over HTTP: for programs, chat clients and a browser",
		Description: "Serves until you press Ctrl-C. By default only this machine can reach the server, and every account of it\n" +
			"may ask; another address, or --token auto, needs the token of " + config.EnvServeToken + ".",
		Flags: slices.Concat([]ucli.Flag{
			corpusFlag(), &ucli.StringFlag{Name: "token", Usage: "with auto, make a token for this run and print it"},
			writeFlag(), &ucli.BoolFlag{Name: "watch", Usage: "index when a file changes in the folders of the server"},
		}, settingFlags("serve"), serviceFlags()),
		Action: action(env, serveOptionsFrom, runServe),
	}
}

type serveOptions struct {
	serviceOptions

	address, token  string
	hosts           []string
	readOnly, watch bool
	write           bool // agents may have a corpus indexed
	newToken        bool // the token was made for this run
	runs            runsOptions
}

func serveOptionsFrom(cc invocation) (o serveOptions, err error) {
	o = serveOptions{
		address: cc.settings.Text("serve.address"), hosts: cc.settings.Items("serve.hosts"),
		readOnly: cc.settings.Bool("serve.read_only"), watch: cc.Bool("watch"), write: cc.Bool("write"),
	}
	if o.readOnly && (o.watch || o.write || len(cc.settings.Items("serve.roots")) > 0) {
		return o, usage("--read-only: the server runs no index; leave out --watch, --write and --root")
	}
	switch cc.String("token") {
	case "":
	case "auto":
		o.token, o.newToken = rand.Text(), true
	default:
		return o, usage("--token: auto is the only value; a token of your own belongs in %s, where other accounts do not see it", config.EnvServeToken)
	}
	if o.serviceOptions, err = serviceOptionsFrom(cc); err != nil {
		return o, err
	}
	o.runs, err = runsOptionsFrom(cc, o.corpus)
	return o, err
}

func runServe(ctx context.Context, env *environment, o serveOptions) error {
	if o.token == "" {
		o.token = env.Getenv(config.EnvServeToken)
	}
	folder, err := o.folder(env)
	if err != nil {
		return err
	}
	listener, err := server.Listen(ctx, o.address, o.token)
	if errors.Is(err, syscall.EADDRINUSE) {
		return failure(err, "serve: "+err.Error(), "another program listens there: end it, or choose another address with --address")
	}
	if errors.Is(err, server.ErrNeedsToken) {
		return &userError{exitUsage, "serve: " + err.Error(), "set " + config.EnvServeToken + " to at least 20 characters, or pass --token auto, or listen at 127.0.0.1", err}
	}
	if err != nil {
		return usage("serve: %w", err)
	}
	defer func() { _ = listener.Close() }()
	return withService(ctx, env, o.serviceOptions, func(store *neo4jstore.Store, offered *service.Service) error {
		serve := server.Options{
			Version: currentBuild().Version, Service: offered,
			Fence: server.Fence{Hosts: o.hosts, Token: o.token, Log: env.progressLogger()}, Log: env.logger(),
		}
		if folder != nil {
			serve.Files, serve.Runs = folder, serverRuns(env, store, o.runs, folder)
		}
		agents := mcp.Options{Version: serve.Version, Service: offered, Log: env.logger()}
		if o.write {
			agents.Files, agents.Runs = serve.Files, serve.Runs
		}
		serve.MCP = mcp.New(agents).Handler()
		o.announce(env, listener.Addr())
		return serveWithRuns(ctx, env, listener, o, serve)
	})
}

// folder returns where clients add documents; nil if they may not.
func (o serveOptions) folder(env *environment) (*files.Folder, error) {
	if o.readOnly {
		return nil, nil //nolint:nilnil // a server that only reads has no folder
	}
	return o.runs.folder(env)
}

// announce tells where the server is, and who can reach it.
func (o serveOptions) announce(env *environment, address net.Addr) {
	env.note("NeoRAG answers at http://%s (Ctrl-C stops it)", address)
	switch {
	case o.newToken:
		env.note("token: %s", o.token)
	case o.token == "":
		env.note("every account of this machine can use it; --token auto asks for a token")
	}
}

// serveWithRuns serves, and runs what is requested, until the context is done or the server fails.
func serveWithRuns(ctx context.Context, env *environment, listener net.Listener, o serveOptions, serve server.Options) error {
	return withRuns(ctx, serve.Runs, func(ctx context.Context) error {
		group, ctx := errgroup.WithContext(ctx)
		if o.watch {
			group.Go(func() error { return watchDocuments(ctx, env, o.runs.index.run.Source, serve.Files, serve.Runs) })
		}
		group.Go(func() error { return server.Serve(ctx, listener, server.New(serve)) })
		return group.Wait()
	})
}
