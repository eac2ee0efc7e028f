package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
)

// A process is a running `neorag serve`.
type process struct {
	cmd     *exec.Cmd
	address string
	read    chan struct{} // closed when its output has ended
}

var announced = regexp.MustCompile(`NeoRAG answers at (http://\S+)`)

// serve starts the program on a free port, with a separate folder.
func (b bench) serve(ctx context.Context, name string, args ...string) (*process, error) {
	home := filepath.Join(b.work, name)
	cmd := exec.CommandContext(ctx, "bin/neorag", append([]string{"serve", "--address", "127.0.0.1:0"}, args...)...)
	cmd.Env = append(slices.Clone(b.env), "NEORAG_HOME="+home, "NEORAG_CACHE="+filepath.Join(home, "cache"))
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	out, err := cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start the program: %w: run `make build`", err)
	}
	p := &process{cmd: cmd, read: make(chan struct{})}
	found := make(chan string, 1)
	go func() {
		defer close(p.read)
		defer close(found)
		for lines := bufio.NewScanner(out); lines.Scan(); {
			if m := announced.FindStringSubmatch(lines.Text()); m != nil {
				found <- m[1]
			} else if !strings.Contains(lines.Text(), "level=INFO") { // else a request
				fmt.Fprintln(os.Stderr, lines.Text())
			}
		}
	}()
	if p.address = <-found; p.address == "" {
		return nil, errors.Join(errors.New("the server did not start"), cmd.Wait())
	}
	return p, nil
}

func (p *process) pid() int { return p.cmd.Process.Pid }

// stop interrupts the process and waits for its end.
func (p *process) stop() {
	_ = p.cmd.Process.Signal(syscall.SIGINT)
	<-p.read
	_ = p.cmd.Wait()
}
