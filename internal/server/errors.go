package server

import (
	"encoding/json"
	"net/http"
)

// An Error is the body of every response with a status of 400 or more.
type Error struct {
	Error ErrorBody `json:"error"`
}

// An ErrorBody says what is wrong.
type ErrorBody struct {
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"` // what to do
	Reason  string `json:"reason"`         // in one word, for programs
}

// writeError writes an error in the form of all errors.
func writeError(w http.ResponseWriter, status int, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(Error{ErrorBody{Message: message, Reason: reasonOf(status)}}) // the client has gone if that fails
}

// reasonOf returns the reason of a status.
func reasonOf(status int) string {
	switch status {
	case http.StatusBadRequest, http.StatusUnprocessableEntity:
		return "invalid"
	case http.StatusUnauthorized:
		return "token"
	case http.StatusForbidden, http.StatusMisdirectedRequest:
		return "foreign"
	case http.StatusNotFound:
		return "not_found"
	case http.StatusConflict:
		return "conflict"
	case http.StatusRequestEntityTooLarge:
		return "too_large"
	case http.StatusTooManyRequests:
		return "busy"
	case http.StatusServiceUnavailable, http.StatusBadGateway, http.StatusGatewayTimeout:
		return "unavailable"
	}
	return "internal"
}
