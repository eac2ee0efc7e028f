package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"

	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/internal/config"
	"github.com/neorag/neorag/internal/localneo4j"
	"github.com/neorag/neorag/internal/neo4jstore"
)

// address finds the server: the one that is set, else the local one that `neorag up` started.
func (c *command) address(cc *ucli.Context) (neo4jstore.Config, error) {
	server := neo4jstore.Config{
		URI: c.config.Get("neo4j.uri").Text(), Username: cmp.Or(c.config.Get("neo4j.username").Text(), config.DefaultNeo4jUser),
		Password: c.env.Getenv(config.EnvPassword), Database: c.config.Get("neo4j.database").Text(), Logger: c.logger(cc),
	}
	if server.URI != "" {
		return server, nil
	}
	local, err := localneo4j.Find(c.serverData(cc))
	if errors.Is(err, localneo4j.ErrNotRunning) {
		return server, &userError{
			code: exitFailure, message: "no Neo4j is known: no local server runs, and " + config.EnvURI + " is not set",
			hint: "start a local server with `neorag up`, or set " + config.EnvURI + ", " + config.EnvUser + " and " + config.EnvPassword, cause: err,
		}
	}
	if err != nil {
		return server, fmt.Errorf("find the local server: %w", err)
	}
	password, err := localneo4j.Password(local)
	if err != nil {
		return server, fmt.Errorf("read the local server's password: %w", err)
	}
	server.URI, server.Username, server.Password = local.URI, local.User, password
	return server, nil
}

// withStore opens the store for the time of fn.
func (c *command) withStore(ctx context.Context, cc *ucli.Context, fn func(*neo4jstore.Store) error) error {
	server, err := c.address(cc)
	if err != nil {
		return err
	}
	store, err := neo4jstore.Open(ctx, server)
	if err != nil {
		return err
	}
	err = fn(store)
	if cerr := store.Close(context.WithoutCancel(ctx)); err == nil && cerr != nil {
		err = fmt.Errorf("close the connection: %w", cerr)
	}
	return err
}

// logger writes warnings to stderr.
func (c *command) logger(cc *ucli.Context) *slog.Logger {
	level := slog.LevelWarn
	if cc.Bool("verbose") {
		level = slog.LevelDebug
	}
	return newLogger(c.env.Stderr, level)
}
