package localneo4j

import (
	"os"
	"path/filepath"
	"testing"
)

func TestMemoryOfContainers(t *testing.T) {
	const meminfo = "MemTotal:        8192000 kB\nMemFree:          100 kB\n"
	for _, tt := range []struct {
		name  string
		files map[string]string
		want  int
	}{
		{"no groups", map[string]string{}, 8000},
		{"no limit", map[string]string{"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "max\n"}, 8000},
		{"a container", map[string]string{"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "1073741824\n"}, 1024},
		{"a group", map[string]string{"proc/self/cgroup": "0::/a/b\n", "sys/fs/cgroup/a/b/memory.max": "2147483648\n"}, 2048},
		{"a parent", map[string]string{"proc/self/cgroup": "0::/a/b\n", "sys/fs/cgroup/a/b/memory.max": "max\n", "sys/fs/cgroup/a/memory.max": "1073741824\n"}, 1024},
		{"more than there is", map[string]string{"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "1099511627776\n"}, 8000},
		{"version 1", map[string]string{"proc/self/cgroup": "5:cpu,memory:/a\n3:pids:/x\n", "sys/fs/cgroup/memory/a/memory.limit_in_bytes": "1073741824\n"}, 1024},
		{"version 1 without a limit", map[string]string{"proc/self/cgroup": "5:memory:/\n", "sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n"}, 8000},
	} {
		root := t.TempDir()
		tt.files["proc/meminfo"] = meminfo
		for path, text := range tt.files {
			path = filepath.Join(root, path)
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if got := memoryBelow(root); got != tt.want {
			t.Errorf("%s: %d MB, want %d", tt.name, got, tt.want)
		}
	}
	if got := memoryBelow(t.TempDir()); got != 0 {
		t.Errorf("without any file: %d MB, want 0", got)
	}
}
