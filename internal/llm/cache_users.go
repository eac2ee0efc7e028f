package llm

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// usersDir is the folder of the cache with a file for each user, which lists the keys of
// the answers that it got, a line each.
const usersDir = "users"

// usersKey is the key of a context's users.
type usersKey struct{}

// WithUsers returns a context whose calls are made for users: the cache records that they got the
// answers that it reads or writes. Users are names of corpora, as file names.
func WithUsers(ctx context.Context, users ...string) context.Context {
	return context.WithValue(ctx, usersKey{}, users)
}

// note records that the users of the context got an answer.
func (c *Cache) note(ctx context.Context, key string) {
	users, _ := ctx.Value(usersKey{}).([]string)
	for _, user := range users {
		if isNew, err := c.isNew(user, key); err != nil {
			c.warn(err)
		} else if isNew {
			c.warn(c.appendKey(user, key))
		}
	}
}

// isNew reports whether it was not noted before that a user got an answer.
func (c *Cache) isNew(user, key string) (bool, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	known := c.noted[user]
	if known == nil {
		known = map[string]bool{}
		if err := c.readKeys(user, known); err != nil {
			return false, fmt.Errorf("read the uses of the cache: %w", err)
		}
		if c.noted == nil {
			c.noted = map[string]map[string]bool{}
		}
		c.noted[user] = known
	}
	if known[key] {
		return false, nil
	}
	known[key] = true
	return true, nil
}

// appendKey adds a line to the file of a user.
func (c *Cache) appendKey(user, key string) error {
	path := c.userPath(user)
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if errors.Is(err, fs.ErrNotExist) {
		if err = os.MkdirAll(filepath.Dir(path), 0o700); err == nil {
			f, err = os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		}
	}
	if err != nil {
		return fmt.Errorf("record the use of the cache: %w", err)
	}
	_, err = f.WriteString(key + "\n")
	if err = errors.Join(err, f.Close()); err != nil {
		if info, statErr := os.Stat(path); statErr == nil && info.Size() == 0 {
			err = errors.Join(err, remove(path))
		}
		return fmt.Errorf("record the use of the cache: %w", err)
	}
	return nil
}

func (c *Cache) userPath(user string) string { return filepath.Join(c.Dir, usersDir, user) }

// RemoveUser forgets which answers a user got.
func (c *Cache) RemoveUser(user string) error {
	if c.none() {
		return nil
	}
	return remove(c.userPath(user))
}

// usedByOthers returns the keys of the answers that other users got.
func (c *Cache) usedByOthers(user string) (map[string]bool, error) {
	keys := map[string]bool{}
	files, err := os.ReadDir(filepath.Join(c.Dir, usersDir))
	if errors.Is(err, fs.ErrNotExist) {
		return keys, nil
	}
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		if file.Name() == user || file.IsDir() {
			continue
		}
		if err := c.readKeys(file.Name(), keys); err != nil {
			return nil, err
		}
	}
	return keys, nil
}

// readKeys adds the keys of the answers that a user got.
func (c *Cache) readKeys(user string, keys map[string]bool) error {
	f, err := os.Open(c.userPath(user))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		keys[lines.Text()] = true
	}
	return errors.Join(lines.Err(), f.Close())
}

// CachePurged is the result of Purge.
type CachePurged struct {
	Removed int `json:"removed"`
	Shared  int `json:"shared"` // that stay, because other users got them too
}

// Purge removes the answers that hold texts which a user must forget, except those that
// other users got too. Answers of which no use is recorded count as the user's.
func (c *Cache) Purge(ctx context.Context, user string, holds func(text string) bool) (CachePurged, error) {
	var r CachePurged
	if c.none() {
		return r, nil
	}
	others, err := c.usedByOthers(user)
	if err != nil {
		return r, fmt.Errorf("read the uses of the cache: %w", err)
	}
	err = c.walk(ctx, func(f cacheFile) error {
		if f.kind != kindChat || f.temp {
			return nil
		}
		b, found, err := f.read()
		if !found {
			return err
		}
		var s cachedAnswer
		if payload, intact := checkedPayload(b); !intact || json.Unmarshal(payload, &s) != nil {
			s.Text = string(b)
		}
		if !holds(unescape(s.Text)) {
			return nil
		}
		if others[filepath.Base(filepath.Dir(f.path))+filepath.Base(f.path)] {
			r.Shared++
			return nil
		}
		r.Removed++
		return remove(f.path)
	})
	return r, err
}

var escaped = regexp.MustCompile(`\\u[0-9a-fA-F]{4}|\\[nrt]`)

// unescape replaces the escapes of letters and white space in the JSON that a model wrote.
func unescape(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	return escaped.ReplaceAllStringFunc(s, func(e string) string {
		if len(e) == 2 {
			return " "
		}
		n, err := strconv.ParseUint(e[2:], 16, 32)
		if err != nil {
			return e
		}
		return string(rune(n))
	})
}
