package conversation_test

import (
	"fmt"

	"github.com/neorag/neorag/internal/query/conversation"
)

func ExampleCondense() {
	history := []conversation.Turn{{Question: "Who is Scrooge?", Answer: "A miser of London, once the partner of Jacob Marley [1]."}}
	for _, question := range []string{"And his nephew?", "Where did he live?", "What about Marley?", "Why?"} {
		fmt.Println(conversation.Condense(question, history))
	}
	// Output:
	// Who is Scrooge's nephew?
	// Where did Scrooge live?
	// Who is Marley?
	// Who is Scrooge, and why?
}
