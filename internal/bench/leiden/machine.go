package main

import (
	"fmt"
	"maps"
	"os"
	"runtime"
	"strings"
)

// thisMachine describes this machine. Systems other than Linux leave most fields zero.
func thisMachine() machine {
	m := machine{System: runtime.GOOS + "/" + runtime.GOARCH, Cores: runtime.NumCPU()}
	if body, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		m.CPU = field(string(body), "model name")
	}
	if body, err := os.ReadFile("/proc/meminfo"); err == nil {
		kib := 0.0
		if _, err := fmt.Sscan(field(string(body), "MemTotal"), &kib); err == nil {
			m.MemGB = kib * 1024 / 1e9
		}
	}
	if body, err := os.ReadFile("/proc/loadavg"); err == nil {
		_, _ = fmt.Sscan(string(body), &m.Loading) // 0 if it cannot be read
	}
	return m
}

// field returns the value of the first line "name: value", "" if there is none.
func field(body, name string) string {
	for line := range strings.Lines(body) {
		key, value, ok := strings.Cut(line, ":")
		if ok && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// versions returns the versions of Go and of the peers.
func versions(p python) map[string]string {
	v := maps.Clone(p.versions)
	delete(v, "numpy") // it only reads files
	v["Go"] = strings.TrimPrefix(runtime.Version(), "go")
	return v
}
