package jars

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/internal/testkit/testcorpora"
)

// project is a Maven project with one small jar of the lock file.
const project = `<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
<groupId>x</groupId><artifactId>x</artifactId><version>1</version><packaging>pom</packaging>
<dependencies><dependency><groupId>org.reactivestreams</groupId><artifactId>reactive-streams</artifactId><version>1.0.4</version></dependency></dependencies>
<build><pluginManagement><plugins><plugin><groupId>org.apache.maven.plugins</groupId><artifactId>maven-dependency-plugin</artifactId><version>3.8.1</version></plugin></plugins></pluginManagement></build>
</project>`

func TestEnsureWithoutFetching(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, small), []byte("not a jar"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "zipfstmp1.tmp"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	// It is listed but does not exist, like a file that is deleted in the meantime.
	if err := os.Symlink(filepath.Join(dir, "nowhere"), filepath.Join(dir, "other.jar")); err != nil {
		t.Fatal(err)
	}
	lock := Lock{small: full(t)[small], "other.jar": strings.Repeat("0", 64)}
	err := Set{Dir: dir, Lock: lock, NoFetch: true}.Ensure(t.Context())
	want := "wrong hash: " + small + "; missing: other.jar"
	if !errors.Is(err, ErrMissing) || !strings.Contains(err.Error(), want) {
		t.Errorf("Ensure = %v, want %q", err, want)
	}
	err = Set{Dir: dir, Lock: lock, Maven: "/nowhere/mvn"}.Ensure(t.Context())
	if !errors.Is(err, ErrNoMaven) || !strings.Contains(err.Error(), "install it") {
		t.Errorf("Ensure without Maven = %v", err)
	}
}

func TestFollow(t *testing.T) {
	var said []string
	set := Set{Lock: Lock{"a-1.jar": "", "b-2.jar": ""}, Progress: func(s string) { said = append(said, s) }}
	const at = "[INFO] Downloaded from mirror: https://repo.example/maven2/x/"
	problems := set.follow(strings.NewReader(strings.Join([]string{
		"[INFO] Downloading from mirror: https://repo.example/maven2/x/a-1.jar",
		at + "a-1.jar (25 kB at 4.1 MB/s)",
		at + "a-1.jar (25 kB at 4.1 MB/s)",
		at + "maven-plugin-3.jar (25 kB at 4.1 MB/s)",
		"[ERROR] no route to host",
		at + "b-2.jar (25 kB at 4.1 MB/s)",
	}, "\n")))
	if diff := cmp.Diff([]string{"downloading Neo4j's jars: 2 of 2"}, said); diff != "" {
		t.Errorf("progress (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"[ERROR] no route to host"}, problems); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}

func TestEnsureFetches(t *testing.T) {
	if _, err := exec.LookPath("mvn"); err != nil {
		testcorpora.Missing(t, "maven", "install mvn")
	}
	cache := t.TempDir()
	var said []string
	set := Set{
		Dir: filepath.Join(cache, "lib"), POM: []byte(project),
		Progress: func(s string) { said = append(said, s) },
	}
	set.Lock = Lock{small: strings.Repeat("0", 64)}
	err := set.Ensure(t.Context())
	if err != nil && !strings.Contains(err.Error(), "lock file") {
		testcorpora.Missing(t, "maven", "it could not fetch a jar: "+err.Error())
	}
	if err == nil || !strings.Contains(err.Error(), small) {
		t.Errorf("Ensure with another lock file = %v, want the jar named", err)
	}
	if left, err := os.ReadDir(cache); err != nil || len(left) != 0 {
		t.Errorf("left in the cache after a failure: %v, %v", left, err)
	}

	set.Lock = Lock{small: full(t)[small]}
	if err := os.Mkdir(set.Dir, 0o755); err != nil {
		t.Fatal(err)
	}
	jar := filepath.Join(set.Dir, small)
	if err := os.WriteFile(jar, []byte("damaged"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := set.Ensure(t.Context()); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(strings.Join(said, "\n"), small) {
		t.Errorf("the damaged jar is not named in %q", said)
	}
	before, err := os.Stat(jar)
	if err != nil {
		t.Fatal(err)
	}
	if err := set.Ensure(t.Context()); err != nil {
		t.Fatal(err)
	}
	if after, err := os.Stat(jar); err != nil || !os.SameFile(before, after) {
		t.Errorf("good jars were downloaded again: %v", err)
	}
	if left, err := os.ReadDir(cache); err != nil || len(left) != 1 {
		t.Errorf("left in the cache: %v, %v", left, err)
	}
}
