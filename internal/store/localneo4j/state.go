package localneo4j

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/neorag/neorag/internal/sys/userfile"
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

// newState returns the state of a server that is started now on these ports.
func (o Options) newState(mode Mode, bolt, http int) state {
	st := state{Home: o.Data, Server: Server{
		URI: "bolt://" + loopback(bolt), User: user, PasswordFile: passwordPath(o.Data), Version: o.release().Version,
		Started: time.Now().UTC().Truncate(time.Second), Mode: mode, HeapMB: o.HeapMB, PageCacheMB: o.PageCacheMB,
	}}
	if http != NoHTTP {
		st.HTTP = "http://" + loopback(http)
	}
	return st
}

func statePath(data string) string     { return filepath.Join(data, "server.json") }
func consolePath(data string) string   { return filepath.Join(data, "logs", "console.log") }
func databasesPath(data string) string { return filepath.Join(data, "data", "databases") }
func passwordPath(data string) string  { return filepath.Join(data, "password") }

const maxStateSize = 64 << 10

// readState reads the state of a data folder. The folder may come from somebody else:
// a state counts only if nobody but the user could write it, and if it names what Up
// would have written: this folder, its password and an address of this machine.
func readState(data string) (state, error) {
	b, err := userfile.ReadPrivate(statePath(data), maxStateSize)
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
	if err := st.check(data); err != nil {
		return state{}, fmt.Errorf("read state: %s was not written by neorag up for this folder: %w: check where the folder comes from, and delete the file if no server runs on it", statePath(data), err)
	}
	st.Home, st.User, st.PasswordFile = cmp.Or(st.Home, data), user, passwordPath(data)
	return st, nil
}

// check returns what the state names outside its folder or this machine.
func (st state) check(data string) error {
	if !isLoopback(st.URI, "bolt") {
		return fmt.Errorf("the server %q is not on this machine", st.URI)
	}
	if st.HTTP != "" && !isLoopback(st.HTTP, "http") {
		return fmt.Errorf("the browser %q is not on this machine", st.HTTP)
	}
	if filepath.Base(st.PasswordFile) != filepath.Base(passwordPath(data)) || !sameFolder(filepath.Dir(st.PasswordFile), data) {
		return fmt.Errorf("the password file %q belongs to another folder", st.PasswordFile)
	}
	if st.Home != "" && !sameFolder(st.Home, data) {
		return fmt.Errorf("it belongs to the folder %q", st.Home)
	}
	return nil
}

// isLoopback reports whether an address is a port of this machine that no other machine
// reaches.
func isLoopback(address, scheme string) bool {
	u, err := url.Parse(address)
	return err == nil && address == scheme+"://"+u.Host && u.Port() != "" && slices.Contains([]string{"127.0.0.1", "localhost", "::1"}, u.Hostname())
}

// sameFolder reports whether two paths lead to one folder.
func sameFolder(a, b string) bool {
	if a == b {
		return true
	}
	x, err := os.Stat(a)
	y, yerr := os.Stat(b)
	return err == nil && yerr == nil && os.SameFile(x, y)
}

// writeState records a server. It returns an ErrNoSpace if the disk has no room for that.
func (o Options) writeState(st state) error {
	b, err := json.MarshalIndent(st, "", "  ")
	if err != nil {
		return fmt.Errorf("write state: %w", err)
	}
	if err = userfile.WritePrivate(statePath(o.Data), append(b, '\n')); err == nil {
		return nil
	}
	if full := o.checkSpace(); full != nil {
		return full
	}
	return err
}

func removeState(data string) error {
	if err := os.Remove(statePath(data)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove state: %w", err)
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
