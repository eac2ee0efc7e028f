package openai

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"strings"

	sdk "github.com/openai/openai-go"
	"github.com/openai/openai-go/option"

	"github.com/neorag/neorag/internal/llm"
)

// embedder is the embedding model of a server.
type embedder struct{ *Client }

func (e embedder) Model() string       { return e.config.EmbeddingModel }
func (e embedder) Dimension() int      { return e.config.Dimension }
func (e embedder) Fingerprint() string { return e.fingerprint(e.config.Dimension) }

// embeddings is the body of a response. An embedding is base64 or a list of numbers,
// depending on the server.
type embeddings struct {
	Data []struct {
		Index     int             `json:"index"`
		Embedding json.RawMessage `json:"embedding"`
	} `json:"data"`
	Usage *usage          `json:"usage"`
	Error json.RawMessage `json:"error"`
}

// Embed requests the vectors of all texts in one attempt.
func (e embedder) Embed(ctx context.Context, texts []string) ([][]float32, llm.Usage, error) {
	if len(texts) == 0 {
		return nil, llm.Usage{}, nil
	}
	if e.config.EmbeddingModel == "" {
		return nil, llm.Usage{}, errors.New("no embedding model is set: set models.embedding.model")
	}
	attempt, cancel := context.WithTimeout(ctx, e.config.Timeout)
	defer cancel()
	res, err := e.send(attempt, "embeddings", e.config.EmbeddingModel, func(without func(string) bool) (any, []option.RequestOption) {
		p := sdk.EmbeddingNewParams{Model: e.config.EmbeddingModel, Input: sdk.EmbeddingNewParamsInputUnion{OfArrayOfStrings: texts}}
		if !without("encoding_format") {
			p.EncodingFormat = sdk.EmbeddingNewParamsEncodingFormatBase64
		}
		if e.config.Dimension > 0 {
			p.Dimensions = sdk.Int(int64(e.config.Dimension))
		}
		return p, nil
	})
	if err != nil {
		return nil, llm.Usage{}, e.failure(ctx, e.config.EmbeddingModel, err)
	}
	defer func() { _ = res.Body.Close() }()
	var v embeddings
	if err := json.NewDecoder(res.Body).Decode(&v); err != nil {
		var syntax *json.SyntaxError
		var kind *json.UnmarshalTypeError
		if errors.As(err, &syntax) || errors.As(err, &kind) {
			err = &llm.Error{Status: http.StatusOK, Message: "the server's vectors are not JSON: check base_url, which usually ends in /v1"}
		}
		return nil, llm.Usage{Calls: 1}, e.failure(ctx, e.config.EmbeddingModel, err)
	}
	used := v.usageOf(texts)
	if len(v.Error) > 0 && string(v.Error) != "null" {
		return nil, used, e.failure(ctx, e.config.EmbeddingModel, errorInBody(v.Error))
	}
	out, err := v.inOrder(len(texts), e.config)
	return out, used, err
}

// usageOf returns the usage, estimated if the server does not report it.
func (v *embeddings) usageOf(texts []string) llm.Usage {
	u := llm.Usage{Calls: 1}
	if v.Usage != nil {
		u.TokensIn = v.Usage.PromptTokens
		return u
	}
	for _, t := range texts {
		u.TokensIn += int64(llm.EstimateTokens(t))
	}
	return u
}

// inOrder returns the vectors in the order of the texts.
func (v *embeddings) inOrder(n int, c Config) ([][]float32, error) {
	if len(v.Data) != n {
		return nil, fmt.Errorf("embed with %s: got %d vectors for %d texts", c.EmbeddingModel, len(v.Data), n)
	}
	out := make([][]float32, n)
	for i, d := range v.Data {
		at := d.Index
		if at < 0 || at >= n || out[at] != nil {
			at = i // a server that does not number vectors keeps their order
		}
		vector, err := parseVector(d.Embedding)
		if err != nil {
			return nil, fmt.Errorf("embed with %s: %w", c.EmbeddingModel, err)
		}
		if c.Dimension > 0 && len(vector) != c.Dimension {
			return nil, fmt.Errorf("embed with %s: got vectors of %d dimensions instead of %d: set dimension to %d, or do not set it",
				c.EmbeddingModel, len(vector), c.Dimension, len(vector))
		}
		if out[at] != nil {
			return nil, fmt.Errorf("embed with %s: the server sent two vectors with the same index", c.EmbeddingModel)
		}
		out[at] = vector
	}
	return out, nil
}

// parseVector decodes a vector in either form.
func parseVector(raw json.RawMessage) ([]float32, error) {
	if len(raw) == 0 || raw[0] != '"' {
		var vector []float32
		if err := json.Unmarshal(raw, &vector); err != nil || len(vector) == 0 {
			return nil, errors.New("a vector is not a list of numbers")
		}
		return vector, nil
	}
	text := string(raw[1 : len(raw)-1])
	if strings.Contains(text, `\`) { // slashes may be escaped
		text = strings.ReplaceAll(text, `\/`, "/")
	}
	b, err := base64.StdEncoding.DecodeString(text)
	if err != nil || len(b) == 0 || len(b)%4 != 0 {
		return nil, errors.New("a vector is not base64 of 32-bit numbers")
	}
	vector := make([]float32, len(b)/4)
	for i := range vector {
		vector[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return vector, nil
}
