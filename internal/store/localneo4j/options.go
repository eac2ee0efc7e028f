package localneo4j

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Mode is how a server runs.
type Mode string

// The modes. Auto is Docker if an engine is running, else Java.
const (
	Auto   Mode = ""
	Java   Mode = "java"
	Docker Mode = "docker"
)

// NoHTTP as HTTPPort starts a server without HTTP and Neo4j Browser.
const NoHTTP = -1

// Options configure where and how a server runs. Only Data is required.
type Options struct {
	Data string // folder of this server: configuration, data, logs, password
	// Trusted means that the user, not a file, chose Data: the plugins in it are loaded. Without
	// it a server runs no code of its folder, and does not start where another file of the folder
	// would configure it, or lead out of it.
	Trusted bool
	Cache   string // folder of jars, shared by servers; "" is in the user's cache folder

	Version string // of Neo4j, one of docker.Versions; "" is the one that wrote the data, or the default

	BoltPort int // 0 is any free port
	HTTPPort int // 0 is any free port, NoHTTP is none

	HeapMB      int  // 0 takes a share of the memory, or 512 with Throwaway
	PageCacheMB int  // 0 takes a share of the memory, or 128 with Throwaway
	Throwaway   bool // for tests: starts fast and needs little memory, but runs slower
	Measured    bool // a Throwaway that runs as fast as other servers, for measurements

	Settings []string // further lines of neo4j.conf, such as limits for tests

	Mode    Mode
	Java    string // program; "" is java on the path
	Maven   string // program; "" is mvn on the path
	NoFetch bool   // fail with jars.ErrMissing instead of downloading jars

	Progress func(string) // receives messages about slow steps; may be nil
}

// complete fills in the defaults and makes folders absolute.
func (o Options) complete() (Options, error) {
	if o.Data == "" {
		return o, errors.New("local neo4j: no data folder")
	}
	var err error
	if o.Data, err = filepath.Abs(o.Data); err != nil {
		return o, fmt.Errorf("local neo4j: %w", err)
	}
	if o.Cache == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return o, fmt.Errorf("local neo4j: find a folder for jars: %w", err)
		}
		o.Cache = filepath.Join(cache, "neorag")
	}
	if o.Cache, err = filepath.Abs(o.Cache); err != nil {
		return o, fmt.Errorf("local neo4j: %w", err)
	}
	return o, nil
}

// sized fills in the heap and the page cache, for a machine with so much memory in MB.
func (o Options) sized(memoryMB int) Options {
	heap, pages := sizes(memoryMB)
	if o.Throwaway {
		heap, pages = 512, 128
	}
	o.HeapMB, o.PageCacheMB = cmp.Or(o.HeapMB, heap), cmp.Or(o.PageCacheMB, pages)
	return o
}

// firstHeapMB is the heap that a server begins with. Java fills what it may use before it
// looks for garbage, so a small graph would take as much memory as a large one.
func (o Options) firstHeapMB() int { return min(o.HeapMB, leastHeap) }

func (o Options) say(text string) {
	if o.Progress != nil {
		o.Progress(text)
	}
}
