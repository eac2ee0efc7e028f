package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"

	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/internal/localneo4j"
	"github.com/neorag/neorag/internal/neo4jstore"
)

// address finds the server: the one that is set, else the local one that `neorag up` started.
func (c *command) address(cc *ucli.Context) (neo4jstore.Config, error) {
	config := neo4jstore.Config{
		URI: c.get(cc, "neo4j-uri").text(), Username: cmp.Or(c.get(cc, "neo4j-username").text(), defaultUser),
		Password: c.env.Getenv(envPassword), Database: c.get(cc, "neo4j-database").text(), Logger: c.logger(cc),
	}
	if config.URI != "" {
		return config, nil
	}
	server, err := localneo4j.Find(c.serverData(cc))
	if errors.Is(err, localneo4j.ErrNotRunning) {
		return config, &userError{
			code: exitFailure, message: "no Neo4j is known: no local server runs, and " + envURI + " is not set",
			hint: "start a local server with `neorag up`, or set " + envURI + ", " + envUser + " and " + envPassword, cause: err,
		}
	}
	if err != nil {
		return config, fmt.Errorf("find the local server: %w", err)
	}
	password, err := localneo4j.Password(server)
	if err != nil {
		return config, fmt.Errorf("read the local server's password: %w", err)
	}
	config.URI, config.Username, config.Password = server.URI, server.User, password
	return config, nil
}

// withStore opens the store for the time of fn.
func (c *command) withStore(ctx context.Context, cc *ucli.Context, fn func(*neo4jstore.Store) error) error {
	config, err := c.address(cc)
	if err != nil {
		return err
	}
	store, err := neo4jstore.Open(ctx, config)
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
