// Package localneo4j runs a Neo4j on this machine for one user: it fetches the
// server, starts it apart from the calling process, finds it again, and stops
// it. The server listens on the loopback interface only.
package localneo4j

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Errors that callers decide on.
var (
	// ErrNotRunning says that no server runs on a data folder.
	ErrNotRunning = errors.New("no Neo4j runs")
	// ErrNotReady says that a server's process is there but does not answer.
	ErrNotReady = errors.New("neo4j does not answer")
	// ErrNoJava says that there is no Java, or one too old.
	ErrNoJava = errors.New("no usable Java")
	// ErrPortInUse says that another program has the port.
	ErrPortInUse = errors.New("port in use")
	// ErrLocked says that a server started in another way has the data open.
	ErrLocked = errors.New("data in use")
	// ErrNoDocker says that Docker was asked for and no engine answers.
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
}

// Up makes sure that the server of a data folder runs and answers, and tells
// whether it was started now. A server that runs already is returned as it
// is, whatever ports the options name. When the context ends before the
// server answers, the server is stopped again.
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
	switch {
	case err == nil && st.alive():
		if st.Ready && handshake(ctx, st.address()) == nil {
			return st.Server, false, nil
		}
		st, err = o.await(ctx, st)
		return st.Server, false, err
	case err == nil && st.Mode == Docker:
		// What is left of a container would have the ports.
		if err := o.downDocker(ctx); err != nil {
			return Server{}, false, err
		}
	case err == nil:
		o.say("the last server on this data ended without being stopped; Neo4j now recovers what it had not yet stored")
	case err != nil && !errors.Is(err, ErrNotRunning):
		return Server{}, false, err
	}
	mode, err := o.mode(ctx)
	if err != nil {
		return Server{}, false, err
	}
	if mode == Docker {
		st, err = o.upDocker(ctx)
	} else {
		st, err = o.upJava(ctx)
	}
	return st.Server, err == nil, err
}

// Down stops the server of a data folder and tells whether one ran. A server
// that does not end within ten seconds is killed; Neo4j recovers from that.
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
		// Also when nothing answers: the engine may bring it back later.
		err = o.downDocker(ctx)
	case ran:
		err = o.stop(ctx, st)
	}
	if err != nil {
		return ran, err
	}
	return ran, removeState(o.Data)
}

// Find is the server that runs on a data folder. Without one the error is
// ErrNotRunning, and ErrNotReady while it is starting or does not answer.
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
		return Server{}, fmt.Errorf("find neo4j: %w on %s: it ended without being stopped: run neorag up", ErrNotRunning, data)
	}
	if err := handshake(context.Background(), st.address()); err != nil {
		return Server{}, fmt.Errorf("find neo4j: %w: process %d is starting or stuck, see %s: %w", ErrNotReady, st.PID, consolePath(data), err)
	}
	return st.Server, nil
}

// Password reads the password of a server.
func Password(s Server) (string, error) {
	b, err := os.ReadFile(s.PasswordFile)
	if err != nil {
		return "", fmt.Errorf("read password of neo4j: %w", err)
	}
	return strings.TrimSpace(string(b)), nil
}

// enter makes the data folder and keeps other processes from starting or
// stopping its server at the same time.
func (o Options) enter(ctx context.Context) (func(), error) {
	if err := os.MkdirAll(o.Data, 0o700); err != nil {
		return nil, fmt.Errorf("make data folder: %w", err)
	}
	return o.lock(ctx, filepath.Join(o.Data, "lock"), "another command that starts or stops this server")
}

// pause waits, or fails when the context ends first.
func pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-t.C:
		return nil
	}
}
