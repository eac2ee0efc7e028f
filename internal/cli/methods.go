package cli

import (
	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/internal/query"
)

func (c *command) methods() *ucli.Command {
	return &ucli.Command{
		Name:   "methods",
		Usage:  "list the ways to answer a question",
		Action: c.runMethods,
	}
}

func (c *command) runMethods(cc *ucli.Context) error {
	type line struct {
		Name    string `json:"name"`
		Summary string `json:"summary"`
	}
	var lines []line
	for _, m := range query.Methods() {
		lines = append(lines, line{m.Name, m.Summary})
	}
	if cc.Bool("json") {
		return c.printJSON(map[string][]line{"methods": lines})
	}
	for _, l := range lines {
		c.printf("%-8s %s\n", l.Name, l.Summary)
	}
	return nil
}
