package openai

import "strings"

// knownContexts are the contexts of models that their makers host, by the beginning of their
// names, as of November 2025. Of several that match, the longest counts. A
// model that anybody can host has the context of its server, which is asked.
var knownContexts = map[string]int{
	"gpt-3.5-turbo":     16_385,
	"gpt-4":             8_192,
	"gpt-4-turbo":       128_000,
	"gpt-4-1106":        128_000,
	"gpt-4-0125":        128_000,
	"gpt-4-32k":         32_768,
	"gpt-4o":            128_000,
	"gpt-4.1":           1_000_000,
	"gpt-4.5":           128_000,
	"gpt-5":             128_000, // gpt-5-chat; others 400,000
	"o1":                128_000,
	"o3":                200_000,
	"o4-mini":           200_000,
	"chatgpt-4o":        128_000,
	"claude-":           200_000,
	"claude-2.0":        100_000,
	"claude-instant":    100_000,
	"gemini-1.5":        1_000_000,
	"gemini-2":          1_000_000,
	"gemini-3":          1_000_000,
	"gemini-1.0":        32_000,
	"deepseek-chat":     64_000,
	"deepseek-reasoner": 64_000,
	"grok-":             128_000,
	"command-a":         256_000,
	"command-r":         128_000,
	"sonar":             127_000,
}

// knownContext returns the context of a model by its name, which may begin with the name of
// its maker, as in openai/gpt-4o; 0 if it is not known.
func knownContext(model string) int {
	name := strings.ToLower(model[strings.LastIndexByte(model, '/')+1:])
	best, context := "", 0
	for prefix, n := range knownContexts {
		if strings.HasPrefix(name, prefix) && len(prefix) > len(best) {
			best, context = prefix, n
		}
	}
	return context
}
