package cli

import (
	"context"
	"path/filepath"

	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/internal/view/neobrowser"
)

func newUpCommand(env *environment) *ucli.Command {
	return &ucli.Command{
		Name:  "up",
		Usage: "start a local Neo4j, or show where it is running",
		Description: "Uses Docker if its engine is running, or else Java with Neo4j's jars, which Maven downloads once (about 150 MB).\n" +
			"Neo4j 5.26 needs Java 17 or 21. A newer --neo4j-version needs Java 21 or 25, and converts the data: an older one cannot read it any more.\n" +
			"The server listens on this machine only and keeps running after this command; `neorag down` stops it.",
		Flags:  append(settingFlags("server.bolt_port", "server.http_port", "server.heap", "server.page_cache", "server.version", "server.mode"), ownFlag("server.data", "")),
		Action: func(cc *ucli.Context) error { return runUp(cc.Context, env) },
	}
}

func runUp(ctx context.Context, env *environment) error {
	server, started, err := startLocal(ctx, env, localServerOptions(env.settings))
	if err != nil {
		return err
	}
	if env.json {
		return env.printJSON(server)
	}
	state := "Neo4j is already running"
	if started {
		state = "Neo4j is running"
	}
	env.printf("%s: %s\n", state, server.URI)
	if wanted := env.settings.Text("server.version"); wanted != "" && wanted != server.Version {
		env.note("it is Neo4j %s; to run %s, stop it first with `neorag down`", server.Version, wanted)
	}
	if server.HTTP != "" {
		env.printf("Neo4j Browser: %s\n", neobrowser.Address(server.HTTP, server.URI, server.User, "", ""))
	}
	if server.HeapMB > 0 { // unknown of a server that an older version started
		env.printf("memory: %d MB of heap, up to %d MB of page cache (--heap, --page-cache)\n", server.HeapMB, server.PageCacheMB)
	}
	env.printf("user %s, password in %s\n", server.User, server.PasswordFile)
	if server.HTTP != "" {
		env.printf("once a corpus is indexed, `neorag explore` opens it in Neo4j Browser with colours, queries and a guide\n")
	}
	return nil
}

// javaProgram returns the java of JAVA_HOME, or "" for the one on the path.
func javaProgram(env *environment) string {
	home := env.Getenv("JAVA_HOME")
	if home == "" {
		return ""
	}
	return filepath.Join(home, "bin", "java")
}
