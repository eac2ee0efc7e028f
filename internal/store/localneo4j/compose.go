package localneo4j

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/neorag/neorag/internal/sys/childenv"
	"github.com/neorag/neorag/internal/sys/userfile"
)

func composePath(data string) string { return filepath.Join(data, "compose.yaml") }

// mode decides how a server runs. Data stays with the mode that made it: a container
// does not see the folder of a Java server, and Java does not see a volume.
func (o Options) mode(ctx context.Context) (Mode, error) {
	made := Auto
	if exists(composePath(o.Data)) {
		made = Docker
	} else if exists(filepath.Join(o.Data, "data", "databases")) {
		made = Java
	}
	if o.Mode != Auto && made != Auto && o.Mode != made {
		return Auto, fmt.Errorf("the data of %s was made with %s, not with %s: choose another folder with --data", o.Data, made, o.Mode)
	}
	want := o.Mode
	if want == Auto {
		want = made
	}
	if want == Java {
		return Java, nil
	}
	err := engine(ctx)
	switch {
	case err == nil:
		return Docker, nil
	case want == Docker:
		return Auto, fmt.Errorf("%w: start Docker with its compose plugin, or choose another folder with --data to run without it: %w", ErrNoDocker, err)
	}
	return Java, nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

// inspectDocker returns a docker command that reads something.
func inspectDocker(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "docker", args...)
	cmd.Env = childenv.Of(childenv.Docker)
	cmd.WaitDelay = 100 * time.Millisecond
	return cmd
}

// engine returns an error unless a Docker engine responds and has Compose.
func engine(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	for _, args := range [][]string{{"info", "--format", "{{.ServerVersion}}"}, {"compose", "version"}} {
		if out, err := inspectDocker(ctx, args...).CombinedOutput(); err != nil {
			return fmt.Errorf("docker %s: %w: %s", args[0], err, lastLine(string(out)))
		}
	}
	return nil
}

// engineMemory returns the memory of the machine that containers run on, which may be a
// virtual one, in MB; 0 if it is unknown.
func engineMemory(ctx context.Context) int {
	ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	out, _ := inspectDocker(ctx, "info", "--format", "{{.MemTotal}}").Output()
	limit, _ := strconv.ParseInt(strings.TrimSpace(string(out)), 10, 64) // 0 is unknown
	return int(limit >> 20)
}

// compose returns a docker compose command for the server of a data folder. The
// project is named by a hash of the folder, so each folder has its own volumes.
func (o Options) compose(ctx context.Context, env []string, args ...string) *exec.Cmd {
	project := fmt.Sprintf("neorag-%x", sha256.Sum256([]byte(o.Data)))[:len("neorag-")+8]
	// Without --env-file, Compose reads variables from a file .env in the data folder.
	args = append([]string{"compose", "--env-file", os.DevNull, "-f", composePath(o.Data), "-p", project}, args...)
	cmd := exec.CommandContext(ctx, "docker", args...)
	cmd.Dir = o.Data
	cmd.Env = append(childenv.Of(childenv.Docker), env...)
	cmd.WaitDelay = 5 * time.Second
	return cmd
}

// writeCompose writes the Compose file, so that no command runs another one that is in
// the data folder.
func (o Options) writeCompose() error {
	return userfile.WritePrivate(composePath(o.Data), o.release().Compose())
}

// composeEnv returns the variables that compose.yaml uses.
func (o Options) composeEnv(bolt, http int, password string) []string {
	return []string{
		fmt.Sprintf("NEORAG_BOLT_PORT=%d", bolt),
		fmt.Sprintf("NEORAG_HTTP_PORT=%d", http),
		fmt.Sprintf("NEORAG_FIRST_HEAP_MB=%d", o.firstHeapMB()),
		fmt.Sprintf("NEORAG_HEAP_MB=%d", o.HeapMB),
		fmt.Sprintf("NEORAG_PAGECACHE_MB=%d", o.PageCacheMB),
		"NEO4J_PASSWORD=" + password,
	}
}

func (o Options) upDocker(ctx context.Context) (state, error) {
	bolt, err := claim(ctx, o.BoltPort, "--bolt-port")
	if err != nil {
		return state{}, err
	}
	// The container always serves HTTP: its health check uses it.
	http, err := claim(ctx, max(0, o.HTTPPort), "--http-port")
	if err != nil {
		return state{}, err
	}
	password, err := o.newPassword()
	if err != nil {
		return state{}, err
	}
	if err := o.writeCompose(); err != nil {
		return state{}, err
	}
	if err := o.recordVersion(); err != nil {
		return state{}, err
	}
	st := o.newState(Docker, bolt, http)
	st.Ready = true
	if err := o.writeState(st); err != nil {
		return state{}, err
	}
	o.say("starting Neo4j " + o.release().Version + " with Docker; the image is downloaded the first time")
	out, err := o.compose(ctx, o.composeEnv(bolt, http, password), "up", "-d", "--wait").CombinedOutput()
	if err != nil {
		return state{}, errors.Join(fmt.Errorf("docker compose up: %w: %s", err, strings.TrimSpace(lastLines(string(out), 8))), removeState(o.Data))
	}
	if err := handshake(ctx, st.address()); err != nil {
		return state{}, fmt.Errorf("%w on %s: %w", ErrNotReady, st.URI, err)
	}
	return st, nil
}

func (o Options) downDocker(ctx context.Context) error {
	if err := o.writeCompose(); err != nil {
		return err
	}
	// Compose requires every variable, also for down.
	env := o.composeEnv(0, 0, "unused-here")
	out, err := o.compose(ctx, env, "down").CombinedOutput()
	if err != nil {
		return fmt.Errorf("docker compose down: %w: %s", err, strings.TrimSpace(lastLines(string(out), 8)))
	}
	return nil
}
