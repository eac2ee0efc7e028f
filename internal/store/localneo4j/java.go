package localneo4j

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/neorag/neorag/internal/store/localneo4j/jars"
	"github.com/neorag/neorag/internal/sys/childenv"
)

// On supported releases of Java from vectorJava, Lucene computes distances of vectors with
// SIMD instructions if vectorModule is loaded, which small runtimes lack.
const (
	vectorJava   = 21
	vectorModule = "--add-modules=jdk.incubator.vector"
)

const (
	homeFlag   = "--home-dir="
	configFlag = "--config-dir="
)

var javaVersion = regexp.MustCompile(`version "(\d+)(?:\.(\d+))?`)

// A javaRuntime is a Java program that runs Neo4j.
type javaRuntime struct {
	program string
	release int
	simd    bool // it has vectorModule
}

// java finds the Java program, and checks its release.
func (o Options) java(ctx context.Context) (javaRuntime, error) {
	neo4j := o.release()
	advice := fmt.Sprintf("Neo4j %s needs Java %s (for example OpenJDK %d), or Docker: install one of them, or set JAVA_HOME", neo4j.Version, neo4j.Javas, neo4j.Java)
	program, err := exec.LookPath(cmp.Or(o.Java, "java"))
	if err != nil {
		return javaRuntime{}, fmt.Errorf("%w: %s: %w", ErrNoJava, advice, err)
	}
	ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	version := func(flags ...string) ([]byte, error) {
		cmd := exec.CommandContext(ctx, program, append(flags, "-version")...)
		cmd.Env = childenv.Of(childenv.Java)
		return cmd.CombinedOutput()
	}
	out, err := version()
	if err != nil {
		return javaRuntime{}, fmt.Errorf("%w: %s -version: %w: %s", ErrNoJava, program, err, strings.TrimSpace(string(out)))
	}
	release, err := javaRelease(string(out))
	if err != nil {
		return javaRuntime{}, fmt.Errorf("%w: %s: %w", ErrNoJava, program, err)
	}
	if release < neo4j.Java {
		return javaRuntime{}, fmt.Errorf("%w: %s is Java %d: %s", ErrNoJava, program, release, advice)
	}
	r := javaRuntime{program: program, release: release}
	if release >= vectorJava {
		_, err := version(vectorModule)
		r.simd = err == nil
	}
	return r, nil
}

// javaRelease parses the release out of what java -version prints: 8 for
// "1.8.0_402", 17 for "17.0.15".
func javaRelease(text string) (int, error) {
	m := javaVersion.FindStringSubmatch(text)
	if m == nil {
		return 0, fmt.Errorf("no version in %q", text)
	}
	if m[1] == "1" && m[2] != "" {
		return strconv.Atoi(m[2])
	}
	return strconv.Atoi(m[1])
}

// jars makes sure that the server's jars are complete, and returns their folder.
func (o Options) jars(ctx context.Context) (string, error) {
	neo4j := o.release()
	lock, err := jars.ParseLock(neo4j.Lock)
	if err != nil {
		return "", err
	}
	home := filepath.Join(o.Cache, "neo4j-"+neo4j.Version)
	lib := filepath.Join(home, "lib")
	if !o.NoFetch {
		if err := os.MkdirAll(home, 0o755); err != nil {
			return "", fmt.Errorf("create folder for jars: %w", err)
		}
		unlock, err := o.lock(ctx, filepath.Join(home, "lock"), "another command that downloads Neo4j's jars")
		if err != nil {
			return "", err
		}
		defer unlock()
	}
	set := jars.Set{Dir: lib, POM: neo4j.POM(), Lock: lock, Maven: o.Maven, NoFetch: o.NoFetch, Progress: o.Progress}
	return lib, set.Ensure(ctx)
}

// arguments returns the server's command line after the program, with SIMD instructions or
// without.
func (o Options) arguments(lib string, simd bool) []string {
	// The checked jars come first, so that no plugin replaces a class of theirs.
	classes := []string{filepath.Join(lib, "*")}
	if o.Trusted {
		classes = append(classes, filepath.Join(o.pluginsPath(), "*"))
	}
	args := []string{
		fmt.Sprintf("-Xms%dm", o.firstHeapMB()),
		fmt.Sprintf("-Xmx%dm", o.HeapMB),
		"-XX:+ExitOnOutOfMemoryError",
		"-Dfile.encoding=UTF-8",
		"-Djava.awt.headless=true",
	}
	if o.Throwaway {
		args = append(args, "-XX:+UseSerialGC", "-XX:ReservedCodeCacheSize=240m", "-XX:-UsePerfData")
		if !o.Measured {
			// They run for seconds or minutes: let the second compiler begin late, and skip
			// the verification of jars that were checked by their hash.
			args = append(args, "-XX:Tier4InvocationThreshold=25000", "-XX:Tier4MinInvocationThreshold=3000",
				"-XX:Tier4CompileThreshold=75000", "-XX:Tier4BackEdgeThreshold=200000",
				"-XX:+UnlockDiagnosticVMOptions", "-XX:-BytecodeVerificationRemote")
		}
	} else {
		args = append(args, "-XX:+UseG1GC")
	}
	if simd {
		args = append(args, vectorModule)
	}
	return append(args,
		"-cp", strings.Join(classes, string(filepath.ListSeparator)),
		o.release().Class,
		homeFlag+o.Data, configFlag+filepath.Join(o.Data, "conf"), "--console-mode")
}

// upJava starts a server and waits until it responds. Another program may take a
// free port before the server listens on it; then others are tried.
func (o Options) upJava(ctx context.Context) (state, error) {
	java, err := o.java(ctx)
	if err != nil {
		return state{}, err
	}
	lib, err := o.jars(ctx)
	if err != nil {
		return state{}, err
	}
	o.say("starting Neo4j " + o.release().Version + " with Java")
	for try := 1; ; try++ {
		fresh := !exists(databasesPath(o.Data))
		st, err := o.spawn(ctx, java, lib)
		if err == nil {
			st, err = o.await(ctx, st)
		}
		if err == nil {
			return st, nil
		}
		if st.PID > 0 {
			err = errors.Join(err, o.abandon(ctx, st))
			if fresh && !st.Ready && !st.alive() {
				err = errors.Join(err, o.discard())
			}
		}
		free := o.BoltPort == 0 && (o.HTTPPort == 0 || o.HTTPPort == NoHTTP)
		if !free || try == 3 || !errors.Is(err, ErrPortInUse) {
			return state{}, err
		}
	}
}

// abandon stops a server whose start failed, and removes its state.
func (o Options) abandon(ctx context.Context, st state) error {
	if st.alive() {
		if err := o.stop(context.WithoutCancel(ctx), st, stopPatience); err != nil {
			return err
		}
	}
	reap(st.PID)
	return removeState(o.Data)
}

// discard removes the databases of a first start that failed. Where Neo4j was stopped
// between creating a database and its transaction log, such as by a full disk, it would
// refuse to start on them. A server that has logged its start keeps them: it may have been
// used.
func (o Options) discard() error {
	if strings.Contains(readTail(consolePath(o.Data)), startedSign) {
		return nil
	}
	err := errors.Join(os.RemoveAll(databasesPath(o.Data)), os.RemoveAll(filepath.Join(o.Data, "data", "transactions")))
	if err != nil {
		return fmt.Errorf("remove databases of the failed start: %w", err)
	}
	return nil
}
