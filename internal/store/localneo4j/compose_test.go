package localneo4j

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/google/go-cmp/cmp"

	"github.com/neorag/neorag/docker"
)

type composeFile struct {
	Services map[string]struct {
		Image       string            `yaml:"image"`
		Ports       []string          `yaml:"ports"`
		Environment map[string]string `yaml:"environment"`
		Volumes     []string          `yaml:"volumes"`
		Healthcheck struct {
			Test []string `yaml:"test"`
		} `yaml:"healthcheck"`
	} `yaml:"services"`
	Volumes map[string]any `yaml:"volumes"`
}

// Both ways to run the server use the same settings.
func TestComposeHasTheSettingsOfConf(t *testing.T) {
	for _, r := range docker.Releases {
		t.Run(r.Version, func(t *testing.T) { composeHasTheSettingsOfConf(t, r) })
	}
}

func composeHasTheSettingsOfConf(t *testing.T, r docker.Release) {
	t.Helper()
	var file composeFile
	if err := yaml.Unmarshal(r.Compose(), &file); err != nil {
		t.Fatal(err)
	}
	service := file.Services["neo4j"]
	if want := "neo4j:" + r.Version + "-community"; service.Image != want {
		t.Errorf("image = %q, want %q", service.Image, want)
	}
	for _, p := range service.Ports {
		if !strings.HasPrefix(p, "127.0.0.1:") {
			t.Errorf("port %q is not on the loopback interface only", p)
		}
	}
	if len(service.Healthcheck.Test) == 0 || len(file.Volumes) == 0 {
		t.Error("no health check or no named volume")
	}
	compose := map[string]string{}
	defaults := strings.NewReplacer("${NEORAG_FIRST_HEAP_MB:-1024}", "1024", "${NEORAG_HEAP_MB:-1024}", "1024", "${NEORAG_PAGECACHE_MB:-512}", "512")
	for name, value := range service.Environment {
		key, ok := strings.CutPrefix(name, "NEO4J_")
		if !ok || key == "AUTH" {
			continue
		}
		key = strings.ReplaceAll(strings.ReplaceAll(strings.ReplaceAll(key, "__", "\x00"), "_", "."), "\x00", "_")
		compose[key] = defaults.Replace(value)
	}
	o := Options{Data: t.TempDir(), Version: r.Version, Trusted: true}.sized(0)
	local := settings(o.conf(7687, 7474))
	// The network settings of a container differ.
	network := func(key, _ string) bool {
		return strings.Contains(key, "address") || strings.HasSuffix(key, ".enabled") && strings.HasPrefix(key, "server.")
	}
	maps.DeleteFunc(local, network)
	maps.DeleteFunc(compose, network)
	if diff := cmp.Diff(local, compose); diff != "" {
		t.Errorf("settings (-neo4j.conf +compose.yaml):\n%s", diff)
	}
}

func TestComposeCommand(t *testing.T) {
	o := Options{Data: t.TempDir(), HeapMB: 2048, PageCacheMB: 256}
	cmd := o.compose(t.Context(), o.composeEnv(7688, 7475, "secret"), "up", "-d", "--wait")
	project := cmd.Args[7]
	if !strings.HasPrefix(project, "neorag-") || len(project) != len("neorag-")+8 {
		t.Errorf("project = %q", project)
	}
	want := []string{"docker", "compose", "--env-file", os.DevNull, "-f", composePath(o.Data), "-p", project, "up", "-d", "--wait"}
	if diff := cmp.Diff(want, cmd.Args); diff != "" {
		t.Errorf("command (-want +got):\n%s", diff)
	}
	// Every variable that compose.yaml uses has a value.
	for _, v := range []string{"NEORAG_BOLT_PORT=7688", "NEORAG_HTTP_PORT=7475", "NEORAG_FIRST_HEAP_MB=1024", "NEORAG_HEAP_MB=2048", "NEORAG_PAGECACHE_MB=256", "NEO4J_PASSWORD=secret"} {
		if !slices.Contains(cmd.Env, v) {
			t.Errorf("environment lacks %s", v)
		}
		if name, _, _ := strings.Cut(v, "="); !strings.Contains(string(docker.Compose), "${"+name+":") {
			t.Errorf("compose.yaml does not use %s", name)
		}
	}
	other := Options{Data: t.TempDir()}
	if got := other.compose(t.Context(), nil, "ps").Args[7]; got == project {
		t.Errorf("two data folders share the project %s", got)
	}
}

// A data folder keeps the mode that made it.
func TestModeStaysWithTheData(t *testing.T) {
	o := Options{Data: t.TempDir()}
	if err := os.MkdirAll(filepath.Join(o.Data, "data", "databases"), 0o700); err != nil {
		t.Fatal(err)
	}
	if got, err := o.mode(t.Context()); got != Java || err != nil {
		t.Errorf("mode of data made by Java = %q, %v", got, err)
	}
	o.Mode = Docker
	if _, err := o.mode(t.Context()); err == nil || !strings.Contains(err.Error(), "--data") {
		t.Errorf("Docker on data made by Java = %v", err)
	}
	o = Options{Data: t.TempDir(), Mode: Java}
	if err := os.WriteFile(composePath(o.Data), docker.Compose, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := o.mode(t.Context()); err == nil || !strings.Contains(err.Error(), "made with docker") {
		t.Errorf("Java on data made with Docker = %v", err)
	}
}
