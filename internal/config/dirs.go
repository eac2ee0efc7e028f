package config

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
)

// DataDir returns the folder of this user's local servers, answers, states of files and
// records of trust: in NEORAG_HOME, or else the place of the operating system. A folder that
// depends on the working directory, or that all users share, is an error: others could
// prepare it.
func DataDir(getenv func(string) string) (string, error) {
	if dir := getenv(EnvHome); dir != "" {
		if !filepath.IsAbs(dir) {
			return "", mistake("%s is %q: give it a path that does not depend on the working directory", EnvHome, dir)
		}
		return dir, nil
	}
	user, err := userHome()
	if err != nil {
		return "", mistake("there is no folder for this user's data: set %s to one, or HOME (%v)", EnvHome, err)
	}
	switch runtime.GOOS {
	case "darwin":
		return filepath.Join(user, "Library", "Application Support", "neorag"), nil
	case "windows":
		return filepath.Join(localAppData(getenv, user), "neorag"), nil
	default:
		return filepath.Join(absoluteOr(getenv("XDG_DATA_HOME"), filepath.Join(user, ".local", "share")), "neorag"), nil
	}
}

// CacheDir returns the folder where model responses are cached unless cache_dir
// names another.
func CacheDir(getenv func(string) string) (string, error) {
	user, err := userHome()
	if err != nil {
		return "", mistake("there is no folder for the cache of model responses: set %s to one, or HOME (%v)", EnvCache, err)
	}
	switch runtime.GOOS {
	case "darwin":
		return filepath.Join(user, "Library", "Caches", "neorag", "models"), nil
	case "windows":
		return filepath.Join(localAppData(getenv, user), "neorag", "cache", "models"), nil
	default:
		return filepath.Join(absoluteOr(getenv("XDG_CACHE_HOME"), filepath.Join(user, ".cache")), "neorag", "models"), nil
	}
}

func userHome() (string, error) {
	user, err := os.UserHomeDir()
	if err == nil && !filepath.IsAbs(user) {
		err = fmt.Errorf("%q depends on the working directory", user)
	}
	return user, err
}

// absoluteOr returns a path, or the other one if it is not absolute: the specification
// of the XDG variables has relative paths ignored.
func absoluteOr(path, other string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return other
}

func localAppData(getenv func(string) string, user string) string {
	return cmp.Or(getenv("LOCALAPPDATA"), filepath.Join(user, "AppData", "Local"))
}
