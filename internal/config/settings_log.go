package config

// Formats and levels of the log on stderr.
const (
	LogText  = "text"
	LogJSON  = "json"
	LogDebug = "debug"
	LogInfo  = "info"
	LogWarn  = "warn"
	LogError = "error"
)

// logSettings configure what is logged, and where.
func logSettings() []Setting {
	return inGroup(GroupOutput, []Setting{
		{
			Key:  Key{Name: "log.format", Default: one(LogText), Choices: []string{LogText, LogJSON}, Doc: "Format of progress, notes, warnings and errors on stderr: text, or json for one JSON object a line."},
			Flag: "log-format", Harmless: "the messages are the same", Usage: "write progress, notes, warnings and errors to stderr as `FORMAT`: text, or json for one JSON object a line",
		},
		{
			Key:  Key{Name: "log.level", Choices: []string{LogDebug, LogInfo, LogWarn, LogError}, Doc: "Least level of messages that are logged: debug, info, warn or error. Empty: warn, with --verbose debug;\nprogress, which has the level info, is logged too."},
			Flag: "log-level", Risk: Hides, Usage: "log messages from `LEVEL` on: debug, info, warn or error", DefaultText: "warn, and progress; with --verbose debug",
		},
		{
			Key:  Key{Name: "log.calls", Kind: Path, Doc: "File to which a line of JSON is appended for each call to a model: task, model, tokens, cost, time, error.\ndocs/json/calls.schema.json describes it. Empty: none."},
			Flag: "calls", Risk: Opens, Usage: "append a line of JSON to `FILE` for each call to a model: task, model, tokens, cost, time, error", DefaultText: "none",
		},
		{
			Key:  Key{Name: "log.calls_text", Kind: Switch, Default: one("false"), Doc: "true: these lines have the text of prompts and answers too."},
			Flag: "calls-text", Risk: Opens, Usage: "with --calls, include the text of prompts and answers",
		},
	})
}
