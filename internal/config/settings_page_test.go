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
''NEO4J_PASSWORD'' is the password for the server of ''NEO4J_URI'', if that is set, or else of ''neo4j.uri''; if ''--neo4j-uri'' names another server than ''NEO4J_URI'', it is not sent.
''NEORAG_SERVE_TOKEN'' is the token that [''neorag serve''](serve.md) asks for.
''NEORAG_QUEUE_TOKEN'' is the token for the ''--queue'' of [''neorag work''](work.md); for commands whose ''base_url'' is a queue, the key of that server is the token.

Without ''NEO4J_DATABASE'', commands use the home database of the user, which the server names when they connect; ''neorag doctor'' prints it, and whether it is read-only.
With ''bolt+s://'' and ''neo4j+s://'' the certificate of the server must be valid. If an authority of your own issued it, name the file with the certificate of the authority in the environment variable ''SSL_CERT_FILE'', which replaces the certificates of the system on Linux. ''bolt+ssc://'' and ''neo4j+ssc://'' accept any certificate.

## Trust

A ''neorag.yaml'' in the working directory may come from somebody else: with a clone, an archive, or a shared folder. Such a file could send your files, keys and passwords to another server.
It could also run a program, delete what you paid a model for, make more calls, leave out documents, or tell the model what to do. So a file that is found, not named with ''--config'' or ''NEORAG_CONFIG'', sets the keys with a reason in the last column of the table only after you trust it. The others are harmless. Until then commands list on stderr which keys they ignored and use the values of the other layers; a command that would then write to another Neo4j or corpus, send texts to another model, index files that ''source.ignore'' keeps out, or stop another server, stops.

- ''neorag trust --show'' shows these keys, their values and the files that they refer to, ''neorag trust'' records that you trust the file, and ''neorag trust --revoke'' ends that. ''neorag init'' trusts the file that it writes.
- The record holds a hash of the path and the content, and of each file that the settings have the program obey: the prompts, ''domain.json'' and the examples, and what ''source.ocr_command'' names in the folder of the file. After an edit of one of them, or a new one, no restricted setting counts, and commands name the file that changed: look at it, and run ''neorag trust'' again. A copy, a link to the file, and the file in a renamed folder need their own record.
- Records are in the folder ''trust'' of ''NEORAG_HOME'', or of ''neorag'' in your data folder. They do not count if other users may write there. Without ''NEORAG_HOME'' and ''HOME'' no file is trusted.
- Trust does not cover what a folder holds later: the server loads no plugins from a ''server.data'' that a file names, and does not start if that folder has other configuration or links. To use plugins, name the folder with ''--data'' or ''NEORAG_SERVER_DATA'', or use the default one. Model responses in a ''cache_dir'' that a file names are believed if nobody else can write there.
- In scripts, name the file with ''--config'', or use environment variables.

## Keys

A task can have a separate model; ''TASK'' is %s. Its block ''models.TASK'' takes the same keys as ''models.chat'', and ''--model-TASK'' names another model for one run. In a variable the name is in capitals: ''NEORAG_MODEL_EXTRACT''.

| key | environment | flag | default | needs trust because it |
|---|---|---|---|---|
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
		fmt.Fprintf(&b, "| `%s` | `%s` | %s | %s | %s |\n", name, strings.Join(env, "`, `"), flag, value, s.Risk)
	}
	return b.String()
}
