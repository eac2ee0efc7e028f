// Package config holds the settings of the program: the list of them, the file
// neorag.yaml, the precedence of defaults, file, environment and flags, and which
// key goes to which model server. It knows no flag library: the command line hands
// over the values that were given.
//
// In: values given on the command line, variables of the environment and files.
// Out: one checked value for each setting, and where it came from.
//
// Subpackage yaml reads YAML into a tree of texts.
package config
