package cli

import (
	"context"
	"errors"
	"strconv"

	"github.com/neorag/neorag/internal/store/localneo4j"
)

// startLocal starts the local server, or returns the one that runs.
func startLocal(ctx context.Context, env *environment, o upOptions) (server localneo4j.Server, started bool, err error) {
	data, err := env.serverData()
	if err != nil {
		return server, false, err
	}
	return localneo4j.Up(ctx, localneo4j.Options{
		Data: data, BoltPort: o.boltPort, HTTPPort: o.httpPort,
		HeapMB: o.heapMB, PageCacheMB: o.pageCacheMB, Mode: o.mode, Java: javaProgram(env),
		Progress: func(line string) { env.note("%s", line) },
	})
}

// ensureServer starts the local server if no server is configured and it is not running, and says
// so. If another program uses a port of the settings, it takes free ones: commands find the server by
// its data folder.
func ensureServer(ctx context.Context, env *environment) error {
	if env.setting("neo4j.uri") != "" {
		return nil
	}
	data, err := env.serverData()
	if err != nil {
		return err
	}
	if _, err := localneo4j.Find(data); !errors.Is(err, localneo4j.ErrNotRunning) {
		return nil // connecting reports another error
	}
	env.note("no Neo4j server is configured, so a local one is started; `neorag down` stops it, and NEO4J_URI names another")
	o := upOptions{
		mode: modeOf(env.setting("server.mode")), boltPort: env.number("server.bolt_port"), httpPort: env.number("server.http_port"),
		heapMB: env.number("server.heap"), pageCacheMB: env.number("server.page_cache"),
	}
	server, _, err := startLocal(ctx, env, o)
	if errors.Is(err, localneo4j.ErrPortInUse) {
		o.boltPort, o.httpPort = 0, 0
		server, _, err = startLocal(ctx, env, o)
	}
	if err != nil {
		return err
	}
	env.note("Neo4j is running: %s", server.URI)
	return nil
}

// number returns a setting that is a number, 0 if it is not set.
func (env *environment) number(key string) int {
	n, _ := strconv.Atoi(env.setting(key)) // settings are checked when they are read
	return n
}

// modeOf returns the mode that a flag or setting names.
func modeOf(name string) localneo4j.Mode {
	if name == "auto" {
		return localneo4j.Auto
	}
	return localneo4j.Mode(name)
}
