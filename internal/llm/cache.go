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

	"github.com/neorag/neorag/internal/sys/userfile"
)

// A Cache is a folder of answers, each in a file that is named by a hash of everything
// the answer depends on. Files are written under a temporary name and renamed, so that
// processes can share a folder without a lock, and they carry a checksum: a file that a
// crash or a disk damaged is ignored and rewritten. The checksum has no key: answers are only
// believed where nobody else could have written them, and a folder of others is not used. A zero or
// nil Cache stores nothing.
type Cache struct {
	Dir string
	// Warn, unless nil, is called with the error if an answer could not be written, or the folder
	// is not used.
	// It must be safe for concurrent use.
	Warn func(error)

	checked sync.Once
	unsafe  bool // others can write to the folder

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

// maxEntry bounds an entry in bytes. Answers of models are smaller.
const maxEntry = 64 << 20

// none reports whether there is no folder.
func (c *Cache) none() bool { return c == nil || c.Dir == "" }

// off reports whether no answer is read or written. It warns once of a folder that others can
// write to.
func (c *Cache) off() bool {
	if c.none() {
		return true
	}
	c.checked.Do(func() {
		if err := userfile.CheckFolder(c.Dir); errors.Is(err, userfile.ErrUnsafe) {
			c.unsafe = true
			c.warn(fmt.Errorf("the cache is not used: %w", err))
		}
	})
	return c.unsafe
}

func (c *Cache) warn(err error) {
	if err != nil && c.Warn != nil {
		c.Warn(err)
	}
}

// path returns the path of an entry. Entries are spread over 256 folders.
func (c *Cache) path(kind, key string) string {
	return filepath.Join(c.Dir, kind, key[:2], key[2:])
}

// get reads an entry. It reports false for one that is missing or damaged, or that another user
// could have written.
func (c *Cache) get(kind, key string) ([]byte, bool) {
	if c.off() {
		return nil, false
	}
	b, err := userfile.ReadPrivate(c.path(kind, key), maxEntry)
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
