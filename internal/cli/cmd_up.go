package cli

import (
	"context"
	"path/filepath"

	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/internal/store/localneo4j"
	"github.com/neorag/neorag/internal/view/neobrowser"
)

func newUpCommand(env *environment) *ucli.Command {
	return &ucli.Command{
		Name:  "up",
		Usage: "start a local Neo4j, or show where it is running",
		Description: "Uses Docker if its engine is running, or else Java 17 with Neo4j's jars, which Maven downloads once (137 MB).\n" +
			"The server listens on this machine only and keeps running after this command; `neorag down` stops it.",
		Flags:  append(settingFlags("server.bolt_port", "server.http_port", "server.heap", "server.page_cache", "server.mode"), ownFlag("server.data", "")),
		Action: action(env, upOptionsFrom, runUp),
	}
}

type upOptions struct {
	mode                localneo4j.Mode
	boltPort, httpPort  int // 0 means a free one
	heapMB, pageCacheMB int // 0 means a share of the memory
}

func upOptionsFrom(cc invocation) (upOptions, error) {
	settings := cc.settings
	return upOptions{
		mode: modeOf(settings.Text("server.mode")), boltPort: settings.Int("server.bolt_port"), httpPort: settings.Int("server.http_port"),
		heapMB: settings.Int("server.heap"), pageCacheMB: settings.Int("server.page_cache"),
	}, nil
}

func runUp(ctx context.Context, env *environment, o upOptions) error {
	server, started, err := startLocal(ctx, env, o)
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
	if server.HTTP != "" {
		env.printf("Neo4j Browser: %s\n", neobrowser.Address(server.HTTP, server.URI, server.User, ""))
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
