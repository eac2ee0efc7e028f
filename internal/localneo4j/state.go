package localneo4j

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// state is what the data folder records about the server that was started last.
type state struct {
	Server

	// Home is the data folder as the server's command line names it.
	Home string `json:"home"`
	// Birth distinguishes this process from a later one with the same id, on systems
	// without a command line to compare.
	Birth string `json:"birth,omitempty"`
	// Ready is set once the server has responded.
	Ready bool `json:"ready"`
}

func statePath(data string) string    { return filepath.Join(data, "server.json") }
func consolePath(data string) string  { return filepath.Join(data, "logs", "console.log") }
func passwordPath(data string) string { return filepath.Join(data, "password") }

func readState(data string) (state, error) {
	b, err := os.ReadFile(statePath(data))
	if errors.Is(err, fs.ErrNotExist) {
		return state{}, fmt.Errorf("%w on %s: run neorag up", ErrNotRunning, data)
	}
	if err != nil {
		return state{}, fmt.Errorf("read state: %w", err)
	}
	var st state
	if err := json.Unmarshal(b, &st); err != nil {
		return state{}, fmt.Errorf("read state: %s is damaged; delete it if no server runs on this folder: %w", statePath(data), err)
	}
	return st, nil
}

func writeState(data string, st state) error {
	b, err := json.MarshalIndent(st, "", "  ")
	if err != nil {
		return fmt.Errorf("write state: %w", err)
	}
	return writePrivate(statePath(data), append(b, '\n'))
}

func removeState(data string) error {
	if err := os.Remove(statePath(data)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove state: %w", err)
	}
	return nil
}

// writePrivate replaces a file atomically, readable by its owner only.
func writePrivate(path string, b []byte) error {
	tmp, err := os.CreateTemp(filepath.Dir(path), ".new-") // mode 0600
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	defer func() { _ = os.Remove(tmp.Name()) }()
	_, err = tmp.Write(b)
	if err := errors.Join(err, tmp.Sync(), tmp.Close()); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	if err := os.Rename(tmp.Name(), path); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}

// alive reports whether the server's process still runs and is the one that was
// started; with Docker, whether the server responds on its port. It takes no context:
// a cancelled caller must not take a running server for dead.
func (st state) alive() bool {
	if st.Mode == Docker {
		return handshake(context.Background(), st.address()) == nil
	}
	return st.PID > 0 && isServer(st.PID, st.Home, st.Birth)
}

func (st state) address() string {
	return strings.TrimPrefix(st.URI, "bolt://")
}
