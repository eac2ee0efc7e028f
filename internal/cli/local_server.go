package cli

import (
	"context"
	"errors"
	"path/filepath"

	"github.com/neorag/neorag/internal/config"
	"github.com/neorag/neorag/internal/store/localneo4j"
)

// localServerOptions returns what the settings say of the local server.
func localServerOptions(settings *config.Config) localneo4j.Options {
	o := localneo4j.Options{
		BoltPort: settings.Int("server.bolt_port"), HTTPPort: settings.Int("server.http_port"),
		Version: settings.Text("server.version"), HeapMB: settings.Int("server.heap"), PageCacheMB: settings.Int("server.page_cache"),
	}
	if mode := settings.Text("server.mode"); mode != "auto" {
		o.Mode = localneo4j.Mode(mode)
	}
	return o
}

// startLocal starts the local server, or returns the one that runs.
func startLocal(ctx context.Context, env *environment, o localneo4j.Options) (server localneo4j.Server, started bool, err error) {
	if o.Data, err = env.serverData(); err != nil {
		return server, false, err
	}
	env.handlesSignals.Store(true) // stopping a server that does not start has its own limits
	defer env.handlesSignals.Store(false)
	o.Trusted = env.choseServerData()
	o.Java, o.Progress = javaProgram(env), func(line string) { env.note("%s", line) }
	return localneo4j.Up(ctx, o)
}

// choseServerData reports whether the user, not a file of settings, chose the data folder of the
// local server: with a flag or a variable, or because it is in the user's own data folder.
func (env *environment) choseServerData() bool {
	v := env.settings.Get("server.data")
	if v.Origin != config.FromFile {
		return true
	}
	home, err := env.home()
	if err != nil {
		return false
	}
	within, err := filepath.Rel(home, v.Text())
	return err == nil && filepath.IsLocal(within)
}

// ensureServer starts the local server if no server is configured and it is not running, and says
// so. If another program uses a port of the settings, it takes free ones: commands find the server by
// its data folder.
func ensureServer(ctx context.Context, env *environment) error {
	if env.settings.Text("neo4j.uri") != "" {
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
	o := localServerOptions(env.settings)
	server, _, err := startLocal(ctx, env, o)
	if errors.Is(err, localneo4j.ErrPortInUse) {
		o.BoltPort, o.HTTPPort = 0, 0
		server, _, err = startLocal(ctx, env, o)
	}
	if err != nil {
		return err
	}
	env.note("Neo4j is running: %s", server.URI)
	return nil
}
