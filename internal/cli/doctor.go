package cli

import (
	"errors"
	"fmt"

	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/internal/localneo4j"
	"github.com/neorag/neorag/internal/neo4jstore"
)

func (c *command) doctor() *ucli.Command {
	return &ucli.Command{
		Name:   "doctor",
		Usage:  "check the settings, the server, its constraints and indexes, and say what to do",
		Flags:  []ucli.Flag{oneCorpusFlag(), dataFlag()},
		Action: c.runDoctor,
	}
}

// finding is one thing that doctor looked at.
type finding struct {
	Check  string `json:"check"`
	OK     bool   `json:"ok"`
	Detail string `json:"detail"`
	Hint   string `json:"hint,omitempty"`
}

func (c *command) runDoctor(cc *ucli.Context) error {
	local, err := c.localFindings(cc)
	if err != nil {
		return err
	}
	found := append([]finding{settingsFinding(c.config)}, local...)
	err = c.withStore(cc.Context, cc, func(store *neo4jstore.Store) error {
		check, err := store.Check(cc.Context, cc.String("corpus"))
		if err != nil {
			return err
		}
		found = append(found, findings(check, cc.String("corpus"))...)
		return nil
	})
	if err != nil {
		found = append(found, finding{Check: "server", Detail: err.Error(), Hint: doctorHint(err)})
	}
	sick := 0
	for _, f := range found {
		if !f.OK {
			sick++
		}
	}
	if sick > 0 {
		c.exit = exitFailure
	}
	if cc.Bool("json") {
		return c.printJSON(map[string]any{"ok": sick == 0, "checks": found, "settings": effectiveSettingsOf(c.config)})
	}
	for _, f := range found {
		mark := "ok  "
		if !f.OK {
			mark = "FAIL"
		}
		c.printf("%s  %-12s %s\n", mark, f.Check, f.Detail)
		if f.Hint != "" {
			c.printf("      %-12s %s\n", "", f.Hint)
		}
	}
	return nil
}

// localFindings looks at what a local server needs, unless another one is used.
func (c *command) localFindings(cc *ucli.Context) ([]finding, error) {
	if c.config.Get("neo4j.uri").Text() != "" {
		return nil, nil
	}
	checks, err := localneo4j.Inspect(cc.Context, localneo4j.Options{Data: c.serverData(cc), Java: c.java()})
	if err != nil {
		return nil, err
	}
	var out []finding
	for _, k := range checks {
		out = append(out, finding{Check: k.Name, OK: k.OK, Detail: k.Detail})
	}
	return out, nil
}

func doctorHint(err error) string {
	if u, ok := errors.AsType[*userError](err); ok && u.hint != "" {
		return u.hint
	}
	return hintFor(err)
}

// findings of the server, its schema, and the corpora, or the one that is named.
func findings(check neo4jstore.Check, corpus string) []finding {
	s := check.Server
	out := []finding{
		{Check: "server", OK: true, Detail: fmt.Sprintf("Neo4j %s %s at %s", s.Version, s.Edition, s.Address)},
	}
	schema := finding{Check: "schema", OK: true, Detail: "constraints and indexes stand"}
	if n := len(check.Missing) + len(check.Different); n > 0 {
		schema = finding{Check: "schema", Detail: fmt.Sprintf("missing: %v; different: %v", check.Missing, check.Different), Hint: "the next `neorag index` makes what is missing; drop what differs, and run it again"}
		if len(check.Corpora) == 0 && len(check.Different) == 0 {
			schema = finding{Check: "schema", OK: true, Detail: "nothing is indexed yet; the first `neorag index` makes it"}
		}
	}
	out = append(out, schema)
	if corpus != "" && len(check.Corpora) == 0 {
		out = append(out, finding{Check: "corpus " + corpus, Detail: "no such corpus", Hint: hintFor(neo4jstore.ErrNoCorpus)})
	}
	for _, k := range check.Corpora {
		f := finding{Check: "corpus " + k.Corpus, OK: true, Detail: fmt.Sprintf("%d indexes online", len(k.Indexes))}
		for _, ix := range k.Indexes {
			if ix.State != "ONLINE" {
				f.OK = false
				f.Detail = fmt.Sprintf("index %s is %s (%.0f %%)", ix.Name, ix.State, ix.PopulationPercent)
				f.Hint = "wait while it populates; an index that failed is made anew after `neorag remove --corpus " + k.Corpus + "` and another run"
			}
			if ix.Dimension > 0 && f.OK {
				f.Detail = fmt.Sprintf("%d indexes online, vectors of %d dimensions", len(k.Indexes), ix.Dimension)
			}
		}
		out = append(out, f)
	}
	return out
}
