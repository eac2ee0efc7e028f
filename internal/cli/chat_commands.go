package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/sys/userfile"
	"github.com/neorag/neorag/internal/text"
	"github.com/neorag/neorag/internal/text/sanitize"
)

// chatCommands are the commands of a conversation, in the order of /help.
var chatCommands = []struct{ name, argument, help string }{
	{"/method", "NAME", "switch to another query method; without a name, list them"},
	{"/level", "L", "read the reports of another community level: a number, C0 to C3, root or leaf"},
	{"/trace", "N", "show the source text of reference N of the last answer"},
	{"/save", "FILE", "write the conversation to a new Markdown file"},
	{"/new", "", "forget the conversation and start a new one"},
	{"/help", "", "list the commands"},
	{"/quit", "", "exit, as Ctrl-D does"},
}

func chatCommandNames() []string {
	names := make([]string, len(chatCommands))
	for i, c := range chatCommands {
		names[i] = c.name
	}
	return names
}

// completeChatLine completes the name of a command or of a method as far as it is
// unambiguous.
func completeChatLine(line string) string {
	candidates := chatCommandNames()
	if strings.HasPrefix(line, "/method ") {
		candidates = nil
		for _, name := range query.MethodNames() {
			candidates = append(candidates, "/method "+name)
		}
	}
	var matches []string
	for _, c := range candidates {
		if strings.HasPrefix(c, line) {
			matches = append(matches, c)
		}
	}
	if line == "" || len(matches) == 0 {
		return line
	}
	common := matches[0]
	for _, m := range matches[1:] {
		for !strings.HasPrefix(m, common) {
			common = common[:len(common)-1]
		}
	}
	if len(matches) == 1 && !strings.Contains(line, " ") && common != "/help" && common != "/quit" && common != "/new" {
		common += " "
	}
	return common
}

// command runs a line that begins with a slash.
func (ch *chat) command(ctx context.Context, line string) error {
	name, argument, _ := strings.Cut(line, " ")
	argument = strings.TrimSpace(argument)
	switch name {
	case "/help":
		for _, c := range chatCommands {
			ch.env.printf("%-14s %s\n", strings.TrimSpace(c.name+" "+c.argument), c.help)
		}
		return nil
	case "/new":
		ch.history.Turns = nil
		return nil
	case "/method":
		return ch.setMethod(argument)
	case "/level":
		level, err := query.ParseLevel(argument)
		if err != nil || argument == "" {
			return usage("/level: give a number from 0 (the root level), C0 to C3, root or leaf")
		}
		ch.question.Level = level
		return nil
	case "/trace":
		return ch.trace(ctx, argument)
	case "/save":
		return ch.save(argument)
	}
	return usage("unknown command %q%s", name, suggest(name, chatCommandNames(), "; /help lists all commands"))
}

func (ch *chat) setMethod(name string) error {
	if name == "" {
		return runMethods(ch.env)
	}
	if !slices.Contains(query.MethodNames(), name) {
		return usage("/method: unknown method %q: choose one of %s%s", name, strings.Join(query.MethodNames(), ", "), suggest(name, query.MethodNames(), ""))
	}
	ch.question.Method = name
	return nil
}

func (ch *chat) trace(ctx context.Context, argument string) error {
	n, err := strconv.Atoi(strings.Trim(argument, "[]"))
	if err != nil {
		return usage("/trace: give the number of a reference of the last answer")
	}
	for _, r := range ch.last.References {
		if r.N == n {
			return traceReference(ctx, ch.env, ch.last, r)
		}
	}
	return usage("/trace: the last answer has %s, but no reference %d", text.Count(len(ch.last.References), "reference", "references"), n)
}

// save writes the conversation to a file that must not exist.
func (ch *chat) save(path string) error {
	if path == "" {
		return usage("/save: give the name of a file")
	}
	if len(ch.history.Turns) == 0 {
		return usage("/save: nothing has been asked yet")
	}
	var b strings.Builder
	for _, turn := range ch.history.Turns {
		fmt.Fprintf(&b, "## %s\n\n", sanitize.Controls(turn.Question))
		if turn.Asked != "" {
			fmt.Fprintf(&b, "Asked as: %s\n\n", sanitize.Controls(turn.Asked))
		}
		fmt.Fprintf(&b, "%s\n\n", sanitize.Controls(strings.TrimSpace(turn.Answer)))
	}
	err := userfile.WriteNew(path, 0o600, []byte(b.String()))
	if errors.Is(err, fs.ErrExist) {
		return usage("/save: %s already exists; give another name", path)
	}
	if err != nil {
		return fmt.Errorf("save the conversation: %w", err)
	}
	ch.env.note("saved %d questions and answers to %s", len(ch.history.Turns), path)
	return nil
}
