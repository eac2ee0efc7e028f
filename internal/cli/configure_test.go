package cli

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	ucli "github.com/urfave/cli/v2"

	"github.com/neorag/neorag/internal/config"
)

// perCall are flags that say what one call does, and that no file can set.
var perCall = strings.Fields("json quiet config yes verbose older-than max-size format part output answer file nodes rels " +
	"key cypher max workers effort strict skip-bad csv write undo prefix explain dry-run max-cost again " +
	"chat history tree export level param limit timeout print list browser port no-open document after before type")

// values are three values of a setting that differ, and differ from its default.
func values(s setting) [3]string {
	switch {
	case s.Kind == config.Switch:
		no := strconv.FormatBool(s.inverse)
		yes := strconv.FormatBool(!s.inverse)
		return [3]string{yes, no, yes}
	case s.Kind == config.Variable:
		return [3]string{"FILE_API_KEY", "ENV_API_KEY", "FLAG_API_KEY"}
	case s.Kind == config.Whole || s.Kind == config.Natural || s.Kind == config.Number:
		return [3]string{"31", "32", "33"}
	case s.Kind == config.Pairs:
		return [3]string{"text=file", "text=env", "text=flag"}
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

// yamlOf is a file that gives a value to a key.
func yamlOf(s setting, value string) string {
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

// seen runs a command up to its action and gives what that sees of a setting.
func seen(t *testing.T, s setting, name string, env map[string]string, flags ...string) (string, layered) {
	t.Helper()
	var errs bytes.Buffer
	c := &command{env: Env{Stdout: &errs, Stderr: &errs, Dir: t.TempDir(), Getenv: func(name string) string { return env[name] }}}
	app := c.app()
	var saw string
	app.Command(name).Action = func(cc *ucli.Context) error {
		saw = fmt.Sprint(cc.Value(s.flag))
		if slice, ok := cc.Value(s.flag).(ucli.StringSlice); ok {
			saw = strings.Join(slice.Value(), ",")
		}
		if s.inverse {
			saw = strconv.FormatBool(saw != "true")
		}
		return nil
	}
	if err := app.RunContext(t.Context(), append([]string{"neorag", name}, flags...)); err != nil {
		t.Fatalf("%s %s %q: %v", s.Name, name, flags, err)
	}
	return saw, c.layers[s.Name]
}

// TestLayersOfSettings: each layer wins over the one before, for every setting
// of every command, and the last word is what the command sees.
func TestLayersOfSettings(t *testing.T) {
	t.Parallel()
	tested := map[string]bool{}
	for _, cmd := range (&command{env: Env{Getenv: func(string) string { return "" }}}).app().Commands {
		for _, f := range cmd.Flags {
			s, known := settingOf(cmd.Name, f.Names()[0])
			if !known {
				continue
			}
			tested[s.Name] = true
			v := values(s)
			file := filepath.Join(t.TempDir(), "neorag.yaml")
			if err := os.WriteFile(file, []byte(yamlOf(s, v[0])), 0o600); err != nil {
				t.Fatal(err)
			}
			flag := "--" + s.flag + "=" + v[2]
			if s.inverse {
				flag = "--" + s.flag + "=" + strconv.FormatBool(v[2] != "true")
			}
			none, env := map[string]string{}, map[string]string{s.env[0]: v[1]}
			for _, tt := range []struct {
				want string
				from origin
				env  map[string]string
				args []string
			}{
				{strings.Join(s.Default, ","), fromDefault, none, nil},
				{v[0], fromFile, none, []string{"--config", file}},
				{v[1], fromEnv, env, []string{"--config", file}},
				{v[2], fromFlag, env, []string{"--config", file, flag}},
			} {
				got, l := seen(t, s, cmd.Name, tt.env, tt.args...)
				depends := tt.from == fromDefault && len(s.Default) == 0
				if !depends && got != tt.want || l.from != tt.from || strings.Join(l.items, ",") != tt.want {
					t.Errorf("%s of %s from %v: the command sees %q, the layer is %q from %v, want %q", s.Name, cmd.Name, tt.from, got, l.items, l.from, tt.want)
				}
			}
		}
	}
	for _, s := range allSettings() {
		if !tested[s.Name] {
			t.Errorf("no command has the flag --%s of %s", s.flag, s.Name)
		}
	}
}

// TestFlags: every flag is a setting or belongs to one call, and says its default once.
func TestFlags(t *testing.T) {
	t.Parallel()
	ofQueries := map[string]bool{}
	for _, p := range exploreParams() {
		ofQueries["cypher "+p.Name] = true
	}
	for _, cmd := range (&command{env: Env{Getenv: func(string) string { return "" }}}).app().Commands {
		for _, f := range cmd.Flags {
			s, known := settingOf(cmd.Name, f.Names()[0])
			if !known && !strings.Contains(" "+strings.Join(perCall, " ")+" ", " "+f.Names()[0]+" ") && !notSettings[cmd.Name+" "+f.Names()[0]] && !ofQueries[cmd.Name+" "+f.Names()[0]] {
				t.Errorf("--%s of %s: make it a setting, or add it to perCall", f.Names()[0], cmd.Name)
			}
			help := f.String()
			if n := strings.Count(help, "default"); n > 1 {
				t.Errorf("%s: the default is said %d times", help, n)
			}
			if known && s.auto == "" && s.Kind != config.Switch && strings.Join(s.Default, "") != "" && !strings.Contains(strings.ReplaceAll(help, `"`, ""), "(default: "+strings.Join(s.Default, ", ")+")") {
				t.Errorf("%s: the default of %s is %q", help, s.Name, s.Default)
			}
		}
	}
}

// TestDefaultFile: the file of init gives every key its default and changes nothing.
func TestDefaultFile(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "neorag.yaml")
	c := &command{env: Env{Getenv: func(string) string { return "" }}}
	if err := writeNew(file, defaultFile(), false); err != nil {
		t.Fatal(err)
	}
	_, values, err := c.readFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range allSettings() {
		if diff := cmp.Diff(s.Default, values[s.Name].Items); diff != "" {
			t.Errorf("%s (-default +file):\n%s", s.Name, diff)
		}
	}
	if err := writeNew(file, "", false); err == nil {
		t.Error("a file was written over")
	}
	if err := writeNew(file, "corpus: a\n", true); err != nil {
		t.Error(err)
	}
	if body, err := os.ReadFile(file); err != nil || string(body) != "corpus: a\n" {
		t.Errorf("%q, %v", body, err)
	}
}

// TestSettingsPage holds docs/settings.md to the table.
func TestSettingsPage(t *testing.T) {
	t.Parallel()
	path := filepath.Join("..", "..", "docs", "settings.md")
	if os.Getenv("NEORAG_UPDATE") == "1" {
		if err := os.WriteFile(path, []byte(settingsPage()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(settingsPage(), string(got)); diff != "" {
		t.Errorf("run with NEORAG_UPDATE=1 (-want +got):\n%s", diff)
	}
}

func settingsPage() string {
	var b strings.Builder
	b.WriteString(`# Settings

A setting has its default, unless ` + "`neorag.yaml`" + ` gives another value, unless an environment variable does, unless a flag does.
The file is the one in the working directory, or that of ` + "`--config`" + ` or ` + "`NEORAG_CONFIG`" + `; ` + "`neorag init`" + ` writes one with every key and what it does, and ` + "`neorag doctor --json`" + ` shows what holds and where it comes from.
What is wrong in it is said at once, each with its line, and the exit code is 2.
An empty value stands for the default. Lists in a variable are parted by commas, fields and parameters are ` + "`name=value`" + `.

Keys and passwords stand in environment variables alone. ` + "`api_key_env`" + ` is the name of one and ends in ` + "`_API_KEY`" + `.
` + "`OPENAI_API_KEY`" + ` goes to OpenAI, or to the server of ` + "`OPENAI_BASE_URL`" + `; ` + "`NEORAG_API_KEY`" + ` to that of ` + "`NEORAG_BASE_URL`" + `, or else of ` + "`models.chat.base_url`" + `.
Another variable goes to the server beside which it is named, and not to one that a higher layer puts in its place.
` + "`NEO4J_PASSWORD`" + ` is the password of ` + "`neo4j.uri`" + `. A file of settings chooses servers: look at one that is not yours before you run a command beside it.

| key | environment | flag | default |
|---|---|---|---|
`)
	for _, s := range allSettings() {
		value := s.auto
		if value == "" {
			value = "`" + strings.Join(s.Default, ", ") + "`"
		}
		fmt.Fprintf(&b, "| `%s` | `%s` | `--%s` | %s |\n", s.Name, strings.Join(s.env, "`, `"), s.flag, value)
	}
	return b.String()
}
