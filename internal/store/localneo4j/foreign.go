package localneo4j

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/neorag/neorag/docker"
)

// confFile is the only file of a server's configuration.
const confFile = "neo4j.conf"

// pluginsPath returns the folder that the server loads plugins from. Where the user did not choose
// the data folder it is one that does not exist, because somebody who fills the folder could run code.
func (o Options) pluginsPath() string {
	if o.Trusted {
		return filepath.Join(o.Data, "plugins")
	}
	return filepath.Join(o.Cache, "neo4j-"+docker.Version, "no-plugins")
}

// checkFolder returns an error if a data folder that the user did not choose holds what lets its
// server do more than keep data in it: files that configure its logs, which may name any file and
// server, and links, which the server would write through. It reports plugins, which are not
// loaded.
func (o Options) checkFolder() error {
	const advice = "if you know where it comes from, name the folder with --data, or remove it"
	plugins := false
	err := filepath.WalkDir(o.Data, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(o.Data, path)
		if err != nil {
			return err
		}
		within := filepath.Dir(name)
		switch {
		case path == o.Data:
			return nil
		case !e.IsDir() && !e.Type().IsRegular():
			return fmt.Errorf("%s is not a regular file: %s", path, advice)
		case (within == "conf" || strings.HasPrefix(within, "conf"+string(filepath.Separator))) && name != filepath.Join("conf", confFile):
			return fmt.Errorf("%s would configure the server: %s", path, advice)
		}
		plugins = plugins || within == "plugins" && !e.IsDir()
		return nil
	})
	if err != nil {
		return fmt.Errorf("data folder that a file of settings names: %w", err)
	}
	if plugins {
		o.say("the plugins in " + filepath.Join(o.Data, "plugins") + " are not loaded, because a file of settings names the folder: name it with --data to load them")
	}
	return nil
}
