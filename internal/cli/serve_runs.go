package cli

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/server/files"
	"github.com/neorag/neorag/internal/server/runs"
	"github.com/neorag/neorag/internal/server/service"
	"github.com/neorag/neorag/internal/source"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/sys/watch"
)

// runsOptions say what the runs of `neorag serve` and `neorag mcp` index, and how.
type runsOptions struct {
	documents string
	roots     []string
	runs      bool // or requests are left to other processes
	index     indexOptions
}

func runsOptionsFrom(cc invocation, corpus string) (o runsOptions, err error) {
	o = runsOptions{documents: cc.settings.Text("serve.documents"), roots: cc.settings.Items("serve.roots"), runs: cc.settings.Bool("serve.runs")}
	o.index, err = indexSettingsFrom(cc, corpus)
	return o, err
}

// folder returns where clients of the server add documents, and what runs index besides.
func (o runsOptions) folder(env *environment) (*files.Folder, error) {
	folder := o.documents
	if folder == "" {
		home, err := env.home()
		if err != nil {
			return nil, err
		}
		folder = filepath.Join(home, "documents")
	}
	folder, err := filepath.Abs(folder)
	if err != nil {
		return nil, err
	}
	f := &files.Folder{Path: folder, Others: map[string][]string{}}
	for _, root := range o.roots {
		corpus, path, ok := strings.Cut(root, "=")
		if !ok || path == "" {
			return nil, usage("--root %s: give CORPUS=FOLDER", root)
		}
		if err := graph.CheckCorpus(corpus); err != nil {
			return nil, usage("--root %s: %w", root, err)
		}
		if _, err := os.Stat(path); err != nil {
			return nil, usage("--root %s: %w", root, err)
		}
		f.Others[corpus] = append(f.Others[corpus], path)
	}
	return f, f.Sweep()
}

// serverRuns returns the runs of a server, which index what its folders hold. Processes with the same store and folders
// execute the requests of each other.
func serverRuns(env *environment, store *neo4jstore.Store, o runsOptions, folder *files.Folder) *runs.Runs {
	options := runs.Options{
		Queue: runs.InStore(store, index.LeaseOwnerEnded), Log: env.logger(), Explain: env.explainRun,
		Has: func(corpus string) bool { return len(folder.Paths(corpus)) > 0 },
	}
	if o.runs {
		options.Index = func(ctx context.Context, corpus string, progress func(runs.Progress)) (runs.Result, error) {
			run := o.index
			run.corpus, run.run.Corpus, run.run.Logger = corpus, corpus, env.logger()
			run.paths, run.run.Source.MayBeEmpty = folder.Paths(corpus), []string{folder.Of(corpus)}
			return indexRequested(ctx, env, store, run, progress)
		}
	}
	return runs.New(options)
}

// explainRun returns what a client sees of the error of a run.
func (env *environment) explainRun(err error) (message, hint string) {
	u := describeError(err)
	return service.NewError(service.Internal, u.message, "").Message, env.withoutFolders(u.hint)
}

// indexRequested runs what is requested of a corpus.
func indexRequested(ctx context.Context, env *environment, store *neo4jstore.Store, o indexOptions, progress func(runs.Progress)) (result runs.Result, err error) {
	explain := func(err error) string {
		message, _ := env.explainRun(err)
		return message
	}
	err = index.RunRequested(ctx, store, o.run, explain, func(ctx context.Context, run index.Options) error {
		log := env.progressLogger()
		log.InfoContext(ctx, "run begins", "corpus", o.corpus)
		o.run = run
		result, err = indexForServer(ctx, env.forRun(), store, o, progress)
		log.InfoContext(ctx, "run ended", "corpus", o.corpus, "calls", result.Calls, "failed", len(result.Failed), "error", neo4jstore.EndedBy(ctx, err))
		return err
	})
	return result, err
}

// withRuns calls do while runs are served. When it returns, their context ends, and they are waited for.
func withRuns(ctx context.Context, r *runs.Runs, do func(context.Context) error) error {
	if r == nil {
		return do(ctx)
	}
	serving, end := context.WithCancel(ctx)
	var group sync.WaitGroup
	group.Go(func() { r.Serve(serving) })
	defer group.Wait()
	defer end()
	return do(ctx)
}

// forRun returns an environment for a run that is one of several in this process.
func (env *environment) forRun() *environment {
	run := &environment{Env: env.Env, outputOptions: env.outputOptions, settings: env.settings, calls: env.calls, telemetry: env.telemetry, suggested: true}
	run.Stdin, run.quiet = strings.NewReader(""), true
	return run
}

// indexForServer indexes with models for this run alone.
func indexForServer(ctx context.Context, env *environment, store *neo4jstore.Store, o indexOptions, progress func(runs.Progress)) (out runs.Result, err error) {
	m, err := newModels(ctx, env, o.modelOptions)
	if err != nil {
		return out, err
	}
	defer m.close()
	run, err := completeRun(env, m, o)
	if err != nil {
		return out, err
	}
	run.Progress = func(p index.Progress) {
		now := runs.Progress{Stage: p.Stage, Done: p.Done, Total: p.Total, Failed: p.Failed, Ended: p.Ended}
		if run.Meter != nil {
			used := run.Meter.Total()
			now.Calls, now.Cost = used.Calls, used.Cost
		}
		progress(now)
	}
	x, err := index.New(store, run)
	if err != nil {
		return out, err
	}
	defer deleteStaleGraph(ctx, env, store, o.corpus)
	result, err := x.Run(ctx, o.paths)
	if err != nil {
		return out, err
	}
	return runs.Result{Calls: result.Calls, Cost: result.Cost, Failed: runFailures(result.Failures), Notes: result.Notes}, nil
}

// watchDocuments requests a run of each corpus of the server whenever a file below its folders changes, until the
// context is done.
func watchDocuments(ctx context.Context, env *environment, o source.Options, folder *files.Folder, r *runs.Runs) error {
	w, err := watch.New(watch.Options{})
	if err != nil {
		return err
	}
	defer func() { _ = w.Close() }()
	for {
		corpora, err := folder.Corpora()
		if err != nil {
			return err
		}
		folders, paths, retry := []string{folder.Path}, []string{}, time.Duration(0)
		for _, corpus := range corpora {
			folders = append(folders, folder.Of(corpus))
			paths = append(paths, folder.Paths(corpus)...)
			if err := r.Request(ctx, runs.Request{Corpus: corpus}); err != nil && ctx.Err() == nil {
				env.logger().WarnContext(ctx, "run not requested", "corpus", corpus, "cause", err)
				retry = firstRetry
			}
		}
		o.MayBeEmpty = paths
		if listing, err := source.List(ctx, paths, o); err == nil { // otherwise the run reports the error
			folders = append(folders, listing.Folders...)
		}
		if err := w.Set(folders, paths); err != nil {
			return err
		}
		if err := waitForChange(ctx, w, retry); err != nil || ctx.Err() != nil {
			return err
		}
	}
}

// runFailures returns what failed, by the names of files and nodes.
func runFailures(list []index.Failure) []runs.Failure {
	out := make([]runs.Failure, len(list))
	for i, f := range list {
		out[i] = runs.Failure{Item: graph.Local(f.Key), Reason: service.NewError(service.Internal, f.Reason, "").Message}
	}
	return out
}
