package llm

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// A Cache is a folder of answers, each in a file that is named by a hash of everything
// the answer depends on. Files are written under a temporary name and renamed, so that
// processes can share a folder without a lock, and they carry a checksum: a file that a
// crash or a disk damaged is ignored and rewritten. A zero or nil Cache stores nothing.
type Cache struct {
	Dir string
	// Warn, unless nil, is called with the error if an answer could not be written.
	// It must be safe for concurrent use.
	Warn func(error)
	// Users are recorded to have got the answers that are read or written: the names of
	// corpora, as file names.
	Users []string

	mu    sync.Mutex
	noted map[string]map[string]bool // keys that are recorded, by user
}

const (
	kindChat   = "chat"
	kindVector = "vector"
	cacheMagic = "neorag-cache 1 "
	tempPrefix = ".new-"
	// ServersDir is the folder of the cache with what is known of model servers.
	ServersDir = "servers"
	// tempAge is the age from which Prune removes temporary files: no process is
	// still writing them.
	tempAge = time.Hour
)

func (c *Cache) off() bool { return c == nil || c.Dir == "" }

func (c *Cache) warn(err error) {
	if err != nil && c.Warn != nil {
		c.Warn(err)
	}
}

// path returns the path of an entry. Entries are spread over 256 folders.
func (c *Cache) path(kind, key string) string {
	return filepath.Join(c.Dir, kind, key[:2], key[2:])
}

// get reads an entry. It reports false for a missing or damaged one.
func (c *Cache) get(kind, key string) ([]byte, bool) {
	if c.off() {
		return nil, false
	}
	b, err := os.ReadFile(c.path(kind, key))
	if err != nil {
		return nil, false
	}
	return checkedPayload(b)
}

// put writes an entry, replacing any that exists.
func (c *Cache) put(kind, key string, payload []byte) error {
	if c.off() {
		return nil
	}
	path := c.path(kind, key)
	dir := filepath.Dir(path)
	f, err := os.CreateTemp(dir, tempPrefix+"*")
	if errors.Is(err, fs.ErrNotExist) {
		if err = os.MkdirAll(dir, 0o700); err == nil {
			f, err = os.CreateTemp(dir, tempPrefix+"*")
		}
	}
	if err != nil {
		return fmt.Errorf("write cache: %w", err)
	}
	_, err = f.Write(withChecksum(payload))
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return fmt.Errorf("write cache: %w", errors.Join(err, os.Remove(f.Name())))
	}
	return nil
}

// withChecksum returns the content of a file for a payload.
func withChecksum(payload []byte) []byte {
	sum := sha256.Sum256(payload)
	return fmt.Appendf(nil, "%s%x\n%s", cacheMagic, sum, payload)
}

// checkedPayload returns the payload of a file's content, and whether that is intact.
func checkedPayload(b []byte) ([]byte, bool) {
	head, payload, found := bytes.Cut(b, []byte("\n"))
	stated, ours := strings.CutPrefix(string(head), cacheMagic)
	if !found || !ours {
		return nil, false
	}
	sum := sha256.Sum256(payload)
	return payload, stated == hex.EncodeToString(sum[:])
}
