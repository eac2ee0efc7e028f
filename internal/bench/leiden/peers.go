package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Files of the peers, relative to the root of the repository.
const (
	peersScript  = "internal/bench/leiden/peers.py"
	requirements = "internal/bench/leiden/requirements.txt"
)

// peers are the engines of peers.py, as they are run.
var peers = []string{"igraph", "leidenalg", "graspologic-native"}

// A python is a virtual environment with the peers. igraph and leidenalg are under the
// GPL: they are installed for a measurement and run as separate processes, and are never
// linked, copied or shipped.
type python struct {
	path     string
	versions map[string]string // of the installed packages
}

// environment creates the virtual environment unless it exists, and installs the peers.
// missing names those that cannot be installed.
func environment(ctx context.Context, folder string, say func(string, ...any)) (p python, missing []string, err error) {
	p = python{path: filepath.Join(folder, "bin", "python"), versions: make(map[string]string)}
	if _, err := os.Stat(p.path); err != nil {
		say("create a virtual environment in %s", folder)
		if out, err := exec.CommandContext(ctx, "python3", "-m", "venv", folder).CombinedOutput(); err != nil {
			return p, []string{fmt.Sprintf("all peers: create a virtual environment: %v %s", err, lastLine(string(out)))}, nil
		}
	}
	wanted, err := readRequirements(requirements)
	if err != nil {
		return p, nil, err
	}
	for _, w := range wanted {
		name, version, _ := strings.Cut(w, "==")
		if p.installed(ctx, name) != version {
			say("install %s", w)
			out, err := exec.CommandContext(ctx, p.path, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", w).CombinedOutput()
			if err != nil {
				missing = append(missing, fmt.Sprintf("%s: not installed: %s", w, lastLine(string(out))))
				continue
			}
		}
		p.versions[name] = version
	}
	return p, missing, nil
}

// readRequirements returns the lines "name==version" of a file.
func readRequirements(path string) (lines []string, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // only read
	scanner := bufio.NewScanner(f)
	for scanner.Scan() {
		if line := strings.TrimSpace(scanner.Text()); line != "" {
			lines = append(lines, line)
		}
	}
	return lines, scanner.Err()
}

// installed returns the version of a package, "" if it is not installed.
func (p python) installed(ctx context.Context, name string) string {
	const ask = "import importlib.metadata, sys; print(importlib.metadata.version(sys.argv[1]))"
	out, err := exec.CommandContext(ctx, p.path, "-c", ask, name).Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}
