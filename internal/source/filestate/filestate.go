// Package filestate remembers which documents files hold, with the size, times and inode
// that the files had, so that a file is not read again as long as these are the same.
//
// The states of the files below one path are one file in a folder of this user. It is a
// cache: one that is missing, damaged or of another version means that files are read.
package filestate

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/source"
	"github.com/neorag/neorag/internal/sys/userfile"
)

// version changes when the format does.
const version = 2

// maxBytes is the maximum size of the states of one path.
const maxBytes = 512 << 20

// settled is how long before it was read a file must have changed for the last time: the
// times of two changes that are closer together can be equal.
const settled = 2 * time.Second

// A Cache holds the states of files below some paths. A nil Cache remembers nothing. It is
// safe for concurrent use.
type Cache struct {
	folder, fingerprint string

	mu    sync.Mutex
	roots map[string]*states
}

// states are the states of the files below one path.
type states struct {
	Version int              `json:"version"`
	Root    string           `json:"root"`
	Source  string           `json:"source"` // fingerprint of the settings
	Files   map[string]state `json:"files"`  // by URI

	seen    map[string]bool
	changed bool
}

// A state is what a file was when it was read.
type state struct {
	Stamp   string         `json:"stamp"`
	Entries []source.Entry `json:"entries"`
}

// New returns the cache in a folder. fingerprint is the fingerprint of the settings that files are
// read with.
func New(folder, fingerprint string) *Cache {
	return &Cache{folder: folder, fingerprint: fingerprint, roots: map[string]*states{}}
}

// path returns the file with the states below a root.
func (c *Cache) path(root string) string {
	return filepath.Join(c.folder, graph.Hash(root, c.fingerprint)+".json")
}

// of returns the states below a root. The caller holds the mutex.
func (c *Cache) of(root string) *states {
	s := c.roots[root]
	if s == nil {
		s = c.load(root)
		c.roots[root] = s
	}
	return s
}

func (c *Cache) load(root string) *states {
	fresh := &states{Version: version, Root: root, Source: c.fingerprint, Files: map[string]state{}, seen: map[string]bool{}}
	raw, err := userfile.ReadPrivate(c.path(root), maxBytes)
	if err != nil {
		return fresh
	}
	sum, content, found := bytes.Cut(raw, []byte("\n"))
	if !found || string(sum) != checksum(content) {
		return fresh
	}
	var s states
	if json.Unmarshal(content, &s) != nil || s.Version != version || s.Root != root || s.Source != c.fingerprint || s.Files == nil {
		return fresh
	}
	s.seen = map[string]bool{}
	return &s
}

// Entries returns the documents of a file that is as it was when Note was called.
func (c *Cache) Entries(f source.File) ([]source.Entry, bool) {
	if c == nil || f.Stamp == "" {
		return nil, false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.of(f.Root)
	known, ok := s.Files[f.URI]
	if !ok || known.Stamp != f.Stamp {
		return nil, false
	}
	s.seen[f.URI] = true
	return known.Entries, true
}

// Note remembers the documents of a file that was read from the given time on, unless it
// changed meanwhile, or so shortly before that a later change might not show.
func (c *Cache) Note(f source.File, read time.Time, entries []source.Entry) {
	if c == nil || f.Stamp == "" || f.Changed.After(read.Add(-settled)) || f.Stat() != f.Stamp {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.of(f.Root)
	s.Files[f.URI], s.seen[f.URI], s.changed = state{f.Stamp, entries}, true, true
}

// Save writes the states below the given roots, where they changed. Files that neither
// Entries nor Note found are forgotten.
func (c *Cache) Save(roots []string) error {
	if c == nil {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	var failed error
	for _, root := range roots {
		failed = errors.Join(failed, c.save(c.of(root)))
	}
	return failed
}

// checksum is the first line of a file of states.
func checksum(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

func (c *Cache) save(s *states) error {
	for uri := range s.Files {
		if !s.seen[uri] {
			delete(s.Files, uri)
			s.changed = true
		}
	}
	if !s.changed {
		return nil
	}
	content, err := json.Marshal(s)
	if err != nil {
		return fmt.Errorf("save states of files: %w", err)
	}
	if err := os.MkdirAll(c.folder, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("save states of files: %w", err)
	}
	if err := userfile.WritePrivate(c.path(s.Root), append([]byte(checksum(content)+"\n"), content...)); err != nil {
		return fmt.Errorf("save states of files: %w", err)
	}
	s.changed = false
	return nil
}
