package cli

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/internal/config"
	"github.com/neorag/neorag/internal/llm"
)

func newCacheCommand(env *environment) *ucli.Command {
	return &ucli.Command{
		Name:      "cache",
		Usage:     "show the size of the cache of model responses, check its files, or prune it",
		ArgsUsage: "[size | check | prune | servers | forget]",
		Description: "size     counts the responses and their bytes (default)\n" +
			"check    reads every file and lists the corrupt ones\n" +
			"prune    deletes responses, by --older-than, --max-size or both\n" +
			"servers  lists what model servers were found to refuse, which later runs do not try for a week\n" +
			"forget   deletes that, so that everything is tried again, as after the upgrade of a server",
		Flags: []ucli.Flag{
			&ucli.StringFlag{Name: "older-than", Usage: "delete responses older than `AGE`, such as 30d or 12h (prune only)"},
			&ucli.Int64Flag{Name: "max-size", Usage: "delete the oldest responses until at most `MB` are left (prune only)", DefaultText: "no limit"},
			ownFlag("cache_dir", "use the cache in `FOLDER` ("+config.EnvCache+")"),
		},
		Action: action(env, cacheOptionsFrom, runCache),
	}
}

type cacheOptions struct {
	operation string // one of cacheOperations
	dir       string // "" means the default
	olderThan time.Duration
	maxBytes  int64 // 0 means no limit
	byAge     bool  // --older-than is given
}

var cacheOperations = []string{"size", "check", "prune", "servers", "forget"}

func cacheOptionsFrom(cc invocation) (o cacheOptions, err error) {
	o = cacheOptions{operation: cmp.Or(cc.Args().First(), "size"), dir: cc.settings.Text("cache_dir"), byAge: cc.IsSet("older-than"), maxBytes: cc.Int64("max-size") << 20}
	pruning := o.byAge || cc.IsSet("max-size")
	switch {
	case cc.NArg() > 1 || pruning && o.operation != "prune":
		return o, usage("cache: give size, check, servers, forget, or prune with --older-than or --max-size")
	case o.operation == "prune" && !pruning:
		return o, usage("cache prune: give --older-than AGE, --max-size MB, or both")
	case !slices.Contains(cacheOperations, o.operation):
		return o, usage("cache: unknown operation %q%s", o.operation, suggest(o.operation, cacheOperations, "; choose size, check, prune, servers or forget"))
	case cc.IsSet("max-size") && o.maxBytes <= 0:
		return o, usage("--max-size %d: give a number of MB above 0", cc.Int64("max-size"))
	}
	if o.byAge {
		if o.olderThan, err = parseAge(cc.String("older-than")); err != nil {
			return o, usageError(err)
		}
	}
	return o, nil
}

func runCache(ctx context.Context, env *environment, o cacheOptions) error {
	dir, err := env.cacheFolder(o.dir)
	if err != nil {
		return err
	}
	cache := &llm.Cache{Dir: dir}
	switch o.operation {
	case "check":
		return checkCache(ctx, env, cache)
	case "prune":
		return pruneCache(ctx, env, cache, o)
	case "servers":
		return listServers(env, dir)
	case "forget":
		return forgetServers(env, dir)
	}
	s, err := cache.Stats(ctx)
	if err != nil {
		return err
	}
	return env.print(cacheSize{env.withoutFolders(cache.Dir), s}, func() {
		env.printf("%s: %d answers and %d vectors, %s; what is known of %d model servers\n", cache.Dir, s.Answers, s.Vectors, megabytes(s.Bytes), s.Servers)
	})
}

// cacheSize is the shape of `cache --json`.
type cacheSize struct {
	Folder string `json:"folder"`
	llm.CacheStats
}

// cacheFolder returns the folder of the cache: the given one, or else the user's.
func (env *environment) cacheFolder(given string) (string, error) {
	if given != "" {
		return given, nil
	}
	return config.CacheDir(env.Getenv)
}

func checkCache(ctx context.Context, env *environment, cache *llm.Cache) error {
	r, err := cache.Check(ctx)
	if err != nil {
		return err
	}
	if len(r.Broken) > 0 {
		env.exit = exitFailedParts
	}
	return env.print(r, func() {
		env.printf("%d files: %d corrupt (the model is asked again), %d unknown\n", r.Files, len(r.Broken), len(r.Strange))
		for _, path := range append(r.Broken, r.Strange...) {
			env.printf("  %s\n", path)
		}
	})
}

func pruneCache(ctx context.Context, env *environment, cache *llm.Cache, o cacheOptions) error {
	var before time.Time
	if o.byAge {
		before = time.Now().Add(-o.olderThan)
	}
	r, err := cache.Prune(ctx, before, o.maxBytes)
	if err != nil {
		return err
	}
	return env.print(r, func() {
		env.printf("%d files removed, %s; %d are left, %s\n", r.Removed, megabytes(r.RemovedBytes), r.Left, megabytes(r.LeftBytes))
	})
}

// parseAge parses a duration, which may be in days.
func parseAge(s string) (time.Duration, error) {
	if days, ok := strings.CutSuffix(s, "d"); ok {
		n, err := strconv.Atoi(days)
		if err != nil || n < 0 || n > 36500 {
			return 0, fmt.Errorf("--older-than %q: give days or hours, such as 30d or 12h", s)
		}
		return time.Duration(n) * 24 * time.Hour, nil
	}
	d, err := time.ParseDuration(s)
	if err != nil || d < 0 {
		return 0, fmt.Errorf("--older-than %q: give days or hours, such as 30d or 12h", s)
	}
	return d, nil
}

func megabytes(n int64) string { return fmt.Sprintf("%.1f MB", float64(n)/(1<<20)) }
