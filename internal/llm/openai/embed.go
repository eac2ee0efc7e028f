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

// vectors is the answer. An embedding is base64 or a list of numbers, as the
// server likes.
type vectors struct {
	Data []struct {
		Index     int             `json:"index"`
		Embedding json.RawMessage `json:"embedding"`
	} `json:"data"`
	Usage *usage          `json:"usage"`
	Error json.RawMessage `json:"error"`
}

// Embed asks once for the vectors of all texts.
func (e embedder) Embed(ctx context.Context, texts []string) ([][]float32, llm.Usage, error) {
	if len(texts) == 0 {
		return nil, llm.Usage{}, nil
	}
	if e.config.EmbeddingModel == "" {
		return nil, llm.Usage{}, errors.New("no embedding model is set: name one in models.embedding.model")
	}
	within, cancel := context.WithTimeout(ctx, e.config.Timeout)
	defer cancel()
	res, err := e.send(within, "embeddings", e.config.EmbeddingModel, func(without func(string) bool) (any, []option.RequestOption) {
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
	var v vectors
	if err := json.NewDecoder(res.Body).Decode(&v); err != nil {
		var syntax *json.SyntaxError
		var kind *json.UnmarshalTypeError
		if errors.As(err, &syntax) || errors.As(err, &kind) {
			err = &llm.Error{Status: http.StatusOK, Message: "the server's vectors are not JSON: check base_url, it usually ends in /v1"}
		}
		return nil, llm.Usage{Calls: 1}, e.failure(ctx, e.config.EmbeddingModel, err)
	}
	used := v.used(texts)
	if len(v.Error) > 0 && string(v.Error) != "null" {
		return nil, used, e.failure(ctx, e.config.EmbeddingModel, midway(v.Error))
	}
	out, err := v.sorted(len(texts), e.config)
	return out, used, err
}

func (v *vectors) used(texts []string) llm.Usage {
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

// sorted puts the vectors into the order of the texts.
func (v *vectors) sorted(n int, c Config) ([][]float32, error) {
	if len(v.Data) != n {
		return nil, fmt.Errorf("embed with %s: %d vectors came for %d texts", c.EmbeddingModel, len(v.Data), n)
	}
	out := make([][]float32, n)
	for i, d := range v.Data {
		at := d.Index
		if at < 0 || at >= n || out[at] != nil {
			at = i // a server that does not number them keeps the order
		}
		vector, err := floats(d.Embedding)
		if err != nil {
			return nil, fmt.Errorf("embed with %s: %w", c.EmbeddingModel, err)
		}
		if c.Dimension > 0 && len(vector) != c.Dimension {
			return nil, fmt.Errorf("embed with %s: vectors have %d numbers where %d are asked for: set dimension to %d, or leave it out",
				c.EmbeddingModel, len(vector), c.Dimension, len(vector))
		}
		if out[at] != nil {
			return nil, fmt.Errorf("embed with %s: the server numbers its vectors twice", c.EmbeddingModel)
		}
		out[at] = vector
	}
	return out, nil
}

// floats reads a vector in either form.
func floats(raw json.RawMessage) ([]float32, error) {
	if len(raw) == 0 || raw[0] != '"' {
		var vector []float32
		if err := json.Unmarshal(raw, &vector); err != nil || len(vector) == 0 {
			return nil, errors.New("a vector is not a list of numbers")
		}
		return vector, nil
	}
	text := string(raw[1 : len(raw)-1])
	if strings.Contains(text, `\`) { // slashes may come escaped
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
