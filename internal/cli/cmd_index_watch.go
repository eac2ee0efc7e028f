package cli

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/neorag/neorag/internal/config"
	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/source"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/sys/watch"
)

// Times until a failed run is tried again if nothing changes: the first, which doubles,
// and the longest.
const (
	firstRetry = 5 * time.Second
	lastRetry  = 5 * time.Minute
)

// watchIndex indexes, and again whenever something changes, until ctx ends. An error of
// the first run ends it. Each run connects again, and has a budget for itself.
func watchIndex(ctx context.Context, env *environment, o indexOptions) error {
	w, err := watch.New(watch.Options{})
	if err != nil {
		return err
	}
	defer func() { _ = w.Close() }()
	retry := time.Duration(0)
	for first := true; ; first = false {
		if err := watchPaths(ctx, env, w, o); err != nil {
			return err
		}
		err := indexOnce(ctx, env, o, printUpdate)
		switch {
		case ctx.Err() != nil || first && err != nil:
			return err
		case err != nil:
			retry = min(max(firstRetry, 2*retry), lastRetry)
			env.printError(err)
			env.note("trying again in %v, or when something changes", retry)
		default:
			retry = 0
		}
		if first {
			env.note("watching %s; an interrupt (Ctrl-C) ends it", strings.Join(o.paths, ", "))
		}
		if err := waitForChange(ctx, w, retry); err != nil {
			return err
		}
		if ctx.Err() != nil {
			env.exit = 0
			return nil
		}
	}
}

// watchRequests executes the runs that are requested, until ctx ends.
func watchRequests(ctx context.Context, env *environment, o runsOptions) error {
	if err := env.requireTrust("serve."); err != nil {
		return err
	}
	folder, err := o.folder(env)
	if err != nil {
		return err
	}
	return withStore(ctx, env, func(store *neo4jstore.Store) error {
		env.note("executing the runs that are requested of %s; an interrupt (Ctrl-C) ends it", folder.Path)
		serverRuns(env, store, o, folder).Serve(ctx)
		return nil
	})
}

// watchPaths watches the folders that the next run lists, but not those where this program
// keeps its own files.
func watchPaths(ctx context.Context, env *environment, w *watch.Watcher, o indexOptions) error {
	var roots []string
	for _, p := range o.paths {
		root, err := filepath.Abs(p)
		if err != nil {
			return err
		}
		roots = append(roots, root)
	}
	listing, err := source.List(ctx, o.paths, o.run.Source)
	if err != nil { // as the run will say
		return w.Set(nil, roots)
	}
	own, err := config.DataDir(env.Getenv)
	if err == nil {
		own, err = filepath.EvalSymlinks(own)
	}
	if err == nil {
		listing.Folders = slices.DeleteFunc(listing.Folders, func(folder string) bool {
			return folder == own || strings.HasPrefix(folder, own+string(filepath.Separator))
		})
	}
	return w.Set(listing.Folders, roots)
}

// waitForChange waits for a change or until the time of a retry, if that is not 0, or
// until ctx ends.
func waitForChange(ctx context.Context, w *watch.Watcher, retry time.Duration) error {
	wait := ctx
	if retry > 0 {
		var cancel context.CancelFunc
		wait, cancel = context.WithTimeout(ctx, retry)
		defer cancel()
	}
	err := w.Wait(wait)
	if wait.Err() != nil {
		return nil
	}
	return err
}

// printUpdate prints what a run did, with the time, if it did anything.
func printUpdate(_ context.Context, env *environment, _ *neo4jstore.Store, r index.Result) error {
	switch {
	case r.Writes == 0 && r.Exit == 0:
	case env.json:
		return env.printJSON(r)
	default:
		env.printf("%s\n", time.Now().Format(time.DateTime))
		printDone(env, r)
	}
	return nil
}
