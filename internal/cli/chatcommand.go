package cli

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/terminal"
)

// chatCommands are the commands of a conversation, with what stands behind them.
var chatCommands = []struct{ name, argument, help string }{
	{"/method", "NAME", "answer by another method; without a name, list them"},
	{"/level", "L", "read the reports of another level: a number, C0 to C3, root or leaf"},
	{"/trace", "N", "show the words behind reference N of the last answer"},
	{"/save", "FILE", "write the conversation to a new file, as markdown"},
	{"/new", "", "forget the conversation, and begin another"},
	{"/help", "", "list the commands"},
	{"/quit", "", "leave, as Ctrl-D does"},
}

func chatCommandNames() []string {
	names := make([]string, len(chatCommands))
	for i, c := range chatCommands {
		names[i] = c.name
	}
	return names
}

// complete completes the name of a command or of a method as far as it is clear.
func (ch *chat) complete(line string) string {
	candidates := chatCommandNames()
	if strings.HasPrefix(line, "/method ") {
		candidates = nil
		for _, name := range query.MethodNames() {
			candidates = append(candidates, "/method "+name)
		}
	}
	var fits []string
	for _, c := range candidates {
		if strings.HasPrefix(c, line) {
			fits = append(fits, c)
		}
	}
	if line == "" || len(fits) == 0 {
		return line
	}
	common := fits[0]
	for _, f := range fits[1:] {
		for !strings.HasPrefix(f, common) {
			common = common[:len(common)-1]
		}
	}
	if len(fits) == 1 && !strings.Contains(line, " ") && common != "/help" && common != "/quit" && common != "/new" {
		common += " "
	}
	return common
}

// command does what a line that begins with a slash says.
func (ch *chat) command(line string) error {
	name, argument, _ := strings.Cut(line, " ")
	argument = strings.TrimSpace(argument)
	switch name {
	case "/help":
		for _, c := range chatCommands {
			ch.c.printf("%-14s %s\n", strings.TrimSpace(c.name+" "+c.argument), c.help)
		}
		return nil
	case "/new":
		ch.history.turns = nil
		return nil
	case "/method":
		return ch.method(argument)
	case "/level":
		level, err := query.ParseLevel(argument)
		if err != nil || argument == "" {
			return usage("/level: give a number from 0 (the root level), C0 to C3, root or leaf")
		}
		ch.q.Level = level
		return nil
	case "/trace":
		return ch.trace(argument)
	case "/save":
		return ch.save(argument)
	}
	hint := "; /help lists all"
	if near := closest(name, chatCommandNames()); near != "" {
		hint = fmt.Sprintf("; did you mean %s?", near)
	}
	return usage("unknown command %q%s", name, hint)
}

func (ch *chat) method(name string) error {
	if name == "" {
		return ch.c.runMethods(ch.cc)
	}
	if !slices.Contains(query.MethodNames(), name) {
		hint := ""
		if near := closest(name, query.MethodNames()); near != "" {
			hint = fmt.Sprintf("; did you mean %s?", near)
		}
		return usage("/method: unknown method %q: choose one of %s%s", name, strings.Join(query.MethodNames(), ", "), hint)
	}
	ch.q.Method = name
	return nil
}

func (ch *chat) trace(argument string) error {
	n, err := strconv.Atoi(strings.Trim(argument, "[]"))
	if err != nil {
		return usage("/trace: give the number of a reference of the last answer")
	}
	for _, r := range ch.last.References {
		if r.N == n {
			return ch.c.printTrace(ch.cc, cmp.Or(r.Corpus, ch.last.Corpus), graph.Reference{Kind: r.Kind, Key: r.Key}, r.Quote)
		}
	}
	return usage("/trace: the last answer has %d references, none of them is %d", len(ch.last.References), n)
}

// save writes the conversation to a file that is not there yet.
func (ch *chat) save(path string) (err error) {
	if path == "" {
		return usage("/save: give the name of a file")
	}
	if len(ch.history.turns) == 0 {
		return usage("/save: nothing was asked yet")
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, os.ErrExist) {
		return usage("/save: %s is there already; give another name", path)
	}
	if err != nil {
		return fmt.Errorf("save the conversation: %w", err)
	}
	var b strings.Builder
	for _, turn := range ch.history.turns {
		fmt.Fprintf(&b, "## %s\n\n", terminal.Sanitize(turn.Question))
		if turn.Asked != "" {
			fmt.Fprintf(&b, "Asked as: %s\n\n", terminal.Sanitize(turn.Asked))
		}
		fmt.Fprintf(&b, "%s\n\n", terminal.Sanitize(strings.TrimSpace(turn.Answer)))
	}
	_, err = f.WriteString(b.String())
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return fmt.Errorf("save the conversation: %w", errors.Join(err, os.Remove(path)))
	}
	ch.c.note(ch.cc, "%d questions and answers are in %s", len(ch.history.turns), path)
	return nil
}
