//go:build unix

package localneo4j

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/neorag/neorag/internal/store/localneo4j/jars"
)

// recorder returns a program that appends its environment to a file, and that file.
func recorder(t *testing.T, name, output string) (program, record string) {
	t.Helper()
	dir := t.TempDir()
	program, record = filepath.Join(dir, name), filepath.Join(dir, "record")
	writeProgram(t, program, "env >>'"+record+"'\necho end >>'"+record+"'\necho '"+output+"'\n")
	return program, record
}

// TestChildrenSeeNoSecrets starts the programs that the server needs, with secrets in
// the environment of this process.
func TestChildrenSeeNoSecrets(t *testing.T) {
	secrets := []string{"MISTRAL_API_KEY", "OPENAI_API_KEY", "NEORAG_API_KEY", "NEO4J_PASSWORD", "AWS_SECRET_ACCESS_KEY", "GITHUB_TOKEN"}
	for _, name := range secrets {
		t.Setenv(name, "secret-of-"+name)
	}
	docker, dockerRecord := recorder(t, "docker", "")
	t.Setenv("PATH", filepath.Dir(docker)+string(filepath.ListSeparator)+os.Getenv("PATH"))
	java, javaRecord := recorder(t, "java", `openjdk version "17.0.2"`)
	maven, mavenRecord := recorder(t, "mvn", "")
	o, err := Options{Data: t.TempDir(), Java: java, HTTPPort: NoHTTP}.complete()
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, record, needs string
		start               func() error
	}{
		{"java -version", javaRecord, "PATH=", func() error { _, err := o.java(t.Context()); return err }},
		{"the server", javaRecord, "PATH=", func() error { _, err := o.spawn(t.Context(), javaRuntime{program: java}, "lib"); return err }},
		{"docker info", dockerRecord, "PATH=", func() error { return engine(t.Context()) }},
		// Compose itself needs the password of the server, which is not that of this process.
		{"docker compose", dockerRecord, "NEO4J_PASSWORD=own", func() error { return o.compose(t.Context(), o.composeEnv(1, 2, "own"), "up").Run() }},
		{"docker compose down", dockerRecord, "NEO4J_PASSWORD=unused-here", func() error { return o.downDocker(t.Context()) }},
		{"mvn", mavenRecord, "PATH=", func() error { return jars.Set{Maven: maven}.Fetch(t.Context(), filepath.Join(t.TempDir(), "lib")) }},
	} {
		_ = os.Remove(tt.record)
		if err := tt.start(); err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		text := ""
		for begin := time.Now(); !strings.HasSuffix(text, "end\n") && time.Since(begin) < 20*time.Second; time.Sleep(5 * time.Millisecond) {
			b, _ := os.ReadFile(tt.record)
			text = string(b)
		}
		if !strings.Contains(text, tt.needs) {
			t.Errorf("%s: the child has no %q:\n%s", tt.name, tt.needs, text)
		}
		if strings.Contains(text, "secret-of-") {
			t.Errorf("%s: the child has secrets:\n%s", tt.name, text)
		}
	}
}

// TestOnlyOurComposeFile checks that docker compose runs on our file, whatever is in
// the data folder.
func TestOnlyOurComposeFile(t *testing.T) {
	docker, record := recorder(t, "docker", "")
	script, err := os.ReadFile(docker)
	if err != nil {
		t.Fatal(err)
	}
	// The file after -f.
	writeProgram(t, docker, strings.Replace(string(script), "env >>", `cat "$5" >>`, 1))
	t.Setenv("PATH", filepath.Dir(docker)+string(filepath.ListSeparator)+os.Getenv("PATH"))
	data := t.TempDir()
	state := `{"uri": "bolt://` + loopback(1) + `", "password_file": "` + passwordPath(data) + `", "mode": "docker"}`
	for path, text := range map[string]string{composePath(data): "services: {planted: {}}\n", statePath(data): state, filepath.Join(data, ".env"): "COMPOSE_FILE=planted\n"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := Down(t.Context(), Options{Data: data}); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(record)
	if err != nil || strings.Contains(string(b), "planted") || !strings.Contains(string(b), "image: neo4j:") {
		t.Errorf("docker compose runs on %v:\n%s", err, b)
	}
}

// TestDataFolderOfOthers checks that a server does not run on a folder that others could
// have filled, and that its folder is for its owner only.
func TestDataFolderOfOthers(t *testing.T) {
	for _, tt := range []struct {
		mode  os.FileMode
		empty bool
		want  os.FileMode // 0 if refused
	}{
		{0o755, false, 0o700},
		{0o700, false, 0o700},
		{0o777, true, 0o700},
		{0o777, false, 0},
		{0o770, false, 0},
	} {
		data := t.TempDir()
		if !tt.empty {
			if err := os.WriteFile(filepath.Join(data, "file"), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.Chmod(data, tt.mode); err != nil {
			t.Fatal(err)
		}
		unlock, err := (Options{Data: data}).enter(t.Context())
		if err == nil {
			unlock()
		}
		info, serr := os.Stat(data)
		if serr != nil {
			t.Fatal(serr)
		}
		switch {
		case tt.want == 0 && (err == nil || !strings.Contains(err.Error(), "--data") || info.Mode().Perm() != tt.mode):
			t.Errorf("mode %04o: got %v, and now %04o", tt.mode, err, info.Mode().Perm())
		case tt.want != 0 && (err != nil || info.Mode().Perm() != tt.want):
			t.Errorf("mode %04o, empty %v: got %v, and now %04o, want %04o", tt.mode, tt.empty, err, info.Mode().Perm(), tt.want)
		}
	}
}
