package docker

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestDockerfile checks the image without building it: what it copies exists or is made by an
// earlier stage, Go is as new as go.mod demands, and the program runs without root.
func TestDockerfile(t *testing.T) {
	t.Parallel()
	root := ".."
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	text := read("docker/Dockerfile")
	var copied []string
	last := map[string]string{} // the last instruction of each kind
	for line := range strings.Lines(strings.ReplaceAll(text, "\\\n", "")) {
		kind, arguments, _ := strings.Cut(strings.TrimSpace(line), " ")
		last[kind] = arguments
		words := strings.Fields(arguments)
		if kind != "COPY" {
			continue
		}
		from, built := strings.CutPrefix(words[0], "--from=")
		if built {
			words = words[1:]
			if !strings.Contains(text, " AS "+from+"\n") {
				t.Errorf("COPY from the stage %s, which does not exist", from)
			}
		}
		for _, path := range words[:len(words)-1] {
			name, checkout := strings.CutPrefix(path, "/src/")
			switch {
			case built && !checkout:
				if !regexp.MustCompile(`RUN .*[=>]` + regexp.QuoteMeta(path) + `\b`).MatchString(text) {
					t.Errorf("COPY %s: no stage makes it", path)
				}
			default:
				if _, err := os.Stat(filepath.Join(root, name)); err != nil {
					t.Errorf("COPY %s: %v", path, err)
				}
			}
		}
		copied = append(copied, words[len(words)-1])
	}
	version := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindStringSubmatch(read("go.mod"))[1]
	if want := "golang:" + version + " "; !strings.Contains(text, want) {
		t.Errorf("the image of Go is not %s, the version in go.mod", want)
	}
	if program := strings.Trim(last["ENTRYPOINT"], `[]"`); !slices.Contains(copied, program) {
		t.Errorf("ENTRYPOINT %s is not copied into the image", program)
	}
	if user := last["USER"]; user != "65532:65532" {
		t.Errorf("USER is %q, want the number of nonroot, which Kubernetes can check", user)
	}
}
