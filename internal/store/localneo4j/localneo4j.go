// Package localneo4j runs a Neo4j on this machine for one user: it downloads the
// server, starts it as a process that outlives the caller, finds it again, and
// stops it. The server listens on the loopback interface only.
package localneo4j

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/neorag/neorag/internal/sys/userfile"
)

// Errors that callers decide on.
var (
	// ErrNotRunning is returned when no server runs on a data folder.
	ErrNotRunning = errors.New("no Neo4j is running")
	// ErrNotReady is returned when a server's process runs but does not respond.
	ErrNotReady = errors.New("neo4j does not respond")
	// ErrNoJava is returned when Java is missing or too old.
	ErrNoJava = errors.New("no usable Java")
	// ErrPortInUse is returned when another program uses the port.
	ErrPortInUse = errors.New("port in use")
	// ErrLocked is returned when a server that Up did not start uses the data.
	ErrLocked = errors.New("data in use")
	// ErrNoDocker is returned when Docker was requested and no engine responds.
	ErrNoDocker = errors.New("no Docker engine")
)

// Server is a running server.
type Server struct {
	URI          string    `json:"uri"`
	HTTP         string    `json:"http"` // "" without HTTP
	User         string    `json:"user"`
	PasswordFile string    `json:"password_file"`
	PID          int       `json:"pid"` // 0 with Docker
	Version      string    `json:"version"`
	Started      time.Time `json:"started"`
	Mode         Mode      `json:"mode"`
	HeapMB       int       `json:"heap_mb"`
	PageCacheMB  int       `json:"page_cache_mb"`
}

// Up makes sure that the server of a data folder runs and responds, and reports
// whether this call started it. A running server is returned as it is, whatever
// ports the options name. A server that does not respond before the context ends, or
// cannot write to its folder while it starts, is stopped again.
func Up(ctx context.Context, o Options) (Server, bool, error) {
	o, err := o.complete()
	if err != nil {
		return Server{}, false, err
	}
	unlock, err := o.enter(ctx)
	if err != nil {
		return Server{}, false, fmt.Errorf("start neo4j: %w", err)
	}
	defer unlock()
	s, started, err := o.up(ctx)
	if err != nil {
		return Server{}, false, fmt.Errorf("start neo4j: %w", err)
	}
	return s, started, nil
}

func (o Options) up(ctx context.Context) (Server, bool, error) {
	st, err := readState(o.Data)
	if err == nil && st.alive() {
		ready := st.Ready
		if ready && handshake(ctx, st.address()) == nil {
			return st.Server, false, nil
		}
		// A server that was ready and ends meanwhile was killed a moment ago.
		st, err = o.await(ctx, st)
		if errors.Is(err, ErrNoSpace) && !ready {
			return Server{}, false, errors.Join(err, o.abandon(ctx, st))
		}
		if err == nil || !ready || st.alive() {
			return st.Server, false, err
		}
		err = nil
	}
	switch {
	case err == nil && st.Mode == Docker:
		// A leftover container would occupy the ports.
		if err := o.downDocker(ctx); err != nil {
			return Server{}, false, err
		}
	case err == nil:
		o.say("the last server on this data was not shut down; Neo4j is recovering what it had not stored yet")
	case !errors.Is(err, ErrNotRunning):
		return Server{}, false, err
	}
	mode, err := o.mode(ctx)
	if err != nil {
		return Server{}, false, err
	}
	if o, err = o.withVersion(); err != nil {
		return Server{}, false, err
	}
	if mode == Docker {
		st, err = o.sized(engineMemory(ctx)).upDocker(ctx)
	} else {
		st, err = o.sized(memory()).upJava(ctx)
	}
	return st.Server, err == nil, err
}

// Down stops the server of a data folder and reports whether one was running. A
// server that does not end, and has written nothing for ten seconds, is killed; Neo4j
// recovers from that.
func Down(ctx context.Context, o Options) (bool, error) {
	o, err := o.complete()
	if err != nil {
		return false, err
	}
	if _, err := os.Stat(statePath(o.Data)); err != nil {
		return false, nil
	}
	unlock, err := o.enter(ctx)
	if err != nil {
		return false, fmt.Errorf("stop neo4j: %w", err)
	}
	defer unlock()
	ran, err := o.down(ctx)
	if err != nil {
		return ran, fmt.Errorf("stop neo4j: %w", err)
	}
	return ran, nil
}

func (o Options) down(ctx context.Context) (bool, error) {
	st, err := readState(o.Data)
	if errors.Is(err, ErrNotRunning) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	ran := st.alive()
	switch {
	case st.Mode == Docker:
		// Also when it does not respond: the engine may restart it later.
		err = o.downDocker(ctx)
	case ran:
		err = o.stop(ctx, st, stopPatience)
	}
	if err != nil {
		return ran, err
	}
	return ran, removeState(o.Data)
}

// Find returns the server that runs on a data folder. The error is ErrNotRunning if
// there is none, and ErrNotReady while it is starting or does not respond.
func Find(data string) (Server, error) {
	data, err := filepath.Abs(data)
	if err != nil {
		return Server{}, fmt.Errorf("find neo4j: %w", err)
	}
	st, err := readState(data)
	if err != nil {
		return Server{}, fmt.Errorf("find neo4j: %w", err)
	}
	if !st.alive() {
		return Server{}, fmt.Errorf("find neo4j: %w on %s: it was not shut down: run neorag up", ErrNotRunning, data)
	}
	if err := handshake(context.Background(), st.address()); err != nil {
		return Server{}, fmt.Errorf("find neo4j: %w: process %d is starting or stuck, see %s: %w", ErrNotReady, st.PID, consolePath(data), err)
	}
	return st.Server, nil
}

const maxPasswordSize = 4 << 10

// Password reads the password of a server that Up or Find returned.
func Password(s Server) (string, error) {
	b, err := userfile.ReadPrivate(s.PasswordFile, maxPasswordSize)
	if err != nil {
		return "", fmt.Errorf("read password of neo4j: %w", err)
	}
	return strings.TrimSpace(string(b)), nil
}

// enter creates the data folder, or checks the existing one, and keeps other processes from
// starting or stopping its server at the same time, until the returned function is called.
func (o Options) enter(ctx context.Context) (func(), error) {
	if err := os.MkdirAll(o.Data, 0o700); err != nil {
		return nil, fmt.Errorf("create data folder: %w", err)
	}
	if err := restrict(o.Data); err != nil {
		return nil, err
	}
	return o.lock(ctx, filepath.Join(o.Data, "lock"), "another command that starts or stops this server")
}

// restrict makes a data folder readable by its owner only. Where others may have put
// files into it, such as plugins, which the server would run, it returns an error.
func restrict(data string) error {
	if err := userfile.CheckFolder(data); err != nil {
		entries, rerr := os.ReadDir(data)
		own := errors.Is(err, userfile.ErrUnsafe) && rerr == nil && len(entries) == 0 && os.Chmod(data, 0o700) == nil
		if !own || userfile.CheckFolder(data) != nil {
			return fmt.Errorf("data folder: %w, or choose another folder with --data", err)
		}
	}
	info, err := os.Stat(data)
	if err == nil && info.Mode().Perm()&0o077 != 0 && runtime.GOOS != "windows" {
		err = os.Chmod(data, 0o700)
	}
	if err != nil {
		return fmt.Errorf("data folder: %w", err)
	}
	return nil
}
