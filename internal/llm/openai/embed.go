package openai

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"

	sdk "github.com/openai/openai-go"
	"github.com/openai/openai-go/option"

	"github.com/neorag/neorag/internal/llm"
	"github.com/neorag/neorag/internal/llm/httplimit"
	"github.com/neorag/neorag/internal/llm/known"
)

// embedder is the embedding model of a server.
type embedder struct{ *Client }

func (e embedder) Model() string       { return e.config.EmbeddingModel }
func (e embedder) Dimension() int      { return e.config.Dimension }
func (e embedder) Fingerprint() string { return e.fingerprint(e.config.Dimension) }

// embeddings is the body of a response. An embedding is base64 or a list of numbers,
// depending on the server.
type embeddings struct {
	Data  vectorList      `json:"data"`
	Usage usage           `json:"usage"`
	Error json.RawMessage `json:"error"`
}

// vectorList decodes at most limit+1 elements, which shows that there are too many:
// millions of empty ones would take much more memory than their text.
type vectorList struct {
	limit int
	items []struct {
		Index     position        `json:"index"`
		Embedding json.RawMessage `json:"embedding"`
	}
}

// position is the index of a vector, -1 if it is missing or no number.
type position int

// UnmarshalJSON decodes any value.
func (p *position) UnmarshalJSON(b []byte) error {
	var text scalar
	if err := text.UnmarshalJSON(b); err != nil {
		return err
	}
	n, err := strconv.Atoi(string(text))
	if err != nil {
		n = -1
	}
	*p = position(n)
	return nil
}

// UnmarshalJSON decodes a list.
func (v *vectorList) UnmarshalJSON(b []byte) error {
	d, err := openList(b)
	if err != nil || d == nil {
		return err
	}
	v.items = slices.Grow(v.items[:0], v.limit+1)
	for len(v.items) <= v.limit && d.More() {
		v.items = v.items[:len(v.items)+1]
		if err := d.Decode(&v.items[len(v.items)-1]); err != nil {
			return err
		}
	}
	return nil
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
	attempt, sent := traceSent(attempt)
	res, err := e.send(attempt, "embeddings", e.config.EmbeddingModel, shape{}, func(f known.Facts) (any, []option.RequestOption) {
		p := sdk.EmbeddingNewParams{Model: e.config.EmbeddingModel, Input: sdk.EmbeddingNewParamsInputUnion{OfArrayOfStrings: texts}}
		if !slices.Contains(f.Without, "encoding_format") {
			p.EncodingFormat = sdk.EmbeddingNewParamsEncodingFormatBase64
		}
		if e.config.Dimension > 0 {
			p.Dimensions = sdk.Int(int64(e.config.Dimension))
		}
		return p, nil
	})
	if err != nil {
		var used llm.Usage
		if sent() && unanswered(err) {
			used.Calls = 1 // how many tokens are charged is not known
		}
		return nil, used, e.failure(ctx, e.config.EmbeddingModel, err)
	}
	defer func() { _ = res.Body.Close() }()
	v := embeddings{Data: vectorList{limit: len(texts)}}
	body, err := io.ReadAll(httplimit.Reader(res.Body, maxVectors(len(texts), e.dimension())))
	if err == nil && json.Unmarshal(body, &v) != nil {
		err = &llm.Error{Status: http.StatusOK, Message: "the server's vectors are not JSON: check base_url, which usually ends in /v1"}
	}
	if err != nil {
		return nil, llm.Usage{Calls: 1}, e.failure(ctx, e.config.EmbeddingModel, err)
	}
	used := v.Usage.tokens()
	used.TokensOut = 0
	if said := e.words(v.errorIn(body)); isError(v.Error) || said.known {
		return nil, used, e.failure(ctx, e.config.EmbeddingModel, e.errorInBody(said))
	}
	out, err := v.inOrder(len(texts), e.config)
	if err == nil {
		e.learned.Store(int64(len(out[0])))
	}
	return out, used, err
}

// dimension returns the dimension of the vectors as far as it is known, else 0.
func (e embedder) dimension() int {
	if e.config.Dimension > 0 {
		return e.config.Dimension
	}
	return int(e.learned.Load())
}

// errorIn returns the error in a body: a field, or the whole of a body without vectors.
func (v *embeddings) errorIn(body []byte) []byte {
	switch {
	case isError(v.Error):
		return v.Error
	case len(v.Data.items) == 0 && len(body) <= maxQuoted:
		return body
	}
	return nil
}

// inOrder returns the vectors in the order of the texts.
func (v *embeddings) inOrder(n int, c Config) ([][]float32, error) {
	switch got := len(v.Data.items); {
	case got > n:
		return nil, fmt.Errorf("embed with %s: got more vectors than the %d texts", c.EmbeddingModel, n)
	case got < n:
		return nil, fmt.Errorf("embed with %s: got %d vectors for %d texts", c.EmbeddingModel, got, n)
	}
	out := make([][]float32, n)
	for i, d := range v.Data.items {
		at := int(d.Index)
		if at < 0 || at >= n || out[at] != nil {
			at = i // a server that does not number vectors keeps their order
		}
		vector, err := parseVector(d.Embedding)
		if len(vector) > maxDimension {
			err = fmt.Errorf("a vector has more than %d numbers", maxDimension)
		}
		if err != nil {
			return nil, fmt.Errorf("embed with %s: %w", c.EmbeddingModel, err)
		}
		if c.Dimension > 0 && len(vector) != c.Dimension {
			return nil, fmt.Errorf("embed with %s: got vectors of %d dimensions instead of %d: set models.embedding.model to a model with vectors of that length",
				c.EmbeddingModel, len(vector), c.Dimension)
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
