package cli

import (
	"cmp"
	"fmt"
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
)

// make release sets these: the version, such as v0.2.0, the commit and its time.
var release, releaseCommit, releaseDate string

// development is the version of a program that was built from a checkout.
const development = "devel"

// released matches the versions of releases, and no pseudo-versions, which Go makes of commits.
var released = regexp.MustCompile(`^v\d+\.\d+\.\d+$`)

// A build is the shape of `version --json`.
type build struct {
	Version  string `json:"version"`            // of the release, or devel
	Commit   string `json:"commit,omitempty"`   // empty if it is not known
	Modified bool   `json:"modified,omitempty"` // files differed from the commit
	Date     string `json:"date,omitempty"`     // of the commit, as RFC 3339
	Go       string `json:"go"`
	Platform string `json:"platform"` // such as linux/amd64
}

// currentBuild returns the build of this program. Each command asks for it, some several times.
var currentBuild = sync.OnceValue(func() build {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	b := buildFrom(info)
	if release != "" {
		b.Version, b.Commit, b.Date, b.Modified = release, releaseCommit, releaseDate, false
	}
	return b
})

// buildFrom reads what Go recorded in a program: the version of the module if it was installed
// as a module, and the commit if it was built in a checkout.
func buildFrom(info *debug.BuildInfo) build {
	b := build{Version: development, Go: cmp.Or(info.GoVersion, runtime.Version()), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Commit = s.Value
		case "vcs.time":
			b.Date = s.Value
		case "vcs.modified":
			b.Modified = s.Value == "true"
		}
	}
	v := info.Main.Version
	if installed := b.Commit == "" && v != "" && v != "(devel)"; installed || released.MatchString(v) {
		b.Version = v
	}
	return b
}

// name returns the version of a release, and of other programs also the commit. Equal names
// mean the same code, unless files differed from the commit.
func (b build) name() string {
	if b.Version != development || b.Commit == "" {
		return b.Version
	}
	name := b.Version + " " + b.shortCommit()
	if b.Modified {
		name += "+changes"
	}
	return name
}

func (b build) shortCommit() string { return b.Commit[:min(12, len(b.Commit))] }

// String returns the line that `version` prints after the name of the program.
func (b build) String() string {
	var details []string
	if b.Version != development && b.Commit != "" {
		details = append(details, "commit "+b.shortCommit())
	}
	if day, _, ok := strings.Cut(b.Date, "T"); ok {
		details = append(details, day)
	}
	details = append(details, b.Go, b.Platform)
	return fmt.Sprintf("%s (%s)", b.name(), strings.Join(details, ", "))
}
