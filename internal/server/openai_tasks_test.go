package server

import (
	"net/http"
	"strings"
	"testing"

	"github.com/openai/openai-go"
	"github.com/openai/openai-go/shared"

	"github.com/neorag/neorag/internal/server/service"
	"github.com/neorag/neorag/internal/store/neo4jstore"
	"github.com/neorag/neorag/internal/testkit/neo4jtest"
)

// openWebUITask returns a prompt as Open WebUI makes it: a task, the form of the answer, and the conversation.
func openWebUITask(form string) string {
	return "### Task:\nDo something with the chat history.\n### Guidelines:\n- Be brief.\n### Output:\nJSON format: " + form +
		"\n### Chat History:\n<chat_history>\nUSER: Hello { \"no\": \"form\" }\nASSISTANT: Hello\nUSER: Who was the partner of Ebenezer Scrooge in London?\nASSISTANT: Jacob Marley\n[1]\n</chat_history>"
}

const libreChatTalk = "\n\nConversation:\nUser: Who was the partner of Ebenezer Scrooge in London?\nAI: Jacob Marley [1]"

// TestHiddenTasks sends what chat clients ask for themselves: it is answered in the form that they ask for, without a
// read from Neo4j. A question with the same words is a question.
func TestHiddenTasks(t *testing.T) {
	t.Parallel()
	conn := neo4jtest.Server(t)
	relay := neo4jtest.NewRelay(t, conn)
	store, err := neo4jstore.Open(t.Context(), neo4jstore.Config{URI: relay.URI(), Username: conn.User, Password: conn.Password})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = store.Close(t.Context()) }()
	address := start(t, Options{Version: "test", Service: service.New(service.Options{Store: store})})
	client := newSDK(address)
	trips := relay.Trips()
	structured := openai.ChatCompletionNewParamsResponseFormatUnion{OfJSONObject: &shared.ResponseFormatJSONObjectParam{}}
	for name, tt := range map[string]struct {
		prompt string
		format openai.ChatCompletionNewParamsResponseFormatUnion
		want   string
	}{
		"title":           {prompt: openWebUITask(`{ "title": "your concise title here" }`), want: `{"title":"Who was the partner of Ebenezer"}`},
		"tags":            {prompt: openWebUITask(`{ "tags": ["tag1", "tag2", "tag3"] }`), want: `{"tags":["Ebenezer Scrooge","London"]}`},
		"follow-ups":      {prompt: openWebUITask(`{ "follow_ups": ["Question 1?", "Question 2?"] }`), want: `{"follow_ups":[]}`},
		"queries":         {prompt: openWebUITask(`{ "queries": ["query1"] }. If none is needed: { "queries": [] }`), want: `{"queries":["Who was the partner of Ebenezer Scrooge in London?"]}`},
		"completion":      {prompt: openWebUITask(`{"text": "<your_completion>"}`), want: `{"text":""}`},
		"image":           {prompt: openWebUITask("\n{\n    \"prompt\": \"Your detailed description here.\"\n}"), want: `{"prompt":"Who was the partner of Ebenezer Scrooge in London?"}`},
		"no form":         {prompt: openWebUITask("only the title"), want: "Who was the partner of Ebenezer"},
		"form at the end": {prompt: openWebUITask("see below") + "\n### Output:\n{ \"title\": \"a title\" }", want: `{"title":"Who was the partner of Ebenezer"}`},
		"no conversation": {prompt: "### Task:\nTitle as { \"tags\": [\"tag\"] }\n<chat_history>\n</chat_history>", want: `{"tags":["General"]}`},
		"not closed":      {prompt: "### Task:\nTitle as { \"title\": \"a title\" }\n<chat_history>\nUSER: Where is it?", want: `{"title":"Where is it"}`},
		"LibreChat":       {prompt: libreChatTitles[0] + ", using title case conventions. Only return the title itself." + libreChatTalk, want: "Who was the partner of Ebenezer"},
		"LibreChat, structured": {
			prompt: libreChatTitles[1] + "\n1. The detected language of the conversation\n2. A concise title in the detected language" + libreChatTalk, format: structured,
			want: `{"language":"en","title":"Who was the partner of Ebenezer"}`,
		},
	} {
		ask := asked("neorag/any", tt.prompt)
		ask.ResponseFormat = tt.format
		got, err := client.Chat.Completions.New(t.Context(), ask)
		if err != nil || got.Choices[0].Message.Content != tt.want {
			t.Errorf("%s: %v %+v, want %s", name, err, got, tt.want)
		}
		stream := client.Chat.Completions.NewStreaming(t.Context(), ask)
		var text strings.Builder
		for stream.Next() {
			text.WriteString(stream.Current().Choices[0].Delta.Content)
		}
		if text.String() != tt.want || stream.Err() != nil {
			t.Errorf("%s: streamed %q, %v", name, text.String(), stream.Err())
		}
	}
	if after := relay.Trips(); after != trips {
		t.Errorf("%d round trips to Neo4j", after-trips)
	}
	for _, question := range []string{"What is the ### Task: of <chat_history>?", "### Task: who was Scrooge?", "Provide a title for the conversation"} {
		request(t, http.MethodPost, address+"/v1/chat/completions", `{"model":"neorag/any","messages":[{"role":"user","content":"`+question+`"}]}`, http.StatusNotFound, nil)
	}
	if relay.Trips() == trips {
		t.Error("questions are answered without a read")
	}
}
