package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/neorag/neorag/internal/config"
	"github.com/neorag/neorag/internal/store/localneo4j"
	"github.com/neorag/neorag/internal/store/neo4jstore"
)

// serverAddress returns how to reach Neo4j: the server of the settings, or else the
// local one that `neorag up` started.
func serverAddress(env *environment) (neo4jstore.Config, error) {
	server := neo4jstore.Config{
		URI: env.settings.Text("neo4j.uri"), Username: cmp.Or(env.settings.Text("neo4j.username"), config.DefaultNeo4jUser),
		Database: env.settings.Text("neo4j.database"), Logger: env.logger(),
	}
	if server.URI != "" {
		var err error
		server.Password, err = env.settings.Neo4jPassword()
		return server, err
	}
	data, err := env.serverData()
	if err != nil {
		return server, err
	}
	local, err := localneo4j.Find(data)
	if errors.Is(err, localneo4j.ErrNotRunning) {
		return server, failure(err, "no Neo4j server: no local one is running, and "+config.EnvURI+" is not set",
			"start a local server with `neorag up`, or set "+config.EnvURI+", "+config.EnvUser+" and "+config.EnvPassword)
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

// withStore opens the store, runs fn and closes the store.
func withStore(ctx context.Context, env *environment, fn func(*neo4jstore.Store) error) error {
	server, err := serverAddress(env)
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
