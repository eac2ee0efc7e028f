package mcp

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/neorag/neorag/internal/graph"
	"github.com/neorag/neorag/internal/server/runs"
	"github.com/neorag/neorag/internal/server/service"
)

type indexInput struct {
	Corpus string `json:"corpus"`
}

type indexOutput struct {
	State    string   `json:"state"`
	Progress []string `json:"progress"`
}

// shownFailures is how many failures of a run an agent is shown.
const shownFailures = 10

// addIndex adds the tool that has a corpus indexed.
func (s *Server) addIndex() {
	addTool(s, sdk.Tool{
		Name:        "index",
		Description: "Update a corpus, or get the progress.",
		Annotations: &sdk.ToolAnnotations{IdempotentHint: true, OpenWorldHint: new(false)},
	}, func(func(string) *jsonschema.Schema) {}, s.index)
}

func (s *Server) index(ctx context.Context, in indexInput) (indexOutput, string, error) {
	out := indexOutput{Progress: []string{}}
	if graph.CheckCorpus(in.Corpus) != nil || !s.Service.Shows(in.Corpus) {
		return out, "", service.NoCorpus(in.Corpus)
	}
	state, err := s.Runs.State(ctx, in.Corpus)
	if err == nil && (state.State == runs.Idle || state.State == runs.Failed) {
		state, err = s.Runs.Start(ctx, runs.Request{Corpus: in.Corpus}, s.Files.Paths(in.Corpus))
	}
	if errors.Is(err, runs.ErrNoDocuments) {
		return out, "", service.NewError(service.Conflict, err.Error(), "ask the user to start the server with --root "+in.Corpus+"=FOLDER, or to run neorag index")
	}
	out.State = state.State
	for _, p := range state.Stages {
		out.Progress = append(out.Progress, fmt.Sprintf("%s: %d of %d", p.Stage, p.Done, p.Total))
	}
	for _, f := range state.Failed[:min(len(state.Failed), shownFailures)] {
		out.Progress = append(out.Progress, "failed: "+f.Item+": "+f.Reason)
	}
	if state.Message != "" {
		out.Progress = append(out.Progress, "the last run failed: "+state.Message)
	}
	return out, strings.Join(append([]string{"The index of the corpus " + in.Corpus + " is " + state.State + "."}, out.Progress...), "\n- "), err
}
