package cli

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/internal/config"
)

// callFlags are flags of a single call, which are not settings.
var callFlags = strings.Fields("json quiet paths config yes verbose older-than max-size format part output answer file nodes rels " +
	"key checksum fresh-communities cypher max workers effort strict skip-bad csv write undo prefix explain dry-run max-cost again " +
	"raw confirmed chat history tree export level param limit timeout print list browser port no-open document after before type show revoke graph repair watch runs files follow private-addresses glob readmit low high no-sources passages upgrade overwrite sample sample-seed compare example-count aliases merge split")

// layerValues returns values of a setting for the file, the environment and a flag,
// each different from the layer below.
func layerValues(s config.Setting) [3]string {
	switch {
	case s.Kind == config.Switch:
		return [3]string{"true", "false", "true"}
	case s.Kind == config.Variable:
		return [3]string{"FILE_API_KEY", "ENV_API_KEY", "FLAG_API_KEY"}
	case s.Kind == config.Whole || s.Kind == config.Natural || s.Kind == config.Number:
		return [3]string{"31", "32", "33"}
	case s.Kind == config.Duration:
		return [3]string{"31s", "32s", "33s"}
	case s.Kind == config.Pairs:
		first := s.Choices[0]
		return [3]string{first + "=1s", first + "=2s", first + "=3s"} // as names of columns or durations
	case s.Kind == config.Parameters:
		return [3]string{"p=1", "p=2", "p=3"}
	case len(s.Choices) == 1:
		return [3]string{s.Choices[0], s.Choices[0], s.Choices[0]}
	case s.Choices != nil:
		return [3]string{s.Choices[1], s.Choices[0], s.Choices[1]}
	case s.Kind == config.Path:
		return [3]string{"/of/file", "/of/env", "/of/flag"}
	}
	return [3]string{"file", "env", "flag"}
}

// yamlOf returns a file that sets a key to a value.
func yamlOf(s config.Setting, value string) string {
	name, v, pair := strings.Cut(value, "=")
	switch {
	case pair:
		value = "{" + name + ": " + v + "}"
	case s.Kind == config.List:
		value = "[" + value + "]"
	}
	path := strings.Split(s.Name, ".")
	var b strings.Builder
	for depth, word := range path {
		fmt.Fprintf(&b, "%s%s:", strings.Repeat("  ", depth), word)
		if depth < len(path)-1 {
			b.WriteByte('\n')
		}
	}
	return b.String() + " " + value + "\n"
}

// testEnvironment returns an environment with these variables that discards output.
func testEnvironment(t *testing.T, variables map[string]string) *environment {
	t.Helper()
	return &environment{Env: Env{Stdout: io.Discard, Stderr: io.Discard, Dir: t.TempDir(), Getenv: func(name string) string { return variables[name] }}}
}

// flagValue runs a command up to its action, and returns the value of a flag there
// and that of its setting.
func flagValue(t *testing.T, s config.Setting, name string, variables map[string]string, flags ...string) (string, config.Value) {
	t.Helper()
	env := testEnvironment(t, variables)
	app := newApp(env)
	var text string
	app.Command(name).Action = func(cc *ucli.Context) error {
		text = fmt.Sprint(cc.Value(s.Flag))
		if list, ok := cc.Value(s.Flag).(ucli.StringSlice); ok {
			text = strings.Join(list.Value(), ",")
		}
		return nil
	}
	if err := app.RunContext(t.Context(), append([]string{"neorag", name}, flags...)); err != nil {
		t.Fatalf("%s %s %q: %v", s.Name, name, flags, err)
	}
	return text, env.settings.Get(s.Name)
}

// TestLayersOfSettings checks for every setting of every command that each layer
// wins over the lower ones, and that the command reads the result from its flag.
func TestLayersOfSettings(t *testing.T) {
	t.Parallel()
	tested := map[string]bool{}
	for _, cmd := range newApp(testEnvironment(t, nil)).Commands {
		for _, f := range cmd.Flags {
			s, known := config.ForFlag(cmd.Name, f.Names()[0])
			if !known {
				continue
			}
			tested[s.Name] = true
			v := layerValues(s)
			file := filepath.Join(t.TempDir(), "neorag.yaml")
			if err := os.WriteFile(file, []byte(yamlOf(s, v[0])), 0o600); err != nil {
				t.Fatal(err)
			}
			flag := "--" + s.Flag + "=" + v[2]
			none, env := map[string]string{}, map[string]string{s.Env[0]: v[1]}
			for _, tt := range []struct {
				want string
				from config.Origin
				env  map[string]string
				args []string
			}{
				{strings.Join(s.Default, ","), config.FromDefault, none, nil},
				{v[0], config.FromFile, none, []string{"--config", file}},
				{v[1], config.FromEnv, env, []string{"--config", file}},
				{v[2], config.FromFlag, env, []string{"--config", file, flag}},
			} {
				got, l := flagValue(t, s, cmd.Name, tt.env, tt.args...)
				depends := tt.from == config.FromDefault && len(s.Default) == 0
				if !depends && got != tt.want || l.Origin != tt.from || strings.Join(l.Items, ",") != tt.want {
					t.Errorf("%s of %s from %v: the flag is %q, the setting %q from %v, want %q", s.Name, cmd.Name, tt.from, got, l.Items, l.Origin, tt.want)
				}
			}
		}
	}
	for _, s := range config.Settings() {
		if s.Flag != "" && !tested[s.Name] {
			t.Errorf("no command has the flag --%s of %s", s.Flag, s.Name)
		}
	}
}

// TestFlagHelp checks that every flag is a setting or belongs to a single call, that
// its help has a group in the order of the help, and the default once.
func TestFlagHelp(t *testing.T) {
	t.Parallel()
	ofQueries := map[string]bool{}
	for _, p := range savedQueryParams() {
		ofQueries["cypher "+p.Name] = true
	}
	for _, cmd := range newApp(testEnvironment(t, nil)).Commands {
		for _, f := range cmd.Flags {
			s, known := config.ForFlag(cmd.Name, f.Names()[0])
			if !known && !strings.Contains(" "+strings.Join(callFlags, " ")+" ", " "+f.Names()[0]+" ") && !exceptFor(cmd.Name, f.Names()[0]) && !ofQueries[cmd.Name+" "+f.Names()[0]] {
				t.Errorf("--%s of %s: make it a setting or add it to callFlags", f.Names()[0], cmd.Name)
			}
			help := f.String()
			if group := groupOf(f); group != "" && group != "hidden" && !slices.Contains(helpGroups, group) {
				t.Errorf("%s: the group %q is not in helpGroups", help, group)
			}
			if n := strings.Count(help, "default"); n > 1 {
				t.Errorf("%s: it has the default %d times", help, n)
			}
			if known && s.DefaultText == "" && s.Kind != config.Switch && strings.Join(s.Default, "") != "" && !strings.Contains(strings.ReplaceAll(help, `"`, ""), "(default: "+strings.Join(s.Default, ", ")+")") {
				t.Errorf("%s: the default of %s is %q", help, s.Name, s.Default)
			}
		}
	}
}

// exceptFor reports whether a command's flag only shares its name with a setting.
func exceptFor(command, flag string) bool {
	return slices.ContainsFunc(config.Settings(), func(s config.Setting) bool { return s.Flag == flag && s.Except == command })
}
