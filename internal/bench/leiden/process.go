package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// A runner runs tasks on one graph.
type runner interface {
	// run runs a task and returns the labels of its levels.
	run(ctx context.Context, task string, workers int, seed uint64) (answer, [][]uint32, error)
	close() error
}

// A process is an engine that holds a graph and waits for requests. Every engine is a
// separate process, so that its memory can be measured and no peer is linked.
type process struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	errors bytes.Buffer
	labels string
	nodes  int
}

// start starts a process and waits until it has read its graph. The file for labels is
// the last argument of the command.
func start(ctx context.Context, labels string, nodes int, name string, args ...string) (*process, error) {
	p := &process{labels: labels, nodes: nodes, cmd: exec.CommandContext(ctx, name, append(args, labels)...)}
	p.cmd.Stderr = &p.errors
	var err error
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.out = bufio.NewReader(out)
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	var ready struct{ Ready bool }
	if err := p.read(&ready); err != nil {
		_ = p.close() // err has its message
		return nil, err
	}
	return p, nil
}

// read reads a line of JSON.
func (p *process) read(v any) error {
	line, err := p.out.ReadBytes('\n')
	if err == nil {
		err = json.Unmarshal(line, v)
	}
	if err != nil {
		return fmt.Errorf("read answer of %s: %w: %s", filepath.Base(p.cmd.Path), err, lastLine(p.errors.String()))
	}
	return nil
}

// lastLine returns the last line of a text: in a Python traceback it is the message.
func lastLine(s string) string {
	s = strings.TrimSpace(s)
	return s[strings.LastIndexByte(s, '\n')+1:]
}

func (p *process) run(_ context.Context, task string, workers int, seed uint64) (answer, [][]uint32, error) {
	if _, err := fmt.Fprintln(p.in, task, workers, seed); err != nil {
		return answer{}, nil, fmt.Errorf("send request to %s: %w: %s", filepath.Base(p.cmd.Path), err, lastLine(p.errors.String()))
	}
	var a answer
	if err := p.read(&a); err != nil {
		return answer{}, nil, err
	}
	levels, err := readLabels(p.labels, p.nodes)
	return a, levels, err
}

// close closes the input of the process, which ends it, and waits for it.
func (p *process) close() error {
	_ = p.in.Close() // it may have ended already
	_ = os.Remove(p.labels)
	return p.cmd.Wait()
}

// A program is a peer that is started for each task, as
//
//	PROGRAM GRAPH.bin LABELS RUNS THREADS leiden|leidenseq
//
// It prints milliseconds last, and writes one label per line and node.
type program struct {
	path, graph, labels string
	nodes               int
}

func (p *program) run(ctx context.Context, _ string, workers int, _ uint64) (answer, [][]uint32, error) {
	mode := "leiden"
	if workers == 1 {
		mode = "leidenseq"
	}
	out, err := exec.CommandContext(ctx, p.path, p.graph, p.labels, strconv.Itoa(repeats), strconv.Itoa(workers), mode).Output()
	if err != nil {
		return answer{}, nil, fmt.Errorf("run %s: %w", p.path, err)
	}
	fields := strings.Fields(string(out))
	if len(fields) == 0 {
		return answer{}, nil, fmt.Errorf("run %s: no time in its output", p.path)
	}
	ms, err := strconv.ParseFloat(fields[len(fields)-1], 64)
	if err != nil {
		return answer{}, nil, fmt.Errorf("read time of %s: %w", p.path, err)
	}
	text, err := os.ReadFile(p.labels)
	if err != nil {
		return answer{}, nil, err
	}
	labels := make([]uint32, 0, p.nodes)
	for field := range strings.FieldsSeq(string(text)) {
		c, err := strconv.ParseUint(field, 10, 32)
		if err != nil {
			return answer{}, nil, fmt.Errorf("read labels of %s: %w", p.path, err)
		}
		labels = append(labels, uint32(c))
	}
	if len(labels) != p.nodes {
		return answer{}, nil, fmt.Errorf("read labels of %s: %d labels for %d nodes", p.path, len(labels), p.nodes)
	}
	return answer{Ms: ms}, [][]uint32{labels}, nil
}

func (p *program) close() error { return nil }
