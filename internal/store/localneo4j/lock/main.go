// Command lock rewrites the lock files in docker/neo4j-local, one for each version of Neo4j,
// from the pom.xml next to them, with the jars that Maven downloads. Run it from the root of
// the repository.
package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/neorag/neorag/docker"
	"github.com/neorag/neorag/internal/store/localneo4j/jars"
)

func main() {
	if err := run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, "lock:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	for _, r := range docker.Releases {
		if err := write(ctx, r); err != nil {
			return fmt.Errorf("%s: %w", r.Version, err)
		}
	}
	return nil
}

func write(ctx context.Context, r docker.Release) error {
	tmp, err := os.MkdirTemp("", "neorag-lock-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(tmp) }()
	lib := filepath.Join(tmp, "lib")
	if err := (jars.Set{POM: r.POM()}).Fetch(ctx, lib); err != nil {
		return err
	}
	lock, err := jars.Scan(lib)
	if err != nil {
		return err
	}
	path := filepath.FromSlash(r.LockFile())
	if err := os.WriteFile(path, lock.Format(), 0o644); err != nil {
		return err
	}
	fmt.Printf("%s: %d jars\n", path, len(lock))
	return nil
}
