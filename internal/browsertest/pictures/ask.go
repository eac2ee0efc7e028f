package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/neorag/neorag/internal/browsertest/chromium"
)

// askName is the name of the screenshot of the page that `neorag serve` has for questions.
const askName = "ask"

const question = "Who was the partner of Scrooge?"

// takeAsk takes the screenshot of an answer on the page of `neorag serve`. command returns a run of the program.
func takeAsk(ctx context.Context, command func(ctx context.Context, args ...string) *exec.Cmd) error {
	address, err := freeAddress(ctx)
	if err != nil {
		return err
	}
	serving := command(ctx, "serve", "--offline", "--corpus", "carol", "--address", address)
	if err := serving.Start(); err != nil {
		return fmt.Errorf("start serve: %w", err)
	}
	defer func() { _, _ = serving.Process.Signal(os.Interrupt), serving.Wait() }()
	server := "http://" + address
	if err := waitFor(ctx, server+"/healthz"); err != nil {
		return err
	}
	p, err := chromium.OpenServer(ctx, server, "/", width, height)
	if err != nil {
		return err
	}
	defer p.Close()
	if err := p.Type(question); err != nil {
		return err
	}
	if _, err := chromium.Evaluate[bool](p, `(() => { document.getElementById("send").click(); return true })()`); err != nil {
		return err
	}
	if err := p.Wait(`document.querySelector(".answer .by") !== null`); err != nil {
		return err
	}
	if err := p.Wait(`Math.abs(document.querySelector("article").getBoundingClientRect().top) < 40`); err != nil { // it has scrolled there
		return err
	}
	body, err := p.Picture()
	if err != nil {
		return err
	}
	path := filepath.Join(root, "docs", askName+".png")
	fmt.Printf("%s: %d KB\n", path, len(body)/1024)
	return os.WriteFile(path, body, 0o644)
}

// freeAddress returns an address of this machine with a port that nobody uses.
func freeAddress(ctx context.Context) (string, error) {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return l.Addr().String(), l.Close()
}

// waitFor waits until an address answers, at most a minute.
func waitFor(ctx context.Context, address string) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	for {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody)
		if err != nil {
			return err
		}
		response, err := http.DefaultClient.Do(r)
		if err == nil {
			return response.Body.Close()
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("wait for %s: %w", address, err)
		case <-time.After(100 * time.Millisecond):
		}
	}
}
