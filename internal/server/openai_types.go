package server

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// ChatRequest is a request for a chat completion, in the form of the OpenAI API. Other fields are ignored.
type ChatRequest struct {
	Model         string            `json:"model" doc:"neorag/CORPUS, or neorag/CORPUS:METHOD"`
	Messages      []ChatMessage     `json:"messages" doc:"The last message of the user is the question; the messages before it are the conversation"`
	Stream        bool              `json:"stream,omitempty"`
	StreamOptions ChatStreamOptions `json:"stream_options,omitzero"`
	N             int               `json:"n,omitempty" doc:"Only 1"`

	ResponseFormat ChatFormat `json:"response_format,omitzero" doc:"Read in requests for a title only"`

	_ struct{} `additionalProperties:"true"`
}

// ChatStreamOptions are options of a stream.
type ChatStreamOptions struct {
	IncludeUsage bool `json:"include_usage,omitempty" doc:"Whether the last chunk counts tokens"`

	_ struct{} `additionalProperties:"true"`
}

// A ChatFormat is the format of an answer.
type ChatFormat struct {
	Type string `json:"type,omitempty"`

	_ struct{} `additionalProperties:"true"`
}

// A ChatMessage is a message of a conversation.
type ChatMessage struct {
	Role    string      `json:"role" doc:"user or assistant; other messages are ignored"`
	Content ChatContent `json:"content,omitempty"`

	_ struct{} `additionalProperties:"true"`
}

// ChatContent is the text of a message: a string, or a list of parts.
type ChatContent string

// errNotText means that a message has an image or another part without text.
var errNotText = errors.New("a message has a part that is not text: only text can be answered")

// UnmarshalJSON reads a string or a list of parts, whose texts it joins.
func (c *ChatContent) UnmarshalJSON(b []byte) error {
	if len(b) > 0 && b[0] == '"' || string(b) == "null" {
		var s string
		err := json.Unmarshal(b, &s)
		*c = ChatContent(s)
		return err
	}
	var parts []struct{ Type, Text string }
	if err := json.Unmarshal(b, &parts); err != nil {
		return errors.New("the content of a message is neither a text nor a list of parts")
	}
	texts := make([]string, len(parts))
	for i, p := range parts {
		if p.Type != "text" {
			return errNotText
		}
		texts[i] = p.Text
	}
	*c = ChatContent(strings.Join(texts, "\n"))
	return nil
}

// Schema describes the two forms of a content.
func (ChatContent) Schema(huma.Registry) *huma.Schema {
	part := &huma.Schema{
		Type: huma.TypeObject, Required: []string{"type", "text"}, AdditionalProperties: true,
		Properties: map[string]*huma.Schema{"type": {Type: huma.TypeString, Enum: []any{"text"}}, "text": {Type: huma.TypeString}},
	}
	return &huma.Schema{OneOf: []*huma.Schema{{Type: huma.TypeString}, {Type: huma.TypeArray, Items: part}}}
}

// A ChatCompletion is an answer.
type ChatCompletion struct {
	ID      string       `json:"id"`
	Object  string       `json:"object" enum:"chat.completion"`
	Created int64        `json:"created"`
	Model   string       `json:"model"`
	Choices []ChatChoice `json:"choices" nullable:"false"`
	Usage   ChatUsage    `json:"usage"`
}

// A ChatChoice is the only answer of a completion.
type ChatChoice struct {
	Index        int        `json:"index"`
	Message      ChatAnswer `json:"message"`
	FinishReason string     `json:"finish_reason"`
}

// A ChatAnswer is the message with the answer.
type ChatAnswer struct {
	Role        string           `json:"role"`
	Content     string           `json:"content" doc:"The answer in Markdown, with a list of its sources"`
	Annotations []ChatAnnotation `json:"annotations" nullable:"false"`
}

// A ChatAnnotation is a source of an answer: the nth is the source [n].
type ChatAnnotation struct {
	Type     string       `json:"type" enum:"url_citation"`
	Citation ChatCitation `json:"url_citation"`
}

// A ChatCitation is where an answer cites a source for the first time, in characters of the content.
type ChatCitation struct {
	Start int    `json:"start_index"`
	End   int    `json:"end_index"`
	Title string `json:"title"`
	URL   string `json:"url"`
}

// ChatUsage is the number of tokens that models read and wrote.
type ChatUsage struct {
	Prompt     int64 `json:"prompt_tokens"`
	Completion int64 `json:"completion_tokens"`
	Total      int64 `json:"total_tokens"`
}

// A chatChunk is an event of a stream.
type chatChunk struct {
	ID      string        `json:"id"`
	Object  string        `json:"object"`
	Created int64         `json:"created"`
	Model   string        `json:"model"`
	Choices []chunkChoice `json:"choices"`
	Usage   *ChatUsage    `json:"usage,omitempty"`
}

type chunkChoice struct {
	Index        int       `json:"index"`
	Delta        chatDelta `json:"delta"`
	FinishReason *string   `json:"finish_reason"`
}

type chatDelta struct {
	Role        string           `json:"role,omitempty"`
	Content     string           `json:"content,omitempty"`
	Annotations []ChatAnnotation `json:"annotations,omitempty"`
}

// ChatModels is a list of models.
type ChatModels struct {
	Object string      `json:"object" enum:"list"`
	Data   []ChatModel `json:"data" nullable:"false"`
}

// A ChatModel is a corpus, as a model of the OpenAI API.
type ChatModel struct {
	ID      string `json:"id"`
	Object  string `json:"object" enum:"model"`
	Created int64  `json:"created"`
	OwnedBy string `json:"owned_by"`
}

// A ChatProblem is an error in the form of the OpenAI API.
type ChatProblem struct {
	Error ChatError `json:"error"`
}

// A ChatError says what is wrong.
type ChatError struct {
	Message string  `json:"message"`
	Type    string  `json:"type"`
	Param   *string `json:"param"`
	Code    string  `json:"code"`
}
