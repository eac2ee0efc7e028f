package localneo4j

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/neorag/neorag/docker"
	"github.com/neorag/neorag/internal/sys/userfile"
)

// ErrVersion is returned for a version of Neo4j that cannot be used.
var ErrVersion = errors.New("this version of Neo4j cannot be used")

func versionPath(data string) string { return filepath.Join(data, "neo4j-version") }

const maxVersionSize = 100

// release returns the release of the options, the default one for an unknown version.
func (o Options) release() docker.Release {
	i := slices.IndexFunc(docker.Releases, func(r docker.Release) bool { return r.Version == o.Version })
	return docker.Releases[max(i, 0)]
}

// withVersion decides which version runs: the one of the options, or else the one that wrote
// the data, or what replaced it. An older one cannot read the data.
func (o Options) withVersion() (Options, error) {
	wrote, err := o.wroteData()
	if err != nil {
		return o, err
	}
	versions := docker.Versions()
	if o.Version != "" && !slices.Contains(versions, o.Version) {
		return o, fmt.Errorf("%w: %q is none of the tested ones: %s", ErrVersion, o.Version, strings.Join(versions, ", "))
	}
	if wrote == "" {
		o.Version = cmp.Or(o.Version, docker.Version)
		return o, nil
	}
	next := slices.IndexFunc(versions, func(v string) bool { return compareVersions(v, wrote) >= 0 })
	switch {
	case next < 0:
		return o, fmt.Errorf("%w: the data in %s was written by Neo4j %s, which is newer than all that this neorag starts: upgrade neorag, or choose another folder with --data", ErrVersion, o.Data, wrote)
	case o.Version == "":
		o.Version = versions[next]
	case compareVersions(o.Version, wrote) < 0:
		return o, fmt.Errorf("%w: the data in %s was written by Neo4j %s, and the older %s cannot read it: leave out --neo4j-version, or choose another folder with --data", ErrVersion, o.Data, wrote, o.Version)
	}
	return o, nil
}

// wroteData returns the version that wrote the data last, "" if there is none.
func (o Options) wroteData() (string, error) {
	if !exists(databasesPath(o.Data)) && !exists(composePath(o.Data)) {
		return "", nil
	}
	b, err := userfile.ReadPrivate(versionPath(o.Data), maxVersionSize)
	if errors.Is(err, fs.ErrNotExist) { // versions are recorded since there are several
		return docker.Version, nil
	}
	if err != nil {
		return "", fmt.Errorf("read version of the data: %w", err)
	}
	version := strings.TrimSpace(string(b))
	if _, err := parseVersion(version); err != nil {
		return "", fmt.Errorf("read version of the data: %s is damaged: write the version of Neo4j that wrote the data into it: %w", versionPath(o.Data), err)
	}
	return version, nil
}

// recordVersion records the version before it starts, because it converts the data then.
func (o Options) recordVersion() error {
	return userfile.WritePrivate(versionPath(o.Data), []byte(o.release().Version+"\n"))
}

// compareVersions compares versions such as 5.26.30 and 2025.12.1 by their numbers.
func compareVersions(a, b string) int {
	x, _ := parseVersion(a)
	y, _ := parseVersion(b)
	return slices.Compare(x, y)
}

func parseVersion(text string) ([]int, error) {
	var numbers []int
	for part := range strings.SplitSeq(text, ".") {
		n, err := strconv.Atoi(part)
		if err != nil || n < 0 {
			return nil, fmt.Errorf("%q is not a version", text)
		}
		numbers = append(numbers, n)
	}
	return numbers, nil
}
