package config

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestSettingsPage checks that docs/settings.md lists the settings.
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

const settingsHead = `# Settings

Precedence: flag, then environment variable, then ''neorag.yaml'', then default.
The file is the one in the working directory, or the one that ''--config'' or ''NEORAG_CONFIG'' names. ''neorag init'' writes a file with every key and its description; ''neorag doctor --json'' shows the values in effect and where each comes from.
All mistakes in the file are reported together, each with its line; the exit code is then 2.
An empty value means the default. In an environment variable, commas separate the items of a list; fields and parameters are ''name=value''.

API keys and passwords belong in environment variables only. ''api_key_env'' names such a variable, which ends in ''_API_KEY''.
''OPENAI_API_KEY'' is only sent to OpenAI, or to the server of ''OPENAI_BASE_URL''; ''NEORAG_API_KEY'' only to the server of ''NEORAG_BASE_URL'', or else of ''models.chat.base_url''.
Any other key is only sent to the server that it is configured with, even if a variable or a flag overrides the address.
''NEO4J_PASSWORD'' is the password of ''neo4j.uri''. ''neorag.yaml'' can redirect traffic: review one that you did not write before you run a command in its folder.

A task can have a separate model; ''TASK'' is %s. Its block ''models.TASK'' takes the same keys as ''models.chat'', and ''--model-TASK'' names another model for one run. In a variable the name is in capitals: ''NEORAG_MODEL_EXTRACT''.

| key | environment | flag | default |
|---|---|---|---|
`

// settingsPage returns docs/settings.md. The blocks of the tasks share their rows.
func settingsPage() string {
	var tasks []string
	for _, t := range Tasks() {
		tasks = append(tasks, "`"+t.Name+"`")
	}
	last := len(tasks) - 1
	var b strings.Builder
	fmt.Fprintf(&b, strings.ReplaceAll(settingsHead, "''", "`"), strings.Join(tasks[:last], ", ")+" or "+tasks[last])
	first := Tasks()[0].Name
	for _, s := range Settings() {
		name, env, flag := s.Name, slices.Clone(s.Env), s.Flag
		task := strings.Split(name, ".")
		if len(task) == 3 && slices.ContainsFunc(Tasks(), func(t Task) bool { return t.Name == task[1] }) {
			if task[1] != first {
				continue
			}
			name = strings.Replace(name, first, "TASK", 1)
			env[0] = strings.TrimSuffix(env[0], strings.ToUpper(first)) + "TASK"
			flag = strings.TrimSuffix(flag, first) + "TASK"
		}
		if s.Flag == "" {
			flag = ""
		} else {
			flag = "`--" + flag + "`"
		}
		value := s.DefaultText
		if value == "" {
			value = "`" + strings.Join(s.Default, ", ") + "`"
		}
		fmt.Fprintf(&b, "| `%s` | `%s` | %s | %s |\n", name, strings.Join(env, "`, `"), flag, value)
	}
	return b.String()
}
