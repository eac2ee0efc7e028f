package openai

import (
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/neorag/neorag/internal/llm"
)

// rolesRefused matches what servers say if a model has no system role, or wants turns of user
// and assistant that alternate.
var rolesRefused = regexp.MustCompile(`(?i)(?:system|developer)[ _-]?(?:role|message|prompt|instruction)s?\W*(?:is |are |was )?(?:not|n't|unsupported|cannot|disabled)` +
	`|(?:not|n't) (?:currently )?(?:support|allow|accept|enable)\w* (?:\w+ )?\W*(?:system|developer)\b` +
	`|roles? must alternate|must alternate|alternat\w+ (?:between )?(?:user|roles)` +
	`|(?:only|expected) \W*user\W* and \W*(?:assistant|model)\W*|(?:unsupported|invalid|unknown|unexpected) (?:message )?role|valid role|role .{0,30}(?:not supported|not allowed|is invalid)` +
	`|(?:first|start|begin)\w* .{0,30}\buser\b|length of messages must be|number of messages must be odd`)

// refusesRoles reports whether a refusal is about the roles of messages. Templates of local
// servers fail with status 500.
func refusesRoles(status int, said errorDetails) bool {
	switch status {
	case http.StatusBadRequest, http.StatusUnprocessableEntity, http.StatusInternalServerError:
		return rolesRefused.MatchString(said.Message)
	}
	return false
}

// hasRoles reports whether messages have more than one role.
func hasRoles(messages []llm.Message) bool {
	return slices.ContainsFunc(messages, func(m llm.Message) bool { return m.Role != "user" }) || len(messages) > 1
}

// oneMessage returns messages as one of the user: the text of the system first, then the turns,
// which are labelled if there are several.
func oneMessage(messages []llm.Message) []llm.Message {
	turns := 0
	for _, m := range messages {
		if m.Role != "system" {
			turns++
		}
	}
	var system, rest []string
	for _, m := range messages {
		switch {
		case m.Role == "system":
			system = append(system, m.Content)
		case turns == 1:
			rest = append(rest, m.Content)
		case m.Role == "assistant":
			rest = append(rest, "Assistant:\n"+m.Content)
		default:
			rest = append(rest, "User:\n"+m.Content)
		}
	}
	return []llm.Message{{Role: "user", Content: strings.Join(append(system, rest...), "\n\n")}}
}
