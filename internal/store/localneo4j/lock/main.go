// Command lock rewrites docker/neo4j-local/jars.lock from the pom.xml next to it, with
// the jars that Maven downloads. Run it from the root of the repository.
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
	tmp, err := os.MkdirTemp("", "neorag-lock-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(tmp) }()
	lib := filepath.Join(tmp, "lib")
	if err := (jars.Set{POM: docker.POM}).Fetch(ctx, lib); err != nil {
		return err
	}
	lock, err := jars.Scan(lib)
	if err != nil {
		return err
	}
	path := filepath.Join("docker", "neo4j-local", "jars.lock")
	if err := os.WriteFile(path, lock.Format(), 0o644); err != nil {
		return err
	}
	fmt.Printf("%s: %d jars\n", path, len(lock))
	return nil
}
