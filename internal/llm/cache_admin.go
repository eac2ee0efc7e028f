package llm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/neorag/neorag/internal/llm/known"
)

// CacheStats is the size of a cache.
type CacheStats struct {
	Answers int       `json:"answers"`
	Vectors int       `json:"vectors"`
	Servers int       `json:"servers"` // records of what is known of model servers
	Bytes   int64     `json:"bytes"`
	Oldest  time.Time `json:"oldest,omitzero"`
	Newest  time.Time `json:"newest,omitzero"`
}

// CacheCheck is the result of Check.
type CacheCheck struct {
	Files   int      `json:"files"`
	Broken  []string `json:"broken" types:"array,null"`  // paths of damaged entries
	Strange []string `json:"strange" types:"array,null"` // paths of files that the cache did not write
}

// CachePruned is the result of Prune.
type CachePruned struct {
	Removed      int   `json:"removed"`
	RemovedBytes int64 `json:"removed_bytes"`
	Left         int   `json:"left"`
	LeftBytes    int64 `json:"left_bytes"`
}

type cacheFile struct {
	path     string
	kind     string
	size     int64
	modified time.Time
	temp     bool
}

// read returns the content of the file, unless it was removed meanwhile.
func (f cacheFile) read() (content []byte, found bool, err error) {
	content, err = os.ReadFile(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	return content, err == nil, err
}

// intact reports whether the content of the file is what the cache wrote.
func (f cacheFile) intact(content []byte) bool {
	if f.kind == ServersDir {
		return known.IsRecord(content)
	}
	_, intact := checkedPayload(content)
	return intact
}

// Stats counts the entries of the cache. A folder that does not exist has none.
func (c *Cache) Stats(ctx context.Context) (CacheStats, error) {
	var s CacheStats
	err := c.walk(ctx, func(f cacheFile) error {
		switch {
		case f.temp || f.kind == "":
			return nil
		case f.kind == kindChat:
			s.Answers++
		case f.kind == ServersDir:
			s.Servers++
		default:
			s.Vectors++
		}
		s.Bytes += f.size
		if s.Oldest.IsZero() || f.modified.Before(s.Oldest) {
			s.Oldest = f.modified
		}
		s.Newest = later(s.Newest, f.modified)
		return nil
	})
	return s, err
}

// Check reads every entry and lists damaged ones. These do no harm: their answers are
// requested again when needed.
func (c *Cache) Check(ctx context.Context) (CacheCheck, error) {
	var r CacheCheck
	err := c.walk(ctx, func(f cacheFile) error {
		switch {
		case f.temp:
			return nil
		case f.kind == "":
			r.Strange = append(r.Strange, f.path)
			return nil
		}
		b, found, err := f.read()
		if !found {
			return err
		}
		r.Files++
		if !f.intact(b) {
			r.Broken = append(r.Broken, f.path)
		}
		return nil
	})
	return r, err
}

// Prune removes entries written before a time, and then the oldest ones until the rest
// takes at most maxBytes. A zero time or size removes none. Files that the cache did not
// write stay. It is safe while other processes use the cache.
func (c *Cache) Prune(ctx context.Context, before time.Time, maxBytes int64) (CachePruned, error) {
	var r CachePruned
	var files []cacheFile
	err := c.walk(ctx, func(f cacheFile) error {
		switch {
		case f.kind == "":
		case f.temp && time.Since(f.modified) > tempAge:
			return remove(f.path)
		case !f.temp:
			files = append(files, f)
			r.LeftBytes += f.size
		}
		return nil
	})
	if err != nil {
		return r, err
	}
	r.Left = len(files)
	slices.SortFunc(files, func(a, b cacheFile) int {
		return cmp.Or(a.modified.Compare(b.modified), cmp.Compare(a.path, b.path))
	})
	for _, f := range files {
		if !f.modified.Before(before) && (maxBytes <= 0 || r.LeftBytes <= maxBytes) {
			break
		}
		if err := errors.Join(ctx.Err(), remove(f.path)); err != nil {
			return r, fmt.Errorf("prune cache: %w", err)
		}
		r.Removed++
		r.RemovedBytes += f.size
		r.Left--
		r.LeftBytes -= f.size
	}
	return r, nil
}

// remove removes a file that may be gone already.
func remove(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// walk visits every file below the folder. A file that is removed meanwhile is skipped.
func (c *Cache) walk(ctx context.Context, visit func(cacheFile) error) error {
	if c.none() {
		return nil
	}
	users := filepath.Join(c.Dir, usersDir)
	err := filepath.WalkDir(c.Dir, func(path string, d fs.DirEntry, err error) error {
		if path == users && err == nil && d.IsDir() {
			return fs.SkipDir
		}
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err = cmp.Or(err, ctx.Err()); err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		f := cacheFile{path: path, size: info.Size(), modified: info.ModTime(), temp: strings.HasPrefix(d.Name(), tempPrefix)}
		f.kind = c.kindOf(path, f.temp)
		return visit(f)
	})
	if err != nil {
		return fmt.Errorf("read cache: %w", err)
	}
	return nil
}

// kindOf returns the kind of an entry by its path, "" for a file that the cache did not
// write.
func (c *Cache) kindOf(path string, temp bool) string {
	rel, err := filepath.Rel(c.Dir, path)
	if err != nil {
		return ""
	}
	parts := strings.Split(filepath.ToSlash(rel), "/")
	if len(parts) == 2 && parts[0] == ServersDir && (temp || known.IsFile(parts[1])) {
		return ServersDir
	}
	if len(parts) != 3 || len(parts[1]) != 2 || parts[0] != kindChat && parts[0] != kindVector {
		return ""
	}
	if !temp && (len(parts[2]) != 62 || strings.Trim(parts[1]+parts[2], "0123456789abcdef") != "") {
		return ""
	}
	return parts[0]
}
