package server

import (
	"encoding/json"
	"regexp"
	"strings"

	"github.com/neorag/neorag/internal/text"
	"github.com/neorag/neorag/internal/text/language"
	"github.com/neorag/neorag/internal/text/textproc"
)

// After a question chat clients also ask for a title of the conversation, tags, next
// questions, queries of a web search. They are answered from the words of the question, without any search.

const (
	titleWords = 6
	maxTags    = 3
	maxTask    = 200 // characters of a title or a query
)

var (
	// Open WebUI shows the form of the answer by an example such as { "tags": ["tag1", "tag2"] }.
	taskForm = regexp.MustCompile(`\{\s*"(\w+)"\s*:\s*([["])`)
	// userLine begins a message of the user in a conversation as Open WebUI and LibreChat write it.
	userLine = regexp.MustCompile(`(?m)^(?:USER|User): `)
	// otherLine begins the message that follows it.
	otherLine = regexp.MustCompile(`(?m)^(?:ASSISTANT|AI): `)
)

// libreChatTitles are the beginnings of the prompts with which LibreChat asks for a title.
var libreChatTitles = []string{"Provide a concise, 5-word-or-less title for the conversation", "Analyze this conversation and provide:"}

// taskAnswer returns the answer to a request that a chat client makes for itself. It reports false for a question.
func taskAnswer(format ChatFormat, message string) (answer string, is bool) {
	if strings.HasPrefix(message, "### Task:") {
		form, conversation, ok := strings.Cut(message, "<chat_history>")
		if !ok {
			return "", false
		}
		conversation, rest, _ := cutLast(conversation, "</chat_history>")
		question := lastOfUser(conversation)
		for _, where := range []string{form, rest} {
			if m := taskForm.FindStringSubmatch(where); m != nil {
				return inForm(map[string]any{m[1]: taskValue(m[1], m[2] == "[", question)}), true
			}
		}
		return titleOfQuestion(question), true
	}
	for _, begin := range libreChatTitles {
		conversation, ok := strings.CutPrefix(message, begin)
		if !ok {
			continue
		}
		question := lastOfUser(conversation)
		if format.Type == "json_schema" || format.Type == "json_object" {
			return inForm(map[string]any{"title": titleOfQuestion(question), "language": language.Of(question)}), true
		}
		return titleOfQuestion(question), true
	}
	return "", false
}

// taskValue returns the value of a field of the answer to a request of Open WebUI.
func taskValue(field string, list bool, question string) any {
	switch {
	case field == "tags" && list:
		return tagsOf(question)
	case field == "queries" && list:
		return []string{text.Shorten(question, maxTask)}
	case list: // next questions, which only a search could find
		return []string{}
	case field == "text": // the end of a question that is being written
		return ""
	case field == "title":
		return titleOfQuestion(question)
	}
	return text.Shorten(question, maxTask)
}

func inForm(fields map[string]any) string {
	b, err := json.Marshal(fields)
	if err != nil {
		return "{}" // no value here fails
	}
	return string(b)
}

// lastOfUser returns the last message of the user in a conversation, on one line; the whole conversation if none
// is marked.
func lastOfUser(conversation string) string {
	if all := userLine.FindAllStringIndex(conversation, -1); len(all) > 0 {
		conversation = conversation[all[len(all)-1][1]:]
	}
	if at := otherLine.FindStringIndex(conversation); at != nil {
		conversation = conversation[:at[0]]
	}
	return text.OneLine(conversation)
}

// titleOfQuestion returns the first words of a question.
func titleOfQuestion(question string) string {
	words := strings.Fields(question)
	title := strings.Join(words[:min(titleWords, len(words))], " ")
	return text.Shorten(strings.TrimRight(title, "?!.,;: "), maxTask)
}

// tagsOf returns the names in a question. Open WebUI's prompt asks for General if there is too little text.
func tagsOf(question string) []string {
	tags := textproc.ReadQuestion(question).Names
	if len(tags) == 0 {
		return []string{"General"}
	}
	return tags[:min(maxTags, len(tags))]
}

// cutLast is strings.Cut at the last separator.
func cutLast(s, separator string) (before, after string, found bool) {
	if at := strings.LastIndex(s, separator); at >= 0 {
		return s[:at], s[at+len(separator):], true
	}
	return s, "", false
}
