package server

import (
	"encoding/json"
	"net/http"
	"reflect"
	"strconv"

	"github.com/danielgtaylor/huma/v2"
)

// The routes of clients whose protocol others define are plain handlers: what such a client sends besides
// the fields that are read is ignored, and its errors have the form of its protocol. Their descriptions are
// added to the document by hand.

// describe adds a route to the document. in is nil for a route without a body in JSON.
func describe(api huma.API, o huma.Operation, in, out, problem any) {
	content := func(v any) map[string]*huma.MediaType {
		schema := api.OpenAPI().Components.Schemas.Schema(reflect.TypeOf(v), true, "")
		return map[string]*huma.MediaType{"application/json": {Schema: schema}}
	}
	if in != nil {
		o.RequestBody = &huma.RequestBody{Required: true, Content: content(in)}
	}
	o.Responses = map[string]*huma.Response{
		strconv.Itoa(http.StatusOK): {Description: "OK", Content: content(out)},
		"default":                   {Description: "Error", Content: content(problem)},
	}
	api.OpenAPI().AddOperation(&o)
}

// decode reads the body of a request. The problem is nil if it can be read.
func decode(r *http.Request, into any) *Problem {
	if err := json.NewDecoder(r.Body).Decode(into); err != nil {
		return newProblem(http.StatusBadRequest, "cannot read the request: "+err.Error())
	}
	return nil
}

// writeJSON writes a response.
func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v) // the client has gone if that fails
}
