package cli

import (
	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/internal/localneo4j"
)

func (c *command) down() *ucli.Command {
	return &ucli.Command{
		Name:   "down",
		Usage:  "stop the local Neo4j; its data stays",
		Flags:  []ucli.Flag{dataFlag()},
		Action: c.runDown,
	}
}

func (c *command) runDown(cc *ucli.Context) error {
	ran, err := localneo4j.Down(cc.Context, localneo4j.Options{Data: c.serverData(cc)})
	if err != nil {
		return err
	}
	if cc.Bool("json") {
		return c.printJSON(map[string]bool{"stopped": ran})
	}
	if ran {
		c.printf("Neo4j stopped; its data stays in %s\n", c.serverData(cc))
	} else {
		c.printf("no local Neo4j was running\n")
	}
	return nil
}
