package cli

import (
	"path/filepath"

	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/internal/localneo4j"
	"github.com/neorag/neorag/internal/neobrowser"
)

func (c *command) up() *ucli.Command {
	return &ucli.Command{
		Name:  "up",
		Usage: "start a local Neo4j, or say where it runs",
		Description: "Docker is used if an engine answers, else Java 17 with Neo4j's jars, which Maven fetches once (137 MB).\n" +
			"The server listens on this machine only and goes on running after this command; `neorag down` stops it.",
		Flags: []ucli.Flag{
			dataFlag(),
			&ucli.IntFlag{Name: "bolt-port", Value: 7687, Usage: "`PORT` for programs; 0 takes a free one"},
			&ucli.IntFlag{Name: "http-port", Value: 7474, Usage: "`PORT` of Neo4j Browser; 0 takes a free one"},
			&ucli.IntFlag{Name: "heap", Value: 1024, Usage: "memory for the server in `MB`"},
			&ucli.IntFlag{Name: "page-cache", Value: 512, Usage: "memory for the graph in `MB`"},
			&ucli.StringFlag{Name: "mode", Value: "auto", Usage: "`auto`, docker or java"},
		},
		Action: c.runUp,
	}
}

func (c *command) runUp(cc *ucli.Context) error {
	mode := localneo4j.Mode(cc.String("mode"))
	switch mode {
	case "auto":
		mode = localneo4j.Auto
	case localneo4j.Auto, localneo4j.Docker, localneo4j.Java:
	default:
		return usage("mode %q: choose auto, docker or java", mode)
	}
	server, started, err := localneo4j.Up(cc.Context, localneo4j.Options{
		Data: c.serverData(cc), BoltPort: cc.Int("bolt-port"), HTTPPort: cc.Int("http-port"),
		HeapMB: cc.Int("heap"), PageCacheMB: cc.Int("page-cache"), Mode: mode, Java: c.java(),
		Progress: func(line string) { c.note(cc, "%s", line) },
	})
	if err != nil {
		return err
	}
	if cc.Bool("json") {
		return c.printJSON(server)
	}
	word := "Neo4j already runs"
	if started {
		word = "Neo4j runs"
	}
	c.printf("%s: %s\n", word, server.URI)
	if server.HTTP != "" {
		c.printf("Neo4j Browser: %s\n", neobrowser.Address(server.HTTP, server.URI, server.User, ""))
	}
	c.printf("user %s, password in %s\n", server.User, server.PasswordFile)
	if server.HTTP != "" {
		c.printf("once a corpus is indexed, `neorag explore` opens it there with colours, queries and a guide\n")
	}
	return nil
}

// java is the program that JAVA_HOME names, or empty for the one on the path.
func (c *command) java() string {
	home := c.env.Getenv("JAVA_HOME")
	if home == "" {
		return ""
	}
	return filepath.Join(home, "bin", "java")
}
