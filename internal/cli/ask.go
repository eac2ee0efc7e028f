package cli

import (
	"context"

	"github.com/neorag/neorag/internal/cli/userdata"
	"github.com/neorag/neorag/internal/query"
	"github.com/neorag/neorag/internal/ui/terminal"
)

// An asker asks questions and shows the progress.
type asker struct {
	env    *environment
	engine *query.Engine
	stream bool // a model writes the answers, so that they can be shown meanwhile
}

// An answered question has an answer that may have been shown already.
type answered struct {
	query.Answer

	shown bool // the text, without its references
}

// ask answers a question, with a spinner until the first words arrive, and stores
// the answer for `neorag trace`.
func (a asker) ask(ctx context.Context, q query.Question) (answered, error) {
	env := a.env
	stream := terminal.NewStream(env.Stdout, env.Getenv, a.stream && !env.json)
	spinner, update := newSpinner(env)
	q.Stream = stream.Receiver(spinner.Stop)
	q.OnRestart = stream.Restart
	q.Progress = update
	q.OnRewrite = func(text string) { spinner.Above(func() { env.note("asked as: %s", text) }) }
	var answer query.Answer
	err := spinner.While(func() (err error) {
		answer, err = a.engine.Ask(ctx, q)
		return err
	})
	stream.Close()
	if err != nil {
		return answered{}, err
	}
	if answer.Stored, err = userdata.Folder(env.home).StoreAnswer(answer); err != nil {
		env.note("cannot store the answer for `neorag trace`: %v", err)
	}
	return answered{answer, stream.Shows(answer.Answer)}, nil
}
