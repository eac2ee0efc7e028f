package jars

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// ErrNoMaven says that jars are missing and that there is no Maven to fetch
// them.
var ErrNoMaven = errors.New("no Maven")

// ErrMissing says that jars are missing or wrong and none may be fetched.
var ErrMissing = errors.New("jars missing")

// Set is a folder of jars and what must be in it.
type Set struct {
	Dir      string // the folder; its parent holds temporary ones
	POM      []byte // the Maven project whose runtime dependencies fill it
	Lock     Lock
	Maven    string       // the program; "" is mvn on the path
	NoFetch  bool         // fail with ErrMissing instead of fetching
	Progress func(string) // may be nil
}

// Ensure checks every jar of the folder, and lets Maven fetch all of them into
// a new folder, which takes the place of the old one, if any departs from the
// lock file. The caller keeps other processes out.
func (s Set) Ensure(ctx context.Context) error {
	diff, err := s.check(s.Dir)
	if err != nil || diff.Empty() {
		return err
	}
	if s.NoFetch {
		return fmt.Errorf("%w in %s: %s", ErrMissing, s.Dir, diff)
	}
	if len(diff.Wrong)+len(diff.Extra) > 0 {
		s.say("jars in " + s.Dir + " are not those of the lock file: " + diff.String())
	}
	s.say(fmt.Sprintf("%d jars are fetched by Maven, once for all servers", len(s.Lock)))
	if err := os.MkdirAll(filepath.Dir(s.Dir), 0o755); err != nil {
		return fmt.Errorf("make folder for jars: %w", err)
	}
	tmp, err := os.MkdirTemp(filepath.Dir(s.Dir), "fetch-")
	if err != nil {
		return fmt.Errorf("make folder for jars: %w", err)
	}
	defer func() { _ = os.RemoveAll(tmp) }()
	if err := s.fetchChecked(ctx, tmp); err != nil {
		return err
	}
	return replace(filepath.Join(tmp, "lib"), s.Dir, filepath.Join(tmp, "old"))
}

func (s Set) check(dir string) (Diff, error) {
	got, err := Scan(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return Diff{}, err
	}
	return s.Lock.Compare(got), nil
}

func (s Set) fetchChecked(ctx context.Context, tmp string) error {
	lib := filepath.Join(tmp, "lib")
	if err := s.Fetch(ctx, lib); err != nil {
		return err
	}
	diff, err := s.check(lib)
	if err != nil {
		return err
	}
	if !diff.Empty() {
		return fmt.Errorf("check jars: what Maven fetched is not what the lock file says (%s): "+
			"delete these jars in Maven's local repository and look at the mirrors in its settings", diff)
	}
	return nil
}

// Fetch lets Maven put the jars of the project into the folder lib, unchecked.
func (s Set) Fetch(ctx context.Context, lib string) error {
	program := s.Maven
	if program == "" {
		program = "mvn"
	}
	program, err := exec.LookPath(program)
	if err != nil {
		return fmt.Errorf("%w: Neo4j's jars are fetched once by Maven: install it (mvn), or Docker: %w", ErrNoMaven, err)
	}
	pom := filepath.Join(filepath.Dir(lib), "pom.xml")
	if err := os.WriteFile(pom, s.POM, 0o644); err != nil {
		return fmt.Errorf("fetch jars: %w", err)
	}
	cmd := exec.CommandContext(ctx, program, "-B", "-C", "-f", pom, "dependency:copy-dependencies", "-DoutputDirectory="+lib)
	cmd.Dir = filepath.Dir(lib)
	cmd.WaitDelay = 5 * time.Second
	out, err := cmd.StdoutPipe()
	if err != nil {
		return fmt.Errorf("fetch jars: %w", err)
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("fetch jars: %w", err)
	}
	problems := s.follow(out)
	if err := cmd.Wait(); err != nil {
		if ctx.Err() != nil {
			return fmt.Errorf("fetch jars: %w", context.Cause(ctx))
		}
		problems = append(problems, stderr.String())
		return fmt.Errorf("fetch jars with Maven: %w: %s", err, strings.TrimSpace(strings.Join(problems, "\n")))
	}
	return nil
}

// arrived matches Maven's line about a jar that was loaded. What lies in
// Maven's local repository is copied at once, without a word.
var arrived = regexp.MustCompile(`Downloaded from [^ ]+: [^ ]*/([^/ ]+\.jar)`)

// follow reports Maven's progress and returns the first lines that it marked
// as errors.
func (s Set) follow(out io.Reader) []string {
	var problems []string
	seen := map[string]bool{}
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		line := lines.Text()
		if strings.Contains(line, "ERROR") && len(problems) < 5 {
			problems = append(problems, line)
		}
		m := arrived.FindStringSubmatch(line)
		if m == nil || seen[m[1]] || !s.wants(m[1]) {
			continue
		}
		seen[m[1]] = true
		if len(seen)%10 == 0 || len(seen) == len(s.Lock) {
			s.say(fmt.Sprintf("Maven fetches Neo4j's jars: %d of %d", len(seen), len(s.Lock)))
		}
	}
	// What is left after a line that is too long only has to be drained.
	_, _ = io.Copy(io.Discard, out)
	return slices.Clip(problems)
}

func (s Set) wants(name string) bool {
	_, ok := s.Lock[name]
	return ok || len(s.Lock) == 0
}

func (s Set) say(text string) {
	if s.Progress != nil {
		s.Progress(text)
	}
}

// replace puts a folder in the place of another that may be there, whose
// files a running server may still have open.
func replace(from, to, old string) error {
	if err := os.Rename(to, old); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("replace jars (stop the servers that use them): %w", err)
	}
	if err := os.Rename(from, to); err != nil {
		return fmt.Errorf("replace jars: %w", err)
	}
	return nil
}
