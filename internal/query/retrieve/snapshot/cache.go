package snapshot

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/sys/userfile"
)

// A Cache holds the snapshots of corpora, in memory and as files. The zero value keeps no
// files. It is safe for concurrent use.
type Cache struct {
	// Folder is where files are kept, readable by this user only; empty for none.
	Folder string

	mu   sync.Mutex
	kept map[string]*Snapshot // by path
}

// attempts is how often a graph is read that changes meanwhile.
const attempts = 3

// Get returns the graph of a corpus as it is now: from memory, from its file, or from the
// server, in which case it writes the file. A graph that changes while it is read is read
// again; one that keeps changing is returned and not kept.
func (c *Cache) Get(ctx context.Context, store *neo4jstore.Store, corpus string) (*Snapshot, error) {
	now, err := store.GraphState(ctx, corpus)
	if err != nil {
		return nil, err
	}
	c.mu.Lock() // one reads, the others wait for it
	defer c.mu.Unlock()
	path := c.path(store, corpus)
	if s := c.kept[path]; s != nil && s.state == now {
		return s, nil
	}
	if s, err := c.load(path); err == nil && s.state == now && s.corpus == corpus {
		c.keep(path, s)
		return s, nil
	}
	for range attempts {
		s, err := read(ctx, store, corpus, now)
		if err != nil {
			return nil, err
		}
		before := now
		if now, err = store.GraphState(ctx, corpus); err != nil {
			return nil, err
		}
		if now == before {
			c.keep(path, s)
			// Without the file the next process reads the graph again: no reason to fail.
			_ = c.save(path, s)
			return s, nil
		}
	}
	return read(ctx, store, corpus, now)
}

func (c *Cache) keep(path string, s *Snapshot) {
	if c.kept == nil {
		c.kept = map[string]*Snapshot{}
	}
	c.kept[path] = s
}

// Delete deletes the snapshot of a corpus on the server of a store. It may hold names and terms
// that the corpus no longer has.
func (c *Cache) Delete(store *neo4jstore.Store, corpus string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	path := c.path(store, corpus)
	delete(c.kept, path)
	if c.Folder == "" {
		return nil
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("delete the graph of corpus %s: %w", corpus, err)
	}
	return nil
}

// DeleteStale deletes the file of a corpus' snapshot unless it is the snapshot of the corpus as it is
// now, and if the two cannot be compared.
func (c *Cache) DeleteStale(ctx context.Context, store *neo4jstore.Store, corpus string) error {
	kept, err := c.load(c.path(store, corpus))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		now, err := store.GraphState(ctx, corpus)
		if err == nil && kept.state == now && kept.corpus == corpus {
			return nil
		}
	}
	return c.Delete(store, corpus)
}

// path returns where the snapshot of a corpus is kept.
func (c *Cache) path(store *neo4jstore.Store, corpus string) string {
	server := store.ServerInfo()
	return filepath.Join(c.Folder, graph.Hash(server.Address, server.Database, corpus)+".graph")
}

// load maps a file.
func (c *Cache) load(path string) (*Snapshot, error) {
	if c.Folder == "" {
		return nil, fs.ErrNotExist
	}
	raw, unmap, err := userfile.MapPrivate(path)
	if err != nil {
		return nil, err
	}
	s, err := decode(raw)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("read %s: %w", path, err), unmap())
	}
	runtime.AddCleanup(s, func(unmap func() error) { _ = unmap() }, unmap)
	return s, nil
}

// save writes a file. Snapshots of an earlier state that are mapped stay as they are.
func (c *Cache) save(path string, s *Snapshot) error {
	if c.Folder == "" {
		return nil
	}
	content, err := s.encode()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(c.Folder, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return userfile.WritePrivate(path, content)
}
