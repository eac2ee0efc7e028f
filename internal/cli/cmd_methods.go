package cli

import (
	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/internal/query"
)

func newMethodsCommand(env *environment) *ucli.Command {
	return &ucli.Command{
		Name:   "methods",
		Usage:  "list the query methods",
		Action: func(*ucli.Context) error { return runMethods(env) },
	}
}

func runMethods(env *environment) error {
	type method struct {
		Name    string `json:"name"`
		Summary string `json:"summary"`
	}
	var methods []method
	for _, m := range query.Methods() {
		methods = append(methods, method{m.Name, m.Summary})
	}
	if env.json {
		return env.printJSON(map[string][]method{"methods": methods})
	}
	for _, m := range methods {
		env.printf("%-8s %s\n", m.Name, m.Summary)
	}
	return nil
}
