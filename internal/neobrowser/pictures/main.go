// Command pictures makes the pictures of Neo4j Browser in docs/: the sample,
// indexed without a model, with the style sheets, queries and guide that
// `neorag explore` makes of it. It runs bin/neorag as a person would, on a
// server of its own, which is gone afterwards.
//
//	go run ./internal/neobrowser/pictures [-only NAME] [-chromium PATH]
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

	"github.com/neorag/neorag/internal/neobrowser/browser"
)

func main() {
	only := flag.String("only", "", "name of the one picture to make")
	chromium := flag.String("chromium", "", "path of Chromium; the one on the path otherwise")
	flag.Parse()
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, *chromium, *only)
	cancel()
	if err != nil {
		fmt.Fprintln(os.Stderr, "pictures:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, chromium, only string) (err error) {
	program, err := browser.Find(chromium)
	if err != nil {
		return err
	}
	home, err := os.MkdirTemp("", "neorag-pictures-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(home)) }()
	neorag := func(ctx context.Context, args ...string) *exec.Cmd {
		cmd := exec.CommandContext(ctx, filepath.Join("bin", "neorag"), append(args, "--quiet")...)
		cmd.Env, cmd.Stderr = append(os.Environ(), "NEORAG_HOME="+home, "NEO4J_URI=", "NEORAG_CORPUS="), os.Stderr
		return cmd
	}
	if err := neorag(ctx, "up", "--bolt-port", "0", "--http-port", "0").Run(); err != nil {
		return fmt.Errorf("start a server: %w", err)
	}
	defer func() { err = errors.Join(err, neorag(context.WithoutCancel(ctx), "down").Run()) }()
	if err := neorag(ctx, "index", "--offline", "--corpus", "carol", "examples/christmas-carol").Run(); err != nil {
		return fmt.Errorf("index the sample: %w", err)
	}
	serving := neorag(ctx, "explore", "--corpus", "carol", "--json")
	s, stop, err := serve(serving)
	if err != nil {
		return err
	}
	defer stop()
	return takeAll(ctx, program, s, only)
}

// served is what `explore --json` says.
type served struct {
	Browser  string
	Password string `json:"password_in"`
}

// serve starts a command and reads what it says. The function that is returned ends it.
func serve(cmd *exec.Cmd) (served, func(), error) {
	var s served
	out, err := cmd.StdoutPipe()
	if err != nil {
		return s, nil, err
	}
	if err := cmd.Start(); err != nil {
		return s, nil, fmt.Errorf("serve the styles: %w", err)
	}
	stop := func() { _, _ = cmd.Process.Signal(os.Interrupt), cmd.Wait() }
	if err := json.NewDecoder(out).Decode(&s); err != nil {
		stop()
		return s, nil, fmt.Errorf("serve the styles: %w", err)
	}
	return s, stop, nil
}

// takeAll takes the pictures, each on a page of its own.
func takeAll(ctx context.Context, program string, s served, only string) error {
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
			return fmt.Errorf("picture %s: %w", shot.name, err)
		}
		path := filepath.Join("docs", shot.name+".png")
		if err := os.WriteFile(path, body, 0o644); err != nil {
			return err
		}
		fmt.Printf("%s: %d KB, %.1f s\n", path, len(body)/1024, time.Since(begin).Seconds())
	}
	return nil
}
