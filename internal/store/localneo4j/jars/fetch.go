package jars

import (
	"bufio"
	"bytes"
	"cmp"
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

	"github.com/neorag/neorag/internal/sys/childenv"
)

// ErrNoMaven is returned when jars are missing and there is no Maven to download
// them.
var ErrNoMaven = errors.New("no Maven")

// ErrMissing is returned when jars are missing or wrong and must not be downloaded.
var ErrMissing = errors.New("jars missing")

// Set is a folder of jars and what it must contain.
type Set struct {
	Dir      string // the folder; its parent holds temporary ones
	POM      []byte // the Maven project whose runtime dependencies fill it
	Lock     Lock
	Maven    string       // the program; "" is mvn on the path
	NoFetch  bool         // fail with ErrMissing instead of downloading
	Progress func(string) // may be nil
}

// Ensure checks every jar of the folder. If one differs from the lock file, Maven
// downloads all of them into a new folder, which replaces the old one. The caller
// keeps other processes out.
func (s Set) Ensure(ctx context.Context) error {
	diff, err := s.check(s.Dir)
	if err != nil || diff.Empty() {
		return err
	}
	if s.NoFetch {
		return fmt.Errorf("%w in %s: %s", ErrMissing, s.Dir, diff)
	}
	if len(diff.Wrong)+len(diff.Extra) > 0 {
		s.say("jars in " + s.Dir + " differ from the lock file: " + diff.String())
	}
	s.say(fmt.Sprintf("downloading %d jars with Maven, once for all servers", len(s.Lock)))
	if err := os.MkdirAll(filepath.Dir(s.Dir), 0o755); err != nil {
		return fmt.Errorf("create folder for jars: %w", err)
	}
	tmp, err := os.MkdirTemp(filepath.Dir(s.Dir), "fetch-")
	if err != nil {
		return fmt.Errorf("create folder for jars: %w", err)
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
		return fmt.Errorf("check jars: what Maven downloaded differs from the lock file (%s): "+
			"delete these jars in Maven's local repository and check the mirrors in its settings", diff)
	}
	return nil
}

// Fetch has Maven download the jars of the project to the folder lib, unchecked.
func (s Set) Fetch(ctx context.Context, lib string) error {
	program, err := exec.LookPath(cmp.Or(s.Maven, "mvn"))
	if err != nil {
		return fmt.Errorf("%w: Maven is needed once to download Neo4j's jars: install it (mvn), or Docker: %w", ErrNoMaven, err)
	}
	pom := filepath.Join(filepath.Dir(lib), "pom.xml")
	if err := os.WriteFile(pom, s.POM, 0o644); err != nil {
		return fmt.Errorf("fetch jars: %w", err)
	}
	cmd := exec.CommandContext(ctx, program, "-B", "-C", "-f", pom, "dependency:copy-dependencies", "-DoutputDirectory="+lib)
	cmd.Dir = filepath.Dir(lib)
	cmd.Env = childenv.Of(childenv.Maven)
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

// downloaded matches Maven's line about a jar that was downloaded. Maven prints nothing
// about jars that it copies from its local repository.
var downloaded = regexp.MustCompile(`Downloaded from [^ ]+: [^ ]*/([^/ ]+\.jar)`)

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
		m := downloaded.FindStringSubmatch(line)
		if m == nil || seen[m[1]] || !s.wants(m[1]) {
			continue
		}
		seen[m[1]] = true
		if len(seen)%10 == 0 || len(seen) == len(s.Lock) {
			s.say(fmt.Sprintf("downloading Neo4j's jars: %d of %d", len(seen), len(s.Lock)))
		}
	}
	// The scanner stops at a line that is too long; drain the rest.
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

// replace renames a folder to one that may exist, which is renamed to old first: a
// running server may still have its files open.
func replace(from, to, old string) error {
	if err := os.Rename(to, old); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("replace jars (stop the servers that use them): %w", err)
	}
	if err := os.Rename(from, to); err != nil {
		return fmt.Errorf("replace jars: %w", err)
	}
	return nil
}
