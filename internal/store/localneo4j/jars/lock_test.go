package jars

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/neorag/neorag/docker"
)

const small = "reactive-streams-1.0.4.jar"

func full(t *testing.T) Lock {
	t.Helper()
	lock, err := ParseLock(docker.Lock)
	if err != nil {
		t.Fatal(err)
	}
	return lock
}

// The pom and the lock file of each version agree.
func TestLockFilesNameTheVersions(t *testing.T) {
	t.Parallel()
	for _, r := range docker.Releases {
		lock, err := ParseLock(r.Lock)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"neo4j-" + r.Version + ".jar", "neo4j-browser-5.24.0.jar"} {
			if _, ok := lock[name]; !ok {
				t.Errorf("the lock file of %s lacks %s", r.Version, name)
			}
		}
		if len(lock) < 200 {
			t.Errorf("%s: %d jars", r.Version, len(lock))
		}
		pom := string(r.POM())
		if !strings.Contains(pom, "<version>"+r.Version+"</version>") {
			t.Errorf("the pom of %s names another version", r.Version)
		}
		if strings.Contains(pom, "<repositor") || strings.Contains(pom, "<pluginRepositor") {
			t.Error("the pom names a repository")
		}
		if string(lock.Format()) != string(r.Lock) {
			t.Errorf("the lock file of %s is not as Format writes it", r.Version)
		}
	}
}

func TestParseLockRefuses(t *testing.T) {
	sum := strings.Repeat("a", 64)
	for name, text := range map[string]string{
		"no sum":       "a.jar\n",
		"short sum":    "a.jar abc\n",
		"capital sum":  "a.jar " + strings.ToUpper(sum) + "\n",
		"not a jar":    "a.zip " + sum + "\n",
		"path":         "../a.jar " + sum + "\n",
		"twice":        "a.jar " + sum + "\na.jar " + sum + "\n",
		"three fields": "a.jar " + sum + " x\n",
	} {
		if got, err := ParseLock([]byte(text)); err == nil {
			t.Errorf("%s: ParseLock = %v, want an error", name, got)
		}
	}
}

func FuzzParseLock(f *testing.F) {
	f.Add(docker.Lock[:300])
	f.Add([]byte("a.jar " + strings.Repeat("0", 64)))
	f.Fuzz(func(t *testing.T, text []byte) {
		lock, err := ParseLock(text)
		if err != nil {
			return
		}
		again, err := ParseLock(lock.Format())
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(lock, again); diff != "" {
			t.Errorf("parsed, written and parsed again (-first +again):\n%s", diff)
		}
	})
}

// Exactly the jars that differ are named.
func TestCompareFindsEveryChange(t *testing.T) {
	lock := full(t)
	names := slices.Sorted(maps.Keys(lock))
	rapid.Check(t, func(t *rapid.T) {
		picked := rapid.SliceOfNDistinct(rapid.SampledFrom(names), 0, 6, rapid.ID[string]).Draw(t, "names")
		cut := rapid.IntRange(0, len(picked)).Draw(t, "cut")
		got, want := maps.Clone(lock), Diff{}
		for _, name := range picked[:cut] {
			delete(got, name)
			want.Missing = append(want.Missing, name)
		}
		for _, name := range picked[cut:] {
			got[name] = strings.Repeat("0", 64)
			want.Wrong = append(want.Wrong, name)
		}
		if rapid.Bool().Draw(t, "extra") {
			got["evil.jar"] = strings.Repeat("0", 64)
			want.Extra = []string{"evil.jar"}
		}
		slices.Sort(want.Missing)
		slices.Sort(want.Wrong)
		diff := lock.Compare(got)
		if d := cmp.Diff(want, diff); d != "" {
			t.Fatalf("Compare (-want +got):\n%s", d)
		}
		if diff.Empty() != (diff.String() == "") {
			t.Fatalf("empty %v, text %q", diff.Empty(), diff)
		}
	})
}
