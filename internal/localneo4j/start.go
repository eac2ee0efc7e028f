package localneo4j

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/neorag/neorag/docker"
	"github.com/neorag/neorag/internal/childenv"
)

// spawn starts the server's process and records it in the data folder, so that it is
// found even if this process ends now.
func (o Options) spawn(ctx context.Context, program, lib string) (state, error) {
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
	console, err := o.console()
	if err != nil {
		return state{}, err
	}
	defer func() { _ = console.Close() }()
	cmd := exec.CommandContext(context.WithoutCancel(ctx), program, o.arguments(lib)...)
	cmd.Dir = o.Data
	cmd.Env = childenv.Of(childenv.Java)
	cmd.Stdout, cmd.Stderr = console, console
	detach(cmd)
	if err := cmd.Start(); err != nil {
		return state{}, fmt.Errorf("run java: %w", err)
	}
	st := state{Home: o.Data, Birth: birth(cmd.Process.Pid), Server: Server{
		URI: "bolt://" + loopback(bolt), User: user, PasswordFile: passwordPath(o.Data),
		PID: cmd.Process.Pid, Version: docker.Version, Started: time.Now().UTC().Truncate(time.Second), Mode: Java,
	}}
	if http != NoHTTP {
		st.HTTP = "http://" + loopback(http)
	}
	_ = cmd.Process.Release() // the server outlives this process
	return st, writeState(o.Data, st)
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

// await waits until the server logs that it has started and responds on Bolt, and
// records that. Only the context limits it, since recovery after a crash may take minutes,
// and the space in the data folder, once the log does not grow.
func (o Options) await(ctx context.Context, st state) (state, error) {
	const step, quietEvery, messageEvery = 50 * time.Millisecond, 3 * time.Second, 10 * time.Second
	before, quiet := "", time.Duration(0)
	for waited := time.Duration(0); ; waited += step {
		text := readTail(consolePath(o.Data))
		if strings.Contains(text, "INFO  Started.") && handshake(ctx, st.address()) == nil {
			st.Ready = true
			return st, writeState(o.Data, st)
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
		if err := pause(ctx, step); err != nil {
			return st, fmt.Errorf("%w: last line of %s: %s: %w", ErrNotReady, consolePath(o.Data), lastLine(text), err)
		}
		// Only now: a process that has just begun shows no arguments for a moment.
		if !st.alive() {
			reap(st.PID)
			return st, diagnose(o, readTail(consolePath(o.Data)))
		}
	}
}

// stop asks the server to end, and kills it after ten seconds.
func (o Options) stop(ctx context.Context, st state) error {
	if err := terminate(st.PID); err != nil && st.alive() {
		return fmt.Errorf("signal process %d: %w", st.PID, err)
	}
	gone, err := st.gone(ctx, 10*time.Second)
	if err != nil || gone {
		return err
	}
	o.say(fmt.Sprintf("Neo4j (process %d) does not stop and is killed; it recovers at the next start", st.PID))
	if err := kill(st.PID); err != nil && st.alive() {
		return fmt.Errorf("kill process %d: %w", st.PID, err)
	}
	gone, err = st.gone(ctx, 5*time.Second)
	if err == nil && !gone {
		err = fmt.Errorf("process %d does not end", st.PID)
	}
	return err
}

// gone waits until the server's process has ended, and reports whether it has.
func (st state) gone(ctx context.Context, limit time.Duration) (bool, error) {
	const step = 10 * time.Millisecond
	for waited := time.Duration(0); waited < limit; waited += step {
		if !st.alive() {
			reap(st.PID)
			return true, nil
		}
		if err := pause(ctx, step); err != nil {
			return false, fmt.Errorf("wait for process %d to end: %w", st.PID, err)
		}
	}
	return false, nil
}
