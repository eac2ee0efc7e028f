package cli

import (
	"runtime"
	"runtime/debug"
	"testing"
)

func TestBuild(t *testing.T) {
	t.Parallel()
	const commit = "0123456789abcdef0123456789abcdef01234567"
	checkout := func(modified string) []debug.BuildSetting {
		return []debug.BuildSetting{{Key: "vcs.revision", Value: commit}, {Key: "vcs.time", Value: "2026-05-01T10:00:00Z"}, {Key: "vcs.modified", Value: modified}}
	}
	platform := runtime.GOOS + "/" + runtime.GOARCH
	for _, c := range []struct {
		what     string
		version  string
		settings []debug.BuildSetting
		name     string
		line     string
	}{
		{"installed as a module", "v0.3.0", nil, "v0.3.0", "v0.3.0 (go1.26.8, " + platform + ")"},
		{"installed at a commit", "v0.3.1-0.20260501100000-0123456789ab", nil, "v0.3.1-0.20260501100000-0123456789ab", "v0.3.1-0.20260501100000-0123456789ab (go1.26.8, " + platform + ")"},
		{"checkout of a release", "v0.3.0", checkout("false"), "v0.3.0", "v0.3.0 (commit 0123456789ab, 2026-05-01, go1.26.8, " + platform + ")"},
		{"checkout", "v0.3.1-0.20260501100000-0123456789ab", checkout("false"), "devel 0123456789ab", "devel 0123456789ab (2026-05-01, go1.26.8, " + platform + ")"},
		{"changed checkout of a release", "v0.3.0+dirty", checkout("true"), "devel 0123456789ab+changes", "devel 0123456789ab+changes (2026-05-01, go1.26.8, " + platform + ")"},
		{"files without a repository", "(devel)", nil, "devel", "devel (go1.26.8, " + platform + ")"},
		{"tests", "", nil, "devel", "devel (go1.26.8, " + platform + ")"},
	} {
		b := buildFrom(&debug.BuildInfo{GoVersion: "go1.26.8", Main: debug.Module{Version: c.version}, Settings: c.settings})
		if b.name() != c.name || b.String() != c.line {
			t.Errorf("%s: name and line are\n%s\n%s\nwant\n%s\n%s", c.what, b.name(), b, c.name, c.line)
		}
	}
}
