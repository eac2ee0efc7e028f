package config

import (
	"cmp"
	"os"
	"path/filepath"
	"runtime"
)

// DataDir returns the folder of this user's local servers and answers: that of
// NEORAG_HOME, or else the place of the operating system.
func DataDir(getenv func(string) string) string {
	if dir := getenv(EnvHome); dir != "" {
		return dir
	}
	user, err := os.UserHomeDir()
	if err != nil {
		return filepath.Join(os.TempDir(), "neorag")
	}
	switch runtime.GOOS {
	case "darwin":
		return filepath.Join(user, "Library", "Application Support", "neorag")
	case "windows":
		return filepath.Join(localAppData(getenv, user), "neorag")
	default:
		return filepath.Join(cmp.Or(getenv("XDG_DATA_HOME"), filepath.Join(user, ".local", "share")), "neorag")
	}
}

// CacheDir returns the folder where model responses are cached unless cache_dir
// names another.
func CacheDir(getenv func(string) string) string {
	user, err := os.UserHomeDir()
	if err != nil {
		return filepath.Join(os.TempDir(), "neorag", "models")
	}
	switch runtime.GOOS {
	case "darwin":
		return filepath.Join(user, "Library", "Caches", "neorag", "models")
	case "windows":
		return filepath.Join(localAppData(getenv, user), "neorag", "cache", "models")
	default:
		return filepath.Join(cmp.Or(getenv("XDG_CACHE_HOME"), filepath.Join(user, ".cache")), "neorag", "models")
	}
}

func localAppData(getenv func(string) string, user string) string {
	return cmp.Or(getenv("LOCALAPPDATA"), filepath.Join(user, "AppData", "Local"))
}
