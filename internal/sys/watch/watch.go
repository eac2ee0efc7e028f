// Package watch tells when files change.
package watch

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"time"

	"github.com/fsnotify/fsnotify"
)

// Options of a Watcher. The zero value takes the defaults.
type Options struct {
	Quiet   time.Duration // how long nothing may change before Wait returns; 0 means a second
	Longest time.Duration // how long Wait waits for that at most; 0 means 30 seconds
}

// A Watcher notes changes in folders and of single paths. It is for one goroutine.
type Watcher struct {
	files   *fsnotify.Watcher
	options Options
	folders map[string]bool // whose changes count
	paths   map[string]bool // that count, in folders whose other changes do not
}

// New returns a watcher of nothing. It must be closed.
func New(o Options) (*Watcher, error) {
	if o.Quiet == 0 {
		o.Quiet = time.Second
	}
	if o.Longest == 0 {
		o.Longest = 30 * time.Second
	}
	files, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, fmt.Errorf("watch files: %w", err)
	}
	return &Watcher{files: files, options: o, folders: map[string]bool{}, paths: map[string]bool{}}, nil
}

// Close ends the watcher.
func (w *Watcher) Close() error { return w.files.Close() }

// Set replaces what is watched: changes in folders, not in those below them, and changes
// of paths, which need not exist if the folder that they are in does. Changes from then
// on, and those that were noted before, end the next Wait. A folder that does not exist is
// skipped. All are absolute.
func (w *Watcher) Set(folders, paths []string) error {
	w.folders, w.paths = map[string]bool{}, map[string]bool{}
	wanted := map[string]bool{}
	for _, f := range folders {
		w.folders[f], wanted[f] = true, true
	}
	for _, p := range paths {
		w.paths[p], wanted[filepath.Dir(p)] = true, true
	}
	for _, old := range w.files.WatchList() {
		if !wanted[old] {
			_ = w.files.Remove(old) // it may be gone
		}
	}
	watched := w.files.WatchList()
	for folder := range wanted {
		if slices.Contains(watched, folder) {
			continue
		}
		err := w.files.Add(folder)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("watch %s: %w", folder, err)
		}
	}
	return nil
}

// Wait waits until something changed and then was quiet for a while, or until ctx ends.
func (w *Watcher) Wait(ctx context.Context) error {
	var first time.Time
	quiet := time.NewTimer(0)
	defer quiet.Stop()
	if !quiet.Stop() {
		<-quiet.C
	}
	for {
		var changed bool
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-quiet.C:
			return nil
		case e, ok := <-w.files.Events:
			if !ok {
				return fsnotify.ErrClosed
			}
			changed = w.counts(e)
		case err := <-w.files.Errors:
			if !errors.Is(err, fsnotify.ErrEventOverflow) {
				return fmt.Errorf("watch files: %w", err)
			}
			changed = true // too many changes to be listed
		}
		if !changed {
			continue
		}
		if first.IsZero() {
			first = time.Now()
		}
		quiet.Reset(min(w.options.Quiet, time.Until(first.Add(w.options.Longest))))
	}
}

// counts reports whether an event is a change of something that is watched. Programs that
// look at files change their permissions and times; that is none.
func (w *Watcher) counts(e fsnotify.Event) bool {
	if e.Op == fsnotify.Chmod {
		return false
	}
	return w.paths[e.Name] || w.folders[e.Name] || w.folders[filepath.Dir(e.Name)]
}
