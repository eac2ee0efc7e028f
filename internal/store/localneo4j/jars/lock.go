// Package jars manages the jars of a Neo4j server: a folder that Maven fills once,
// checked jar by jar against a lock file.
package jars

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// Lock maps the name of a jar to its SHA-256 in hexadecimal.
type Lock map[string]string

// ParseLock parses a lock file: one jar per line, name and SHA-256.
func ParseLock(text []byte) (Lock, error) {
	lock := Lock{}
	lines := bufio.NewScanner(bytes.NewReader(text))
	for n := 1; lines.Scan(); n++ {
		fields := strings.Fields(lines.Text())
		if len(fields) == 0 {
			continue
		}
		if len(fields) != 2 || !validName(fields[0]) || !validSum(fields[1]) {
			return nil, fmt.Errorf("read lock file: line %d is not a jar and its SHA-256", n)
		}
		if _, twice := lock[fields[0]]; twice {
			return nil, fmt.Errorf("read lock file: line %d names %s again", n, fields[0])
		}
		lock[fields[0]] = fields[1]
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("read lock file: %w", err)
	}
	return lock, nil
}

// Format returns the text of the lock file, sorted by name.
func (l Lock) Format() []byte {
	var b bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(l)) {
		fmt.Fprintf(&b, "%s %s\n", name, l[name])
	}
	return b.Bytes()
}

func validName(s string) bool {
	return strings.HasSuffix(s, ".jar") && !strings.ContainsAny(s, `/\:`)
}

func validSum(s string) bool {
	b, err := hex.DecodeString(s)
	return err == nil && len(b) == sha256.Size && s == strings.ToLower(s)
}

// Scan hashes every jar of a folder. It skips a jar that disappears meanwhile, and
// other files: a server that serves pages from a jar creates and deletes temporary
// files next to it.
func Scan(dir string) (Lock, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("read jars: %w", err)
	}
	entries = slices.DeleteFunc(entries, func(e fs.DirEntry) bool { return !strings.EqualFold(filepath.Ext(e.Name()), ".jar") })
	sums, errs := make([]string, len(entries)), make([]error, len(entries))
	var next atomic.Int64
	var workers sync.WaitGroup
	for range runtime.NumCPU() {
		workers.Go(func() {
			for i := next.Add(1) - 1; int(i) < len(entries); i = next.Add(1) - 1 {
				sums[i], errs[i] = sum(filepath.Join(dir, entries[i].Name()))
				if errors.Is(errs[i], fs.ErrNotExist) {
					errs[i] = nil
				}
			}
		})
	}
	workers.Wait()
	if err := errors.Join(errs...); err != nil {
		return nil, fmt.Errorf("read jars: %w", err)
	}
	lock := Lock{}
	for i, e := range entries {
		if sums[i] != "" {
			lock[e.Name()] = sums[i]
		}
	}
	return lock, nil
}

func sum(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer func() { _ = f.Close() }()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// Diff lists how a folder of jars differs from a lock file.
type Diff struct{ Missing, Wrong, Extra []string }

// Compare lists how got differs from the lock, by name.
func (l Lock) Compare(got Lock) Diff {
	var d Diff
	for _, name := range slices.Sorted(maps.Keys(l)) {
		switch sum, ok := got[name]; {
		case !ok:
			d.Missing = append(d.Missing, name)
		case sum != l[name]:
			d.Wrong = append(d.Wrong, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(got)) {
		if _, ok := l[name]; !ok {
			d.Extra = append(d.Extra, name)
		}
	}
	return d
}

// Empty reports whether there is no difference.
func (d Diff) Empty() bool { return len(d.Missing)+len(d.Wrong)+len(d.Extra) == 0 }

// String names the first few jars of each kind.
func (d Diff) String() string {
	var parts []string
	for _, p := range []struct {
		what  string
		names []string
	}{
		{"wrong hash", d.Wrong},
		{"missing", d.Missing},
		{"not in the lock file", d.Extra},
	} {
		if len(p.names) == 0 {
			continue
		}
		text := strings.Join(p.names[:min(3, len(p.names))], ", ")
		if more := len(p.names) - 3; more > 0 {
			text += fmt.Sprintf(" and %d more", more)
		}
		parts = append(parts, p.what+": "+text)
	}
	return strings.Join(parts, "; ")
}
