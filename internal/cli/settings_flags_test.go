package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/internal/config"
	"github.com/neorag/neorag/internal/index"
	"github.com/neorag/neorag/internal/leiden"
	"github.com/neorag/neorag/internal/stage/chunk"
	"github.com/neorag/neorag/internal/stage/extract"
	"github.com/neorag/neorag/internal/stage/qcg"
	"github.com/neorag/neorag/internal/text/tokens"
)

// callFlags are flags of a single call, which are not settings.
var callFlags = strings.Fields("json quiet paths requested config yes verbose older-than max-size format part output answer file nodes rels " +
	"corpus weight key checksum fresh-communities cypher max workers effort strict skip-bad csv write undo prefix explain context dry-run max-cost again " +
	"raw max-memory confirmed chat history tree export level param limit timeout print list browser port no-open document after before type show revoke graph repair watch runs files follow private-addresses glob readmit low high no-sources passages upgrade overwrite sample sample-seed compare example-count aliases merge split check-model bom token queue ack-wait")

// layerValues returns values of a setting for the file, the environment and a flag,
// each different from the layer below.
func layerValues(s config.Setting) [3]string {
	switch {
	case s.Kind == config.Switch:
		return [3]string{"true", "false", "true"}
	case s.Kind == config.Variable:
		return [3]string{"FILE_API_KEY", "ENV_API_KEY", "FLAG_API_KEY"}
	case s.Kind == config.Whole || s.Kind == config.Number:
		return numbers(s)
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

// numbers returns three numbers within the bounds of a setting.
func numbers(s config.Setting) (out [3]string) {
	step := 1.0
	if s.Kind == config.Number {
		step = 0.5
	}
	for i := range out {
		out[i] = fmt.Sprint(max(s.Bounds.Min, 0) + float64(i)*step)
	}
	return out
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

// settingOf runs a command up to its action, and returns the value of a setting there.
func settingOf(t *testing.T, key, path string, variables map[string]string, flags ...string) (v config.Value, err error) {
	t.Helper()
	env := testEnvironment(t, variables)
	app := newApp(env)
	commandAt(app, path).Action = func(*ucli.Context) error {
		v = env.settings.Get(key)
		return nil
	}
	err = app.RunContext(t.Context(), slices.Concat([]string{"neorag"}, strings.Fields(path), flags))
	return v, err
}

// commandAt returns the command of a path such as "eval answer".
func commandAt(app *ucli.App, path string) *ucli.Command {
	cmd := &ucli.Command{Subcommands: app.Commands}
	for name := range strings.FieldsSeq(path) {
		cmd = cmd.Subcommands[slices.IndexFunc(cmd.Subcommands, func(c *ucli.Command) bool { return c.Name == name })]
	}
	return cmd
}

// settingsByCommand returns the settings of each command, by its path.
func settingsByCommand(t *testing.T) map[string][]config.Setting {
	t.Helper()
	out := map[string][]config.Setting{}
	var read func(path string, cmd *ucli.Command)
	read = func(path string, cmd *ucli.Command) {
		for _, sub := range cmd.Subcommands {
			read(strings.TrimSpace(path+" "+sub.Name), sub)
		}
		for _, f := range cmd.Flags {
			if f, ok := f.(settingFlag); ok {
				out[path] = append(out[path], config.Find(f.setting()))
			}
		}
	}
	read("", &ucli.Command{Subcommands: newApp(testEnvironment(t, nil)).Commands})
	return out
}

// writeSetting returns a file that sets a key to a value.
func writeSetting(t *testing.T, s config.Setting, value string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "neorag.yaml")
	if err := os.WriteFile(file, []byte(yamlOf(s, value)), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestLayersOfSettings checks that each layer of a setting wins over the lower ones, and that a flag
// does in every command that has it.
func TestLayersOfSettings(t *testing.T) {
	t.Parallel()
	tested := map[string]bool{}
	for path, settings := range settingsByCommand(t) {
		for _, s := range settings {
			v := layerValues(s)
			file := writeSetting(t, s, v[0])
			flag := "--" + s.Flag + "=" + v[2]
			none, env := map[string]string{}, map[string]string{s.Env[0]: v[1]}
			for _, tt := range []struct {
				want string
				from config.Origin
				env  map[string]string
				args []string
			}{
				{v[2], config.FromFlag, env, []string{"--config", file, flag}},
				{v[1], config.FromEnv, env, []string{"--config", file}},
				{v[0], config.FromFile, none, []string{"--config", file}},
				{strings.Join(s.Default, ","), config.FromDefault, none, nil},
			} {
				if tested[s.Name] && tt.from != config.FromFlag {
					continue
				}
				l, err := settingOf(t, s.Name, path, tt.env, tt.args...)
				if err != nil || l.Origin != tt.from || strings.Join(l.Items, ",") != tt.want {
					t.Errorf("%s of %s from %v: %v, the setting is %q from %v, want %q", s.Name, path, tt.from, err, l.Items, l.Origin, tt.want)
				}
			}
			tested[s.Name] = true
		}
	}
	for _, s := range config.Settings() {
		if s.Flag != "" && !tested[s.Name] {
			t.Errorf("no command has the flag --%s of %s", s.Flag, s.Name)
		}
	}
}

// wrongValues returns values that a setting refuses: numbers just outside its bounds, and a text that
// is neither a number nor one of its choices.
func wrongValues(s config.Setting) []string {
	var wrong []string
	if s.Bounds != nil {
		wrong = append(wrong, fmt.Sprint(math.Nextafter(s.Bounds.Min, -1e9)), "many", "NaN")
		if s.Kind == config.Whole {
			wrong[0] = strconv.Itoa(int(s.Bounds.Min) - 1)
		}
		if !math.IsInf(s.Bounds.Max, 1) {
			wrong = append(wrong, strconv.Itoa(int(s.Bounds.Max)+1))
		}
	}
	if s.Choices != nil && s.Kind != config.Pairs {
		wrong = append(wrong, "perhaps")
	}
	return wrong
}

// TestWrongValues checks for every setting with a flag that a value which it does not take is
// refused from each layer, before the command does anything, by the same words.
func TestWrongValues(t *testing.T) {
	t.Parallel()
	command := map[string]string{} // one that has the setting
	for path, settings := range settingsByCommand(t) {
		for _, s := range settings {
			command[s.Name] = max(command[s.Name], path)
		}
	}
	for _, s := range config.Settings() {
		if (s.Kind == config.Whole || s.Kind == config.Number) != (s.Bounds != nil) {
			t.Errorf("%s: a number has bounds, anything else has none", s.Name)
		}
		for _, value := range wrongValues(s) {
			why := s.Check(value).Error()
			for _, tt := range []struct {
				where string
				env   map[string]string
				flags []string
			}{
				{where: "--" + s.Flag, flags: []string{"--" + s.Flag + "=" + value}},
				{where: s.Env[0], env: map[string]string{s.Env[0]: value}},
				{where: config.FileName + ":", flags: []string{"--config", writeSetting(t, s, value)}},
			} {
				if s.Flag == "" && tt.where == "--" {
					continue
				}
				_, err := settingOf(t, s.Name, cmp.Or(command[s.Name], "status"), tt.env, tt.flags...)
				wrong, ok := errors.AsType[*userError](err)
				if !ok || wrong.code != exitUsage || !strings.Contains(err.Error(), tt.where) || !strings.Contains(err.Error(), why) {
					t.Errorf("%s from %s: %v, want %q", value, tt.where, err, why)
				}
			}
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
			setting, known := f.(settingFlag)
			if !known && !slices.Contains(callFlags, f.Names()[0]) && !ofQueries[cmd.Name+" "+f.Names()[0]] {
				t.Errorf("--%s of %s: make it a setting or add it to callFlags", f.Names()[0], cmd.Name)
			}
			help := f.String()
			if group := groupOf(f); group != "" && group != "hidden" && !slices.Contains(helpGroups, group) {
				t.Errorf("%s: the group %q is not in helpGroups", help, group)
			}
			if n := strings.Count(help, "default"); n > 1 {
				t.Errorf("%s: it has the default %d times", help, n)
			}
			if !known {
				continue
			}
			s := config.Find(setting.setting())
			if s.DefaultText == "" && s.Kind != config.Switch && strings.Join(s.Default, "") != "" && !strings.Contains(strings.ReplaceAll(help, `"`, ""), "(default: "+strings.Join(s.Default, ", ")+")") {
				t.Errorf("%s: the default of %s is %q", help, s.Name, s.Default)
			}
		}
	}
}

// TestDefinitionsMatchPackages checks that the settings and the packages that they configure agree on
// defaults, bounds and names.
func TestDefinitionsMatchPackages(t *testing.T) {
	t.Parallel()
	for key, want := range map[string]any{
		"clusters.max_size": leiden.DefaultMaxSize, "clusters.fresh_share": index.DefaultFreshShare,
		"extract.gleaning": extract.GleanList, "extract.claims": extract.ClaimsJoint, "chunk.boundary": chunk.Content, "chunk.encoding": tokens.O200k,
	} {
		if got := config.Find(key).Default; len(got) != 1 || got[0] != fmt.Sprint(want) {
			t.Errorf("the default of %s is %q, that of the package %v", key, got, want)
		}
	}
	if most := config.Find("queries.neighbours").Bounds.Max; most != qcg.MaxNeighbours {
		t.Errorf("queries.neighbours is at most %v, in the package %v", most, qcg.MaxNeighbours)
	}
	if diff := gocmp.Diff(index.Stages, config.Find("index.time_limits").Choices); diff != "" {
		t.Errorf("stages with a time limit (-package +setting):\n%s", diff)
	}
}
