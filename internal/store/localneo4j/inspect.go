package localneo4j

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"path/filepath"
	"strings"
)

// Check is a requirement of a local server, and whether it is met.
type Check struct {
	Name   string `json:"name"`
	OK     bool   `json:"ok"`
	Detail string `json:"detail"`         // what was found, or what to do about it
	Hint   string `json:"hint,omitempty"` // what would make the server faster
}

// Inspect checks the requirements of Up on this machine. It changes nothing.
func Inspect(ctx context.Context, o Options) ([]Check, error) {
	o, err := o.complete()
	if err != nil {
		return nil, err
	}
	if o, err = o.withVersion(); err != nil {
		return append([]Check{check("version", "", err)}, o.inspectServer()...), nil
	}
	mode, err := o.mode(ctx)
	if err != nil || mode == Docker {
		return append([]Check{check("docker", "an engine is running", err)}, o.inspectServer()...), nil
	}
	checks := []Check{{Name: "docker", OK: true, Detail: "not used: the server runs on Java"}}
	java, err := o.java(ctx)
	checks = append(checks, check("java", java.program, err))
	o.NoFetch = true
	lib, err := o.jars(ctx)
	if err == nil {
		checks = append(checks, check("jars", lib, nil))
	} else {
		maven, mavenErr := exec.LookPath(cmp.Or(o.Maven, "mvn"))
		checks = append(checks,
			Check{Name: "jars", OK: mavenErr == nil, Detail: "neorag up downloads them: " + err.Error()},
			check("maven", maven, mavenErr))
	}
	return append(checks, o.inspectServer()...), nil
}

func (o Options) inspectServer() []Check {
	s, err := Find(o.Data)
	if errors.Is(err, ErrNotRunning) {
		err = errors.New("not running: run neorag up")
	}
	checks := []Check{check("server", s.URI, err)}
	if err == nil && s.PageCacheMB > 0 { // unknown of a server that an older version started
		checks = append(checks, memoryCheck(s, o.graphMB()))
	}
	return checks
}

// memoryCheck compares the page cache of a server with the size of its graph in MB, 0 if
// that is unknown. A graph that does not fit is read from the disk again and again.
func memoryCheck(s Server, graphMB int) Check {
	c := Check{Name: "memory", OK: true, Detail: fmt.Sprintf("%d MB of heap, up to %d MB of page cache", s.HeapMB, s.PageCacheMB)}
	if graphMB > 0 {
		c.Detail += fmt.Sprintf(", %d MB of graph", graphMB)
	}
	if graphMB > s.PageCacheMB {
		wanted := (graphMB + graphMB/4 + 255) / 256 * 256
		c.Hint = fmt.Sprintf("the graph does not fit into the page cache, which makes writing two to four times slower; with enough memory: `neorag down`, then `neorag up --page-cache %d`", wanted)
	}
	return c
}

// graphMB returns the size of what the page cache holds: records and indexes on
// properties, but not the full-text and vector indexes, which the system caches. It is 0
// for data in a container.
func (o Options) graphMB() int {
	var bytes int64
	_ = filepath.WalkDir(filepath.Join(o.Data, "data", "databases", "neo4j"), func(_ string, e fs.DirEntry, err error) error {
		if err != nil {
			return nil //nolint:nilerr // files come and go
		}
		if e.IsDir() && (strings.HasPrefix(e.Name(), "fulltext-") || strings.HasPrefix(e.Name(), "vector-")) {
			return fs.SkipDir
		}
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			bytes += info.Size()
		}
		return nil
	})
	return int(bytes >> 20)
}

func check(name, found string, err error) Check {
	if err != nil {
		return Check{Name: name, Detail: err.Error()}
	}
	return Check{Name: name, OK: true, Detail: found}
}
