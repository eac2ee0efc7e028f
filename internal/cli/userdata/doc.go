// Package userdata keeps answers and the paths of conversations in the folder of this user, reads
// and writes conversations, and deletes what these and cached responses hold of removed documents.
package userdata
