package neo4jtest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/neorag/neorag/internal/store/localneo4j"
)

// Start starts a temporary server in a new folder in parent, or in the system's folder
// for temporary files if parent is empty. It uses a free port and, unless the options
// set a port for it, no HTTP. The returned function stops the server and removes the
// folder; on Unix both also happen when this process ends in any other way.
func Start(ctx context.Context, parent string, o localneo4j.Options) (Conn, func() error, error) {
	dir, err := os.MkdirTemp(parent, "neorag-test-")
	if err != nil {
		return Conn{}, nil, fmt.Errorf("create folder for test server: %w", err)
	}
	conn, stop, err := StartIn(ctx, dir, o)
	if err != nil {
		return Conn{}, nil, errors.Join(err, os.RemoveAll(dir))
	}
	return conn, func() error { return errors.Join(stop(), os.RemoveAll(dir)) }, nil
}

// StartIn is Start in an existing folder, with the data that it has. The returned function
// stops the server, but does not remove the folder.
func StartIn(ctx context.Context, dir string, o localneo4j.Options) (Conn, func() error, error) {
	o.Data, o.Throwaway, o.Mode = dir, true, localneo4j.Java
	if o.HTTPPort == 0 {
		o.HTTPPort = localneo4j.NoHTTP
	}
	server, _, err := localneo4j.Up(ctx, o)
	if err != nil {
		return Conn{}, nil, err
	}
	release := watch(ctx, server.PID, dir)
	stop := func() error {
		_, err := localneo4j.Down(context.WithoutCancel(ctx), o)
		release()
		return err
	}
	password, err := localneo4j.Password(server)
	if err != nil {
		return Conn{}, nil, errors.Join(err, stop())
	}
	return Conn{URI: server.URI, User: server.User, Password: password, Lent: filepath.Join(dir, "lent")}, stop, nil
}
