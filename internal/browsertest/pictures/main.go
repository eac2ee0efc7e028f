// Command pictures takes the screenshots of Neo4j Browser in docs: the sample, indexed
// without a model, with the style sheets, queries and guide of `neorag explore`, and one
// of the page of `neorag serve`. It
// runs bin/neorag on a temporary server. The current folder is the folder of this module.
//
//	make pictures
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"time"

	"github.com/neorag/neorag/internal/browsertest/chromium"
)

func main() {
	only := flag.String("only", "", "take only the screenshot of this `NAME`")
	flag.Parse()
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, *only)
	cancel()
	if err != nil {
		fmt.Fprintln(os.Stderr, "pictures:", err)
		os.Exit(1)
	}
}

// root is the root of the repository.
var root = filepath.Join("..", "..")

func run(ctx context.Context, only string) (err error) {
	program, err := chromium.Find()
	if err != nil {
		return err
	}
	home, err := os.MkdirTemp("", "neorag-pictures-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(home)) }()
	neorag := func(ctx context.Context, args ...string) *exec.Cmd {
		cmd := exec.CommandContext(ctx, filepath.Join(root, "bin", "neorag"), append(args, "--quiet")...)
		cmd.Env, cmd.Stderr = append(os.Environ(), "NEORAG_HOME="+home, "NEO4J_URI=", "NEORAG_CORPUS="), os.Stderr
		return cmd
	}
	if err := neorag(ctx, "up", "--bolt-port", "0", "--http-port", "0").Run(); err != nil {
		return fmt.Errorf("start a server: %w", err)
	}
	defer func() { err = errors.Join(err, neorag(context.WithoutCancel(ctx), "down").Run()) }()
	if err := neorag(ctx, "index", "--offline", "--corpus", "carol", filepath.Join(root, "examples", "christmas-carol")).Run(); err != nil {
		return fmt.Errorf("index the sample: %w", err)
	}
	if only == "" || only == askName {
		if err := takeAsk(ctx, neorag); err != nil {
			return fmt.Errorf("take screenshot %s: %w", askName, err)
		}
	}
	if only == askName {
		return nil
	}
	serving := neorag(ctx, "explore", "--corpus", "carol", "--json")
	s, stop, err := serve(serving)
	if err != nil {
		return err
	}
	defer stop()
	return takeAll(ctx, program, s, only)
}

// explored is what `explore --json` prints.
type explored struct {
	Browser  string
	Password string `json:"password_in"`
}

// serve starts `explore --json` and reads its output. The returned function ends it.
func serve(cmd *exec.Cmd) (explored, func(), error) {
	var s explored
	out, err := cmd.StdoutPipe()
	if err != nil {
		return s, nil, err
	}
	if err := cmd.Start(); err != nil {
		return s, nil, fmt.Errorf("start explore: %w", err)
	}
	stop := func() { _, _ = cmd.Process.Signal(os.Interrupt), cmd.Wait() }
	if err := json.NewDecoder(out).Decode(&s); err != nil {
		stop()
		return s, nil, fmt.Errorf("start explore: %w", err)
	}
	return s, stop, nil
}

// takeAll takes the screenshots, each in a new window, and writes them into docs.
func takeAll(ctx context.Context, program string, s explored, only string) error {
	password, err := os.ReadFile(s.Password)
	if err != nil {
		return err
	}
	for _, shot := range shots {
		if only != "" && only != shot.name {
			continue
		}
		begin := time.Now()
		body, err := take(ctx, program, s, strings.TrimSpace(string(password)), shot)
		if err != nil {
			return fmt.Errorf("take screenshot %s: %w", shot.name, err)
		}
		path := filepath.Join(root, "docs", shot.name+".png")
		if err := os.WriteFile(path, body, 0o644); err != nil {
			return err
		}
		fmt.Printf("%s: %d KB, %.1f s\n", path, len(body)/1024, time.Since(begin).Seconds())
	}
	return nil
}
