package llmtest

import (
	"encoding/base64"
	"encoding/binary"
	"hash/fnv"
	"math"
	"net/http"
	"strings"
	"unicode"
)

// embed answers with a vector for each text.
func (s *Server) embed(w http.ResponseWriter, req Request) {
	dimension := s.options.Dimension
	if req.Dimensions > 0 && !s.options.NoDimensions {
		dimension = req.Dimensions
	}
	data := make([]any, 0, len(req.Input))
	tokens := 0
	for i, text := range req.Input {
		if text == "" {
			refuse(w, http.StatusBadRequest, "input cannot be an empty string", "input", "invalid_request_error")
			return
		}
		tokens += len(strings.Fields(text))
		var embedding any = Vector(text, dimension)
		if req.Encoding == "base64" && !s.options.FloatsOnly {
			embedding = encode(Vector(text, dimension))
		}
		data = append(data, map[string]any{"object": "embedding", "index": i, "embedding": embedding})
	}
	body := map[string]any{"object": "list", "model": req.Model, "data": data}
	if !s.options.NoUsage {
		body["usage"] = map[string]any{"prompt_tokens": tokens, "total_tokens": tokens}
	}
	writeJSON(w, http.StatusOK, body)
}

// Vector returns the vector that servers return for a text: its words hashed, so that
// texts with words in common are close. It has length 3, so that clients must normalise
// it.
func Vector(text string, dimension int) []float32 {
	sums := make([]float64, dimension)
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	for _, word := range append(words, "\x00") {
		h := fnv.New64a()
		_, _ = h.Write([]byte(word)) // never fails
		sum := h.Sum64()
		sign := 1.0
		if sum>>63 == 1 {
			sign = -1
		}
		sums[sum%uint64(dimension)] += sign
	}
	var norm float64
	for _, x := range sums {
		norm += x * x
	}
	if norm == 0 {
		sums[0], norm = 1, 1
	}
	vector := make([]float32, dimension)
	for i, x := range sums {
		vector[i] = float32(3 * x / math.Sqrt(norm))
	}
	return vector
}

func encode(vector []float32) string {
	b := make([]byte, 0, 4*len(vector))
	for _, x := range vector {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return base64.StdEncoding.EncodeToString(b)
}
