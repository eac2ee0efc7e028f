package localneo4j

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/neorag/neorag/internal/sys/childenv"
	"github.com/neorag/neorag/internal/sys/wait"
)

// spawn starts the server's process and records it in the data folder, so that it is
// found even if this process ends now.
func (o Options) spawn(ctx context.Context, java javaRuntime, lib string) (state, error) {
	bolt, err := claim(ctx, o.BoltPort, "--bolt-port")
	if err != nil {
		return state{}, err
	}
	http := NoHTTP
	if o.HTTPPort != NoHTTP {
		if http, err = claim(ctx, o.HTTPPort, "--http-port"); err != nil {
			return state{}, err
		}
	}
	if err := o.prepare(bolt, http); err != nil {
		return state{}, err
	}
	if err := o.recordVersion(); err != nil {
		return state{}, err
	}
	console, err := o.console()
	if err != nil {
		return state{}, err
	}
	defer func() { _ = console.Close() }()
	cmd := exec.CommandContext(context.WithoutCancel(ctx), java.program, o.arguments(lib, java.simd)...)
	cmd.Dir = o.Data
	cmd.Env = childenv.Of(childenv.Java)
	cmd.Stdout, cmd.Stderr = console, console
	detach(cmd)
	if err := cmd.Start(); err != nil {
		return state{}, fmt.Errorf("run java: %w", err)
	}
	st := o.newState(Java, bolt, http)
	st.PID, st.Birth = cmd.Process.Pid, birth(cmd.Process.Pid)
	_ = cmd.Process.Release() // the server outlives this process
	return st, o.writeState(st)
}

// console opens the log for the server's output. The log of the previous start is
// kept as console.old.log.
func (o Options) console() (*os.File, error) {
	path := consolePath(o.Data)
	if _, err := os.Stat(path); err == nil {
		_ = os.Rename(path, strings.TrimSuffix(path, ".log")+".old.log")
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_TRUNC|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open log: %w", err)
	}
	return f, nil
}

// startedSign is in the log of a server that accepts connections.
const startedSign = "INFO  Started."

// await waits until the server logs that it has started and responds on Bolt, and
// records that. Only the context limits it, since recovery after a crash may take minutes,
// and the space in the data folder, once the log does not grow.
func (o Options) await(ctx context.Context, st state) (state, error) {
	const step, quietEvery, messageEvery = 50 * time.Millisecond, 3 * time.Second, 10 * time.Second
	before, quiet := "", time.Duration(0)
	for waited := time.Duration(0); ; waited += step {
		text := readTail(consolePath(o.Data))
		if strings.Contains(text, startedSign) && handshake(ctx, st.address()) == nil {
			st.Ready = true
			return st, o.writeState(st)
		}
		if waited > 0 && waited%messageEvery == 0 {
			o.say(fmt.Sprintf("Neo4j (process %d) is still starting: %s", st.PID, lastLine(text)))
		}
		if quiet += step; text != before {
			before, quiet = text, 0
		}
		if quiet > 0 && quiet%quietEvery == 0 {
			if err := o.checkSpace(); err != nil {
				return st, fmt.Errorf("the server (process %d) cannot start: %w", st.PID, err)
			}
		}
		if err := wait.For(ctx, step); err != nil {
			return st, fmt.Errorf("%w: last line of %s: %s: %w", ErrNotReady, consolePath(o.Data), lastLine(text), err)
		}
		// Only now: a process that has just begun shows no arguments for a moment.
		if !st.alive() {
			reap(st.PID)
			return st, diagnose(o, readTail(consolePath(o.Data)))
		}
	}
}

// stopPatience is how long a server that is asked to end may write nothing.
const stopPatience = 10 * time.Second

// mostPatience is how often a server may use up its patience: five minutes.
const mostPatience = 30
