package cli

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/internal/config"
	"github.com/neorag/neorag/internal/llm"
)

func cacheFlag() ucli.Flag {
	return &ucli.StringFlag{Name: "cache-dir", Usage: "`FOLDER` of what models answered (" + config.EnvCache + ")"}
}

func (c *command) cache() *ucli.Command {
	return &ucli.Command{
		Name:      "cache",
		Usage:     "what models answered is kept: its size, whether it is whole, and how to prune it",
		ArgsUsage: "[size | check | prune]",
		Flags: []ucli.Flag{
			cacheFlag(),
			&ucli.StringFlag{Name: "older-than", Usage: "prune what is older than an `AGE` such as 30d or 12h"},
			&ucli.Int64Flag{Name: "max-size", Usage: "prune the oldest until `MB` are left", DefaultText: "no limit"},
		},
		Action: c.runCache,
	}
}

// cacheFolder is the folder of model responses.
func (c *command) cacheFolder(cc *ucli.Context) string {
	return cmp.Or(cc.String("cache-dir"), config.CacheDir(c.env.Getenv))
}

func (c *command) runCache(cc *ucli.Context) error {
	folder := c.cacheFolder(cc)
	cache := &llm.Cache{Dir: folder}
	pruning := cc.IsSet("older-than") || cc.IsSet("max-size")
	what := cmp.Or(cc.Args().First(), "size")
	if cc.NArg() > 1 || pruning && what != "prune" {
		return usage("cache: give size, check, or prune with --older-than or --max-size")
	}
	switch what {
	case "size":
		s, err := cache.Stats(cc.Context)
		if err != nil {
			return err
		}
		if cc.Bool("json") {
			return c.printJSON(struct {
				Folder string `json:"folder"`
				llm.CacheStats
			}{folder, s})
		}
		c.printf("%s: %d answers and %d vectors, %s\n", folder, s.Answers, s.Vectors, megabytes(s.Bytes))
	case "check":
		return c.checkCache(cc, cache)
	case "prune":
		if !pruning {
			return usage("cache prune: give --older-than AGE, --max-size MB, or both")
		}
		return c.pruneCache(cc, cache)
	default:
		return usage("cache: unknown %q%s", what, nearest(what, []string{"size", "check", "prune"}))
	}
	return nil
}

func (c *command) checkCache(cc *ucli.Context, cache *llm.Cache) error {
	r, err := cache.Check(cc.Context)
	if err != nil {
		return err
	}
	if len(r.Broken) > 0 {
		c.exit = exitFailedParts
	}
	if cc.Bool("json") {
		return c.printJSON(r)
	}
	c.printf("%d files, %d of them broken (they are asked for again), %d strange\n", r.Files, len(r.Broken), len(r.Strange))
	for _, path := range append(r.Broken, r.Strange...) {
		c.printf("  %s\n", path)
	}
	return nil
}

func (c *command) pruneCache(cc *ucli.Context, cache *llm.Cache) error {
	var before time.Time
	if s := cc.String("older-than"); s != "" {
		age, err := parseAge(s)
		if err != nil {
			return &userError{code: exitUsage, message: err.Error()}
		}
		before = time.Now().Add(-age)
	}
	if cc.IsSet("max-size") && cc.Int64("max-size") <= 0 {
		return usage("--max-size %d: give a number of MB above 0", cc.Int64("max-size"))
	}
	r, err := cache.Prune(cc.Context, before, cc.Int64("max-size")<<20)
	if err != nil {
		return err
	}
	if cc.Bool("json") {
		return c.printJSON(r)
	}
	c.printf("%d files removed, %s; %d are left, %s\n", r.Removed, megabytes(r.RemovedBytes), r.Left, megabytes(r.LeftBytes))
	return nil
}

// parseAge reads a duration, also in days.
func parseAge(s string) (time.Duration, error) {
	if days, ok := strings.CutSuffix(s, "d"); ok {
		n, err := strconv.Atoi(days)
		if err != nil || n < 0 || n > 36500 {
			return 0, fmt.Errorf("age %q: give days or hours, as in 30d or 12h", s)
		}
		return time.Duration(n) * 24 * time.Hour, nil
	}
	d, err := time.ParseDuration(s)
	if err != nil || d < 0 {
		return 0, fmt.Errorf("age %q: give days or hours, as in 30d or 12h", s)
	}
	return d, nil
}

func megabytes(n int64) string { return fmt.Sprintf("%.1f MB", float64(n)/(1<<20)) }
