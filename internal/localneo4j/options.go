package localneo4j

import (
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
	Data  string // folder of this server: configuration, data, logs, password
	Cache string // folder of jars, shared by servers; "" is in the user's cache folder

	BoltPort int // 0 is any free port
	HTTPPort int // 0 is any free port, NoHTTP is none

	HeapMB      int  // 0 is 1024, or 512 with Throwaway
	PageCacheMB int  // 0 is 512, or 128 with Throwaway
	Throwaway   bool // for tests: starts fast and needs little memory, but runs slower
	Measured    bool // a Throwaway that runs as fast as other servers, for measurements

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
	heap, pages := 1024, 512
	if o.Throwaway {
		heap, pages = 512, 128
	}
	if o.HeapMB == 0 {
		o.HeapMB = heap
	}
	if o.PageCacheMB == 0 {
		o.PageCacheMB = pages
	}
	return o, nil
}

func (o Options) say(text string) {
	if o.Progress != nil {
		o.Progress(text)
	}
}
