#!/bin/sh
# Makes v0.1.0.zip with the program of the tag v0.1.0. It is run as root, needs Java, zip,
# and the jars that `neorag up` downloads, and nothing may listen at 127.0.0.1:1.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
repository=$(git -C "$here" rev-parse --show-toplevel)
version=v0.1.0
export GOFLAGS=-tags=urfave_cli_no_docs

work=$(mktemp -d)
model=
clean() {
	[ -z "$model" ] || kill "$model"
	git -C "$repository" worktree remove --force "$work/source"
	rm -rf "$work"
}
trap clean EXIT
git -C "$repository" worktree add --quiet --detach "$work/source" "$version"

# The fake model of that version, at an address that is part of the keys of cached responses.
mkdir "$work/source/internal/bench/served"
cat > "$work/source/internal/bench/served/main.go" <<'GO'
package main

import (
	"io"
	"net"
	"strings"

	"github.com/neorag/neorag/internal/llm/llmtest"
	"github.com/neorag/neorag/internal/simulate"
)

func main() {
	server := llmtest.New(llmtest.Options{Handler: simulate.Handler, Dimension: 64})
	listener, err := net.Listen("tcp", "127.0.0.1:1")
	if err != nil {
		panic(err)
	}
	for {
		in, err := listener.Accept()
		if err != nil {
			panic(err)
		}
		out, err := net.Dial("tcp", strings.TrimSuffix(strings.TrimPrefix(server.URL(), "http://"), "/v1"))
		if err != nil {
			panic(err)
		}
		go func() { _, _ = io.Copy(out, in) }()
		go func() { _, _ = io.Copy(in, out) }()
	}
}
GO
(cd "$work/source" && go build -o "$work/neorag" ./cmd/neorag && go build -o "$work/model" ./internal/bench/served)
"$work/model" & model=$!

mkdir -p "$work/data/tale" "$work/data/letters"
cd "$work/data"
cp "$work/source/examples/christmas-carol/stave-5.txt" tale/
echo 'Clara Hale opened the Harbour Museum in Port Ellen in 1921. Tobias Reed kept the books of the Harbour Museum. Clara Hale met Tobias Reed in Glasgow. Tobias Reed said that Clara Hale trusted him with the keys.' > letters/first.txt
echo 'Mary Quill came to Port Ellen in 1934. Mary Quill asked Tobias Reed about the fire at the Harbour Museum. Tobias Reed told Mary Quill about Victor Lang. Victor Lang owned the Lang Company in Glasgow.' > letters/second.txt
cat > neorag.yaml <<'YAML'
models:
  chat: {base_url: "http://127.0.0.1:1/v1", model: simulated}
  embedding: {base_url: "http://127.0.0.1:1/v1", model: vectors}
YAML

export NEORAG_HOME="$work/home" NEORAG_CACHE="$work/data/cache"
neorag="$work/neorag"
"$neorag" up --mode java --bolt-port 0 --http-port 0 --heap 512
"$neorag" index --offline --corpus tale tale
"$neorag" index --corpus letters letters
for method in local global; do
	"$neorag" query --corpus letters --method "$method" 'Who kept the books of the Harbour Museum?'
done
"$neorag" down
mv "$work/home/answers" .
jars=$(ls -d "${XDG_CACHE_HOME:-$HOME/.cache}"/neorag/neo4j-*/lib | tail -n 1)
NEO4J_HOME="$work/home/neo4j" NEO4J_CONF="$work/home/neo4j/conf" \
	java -cp "$jars/*" org.neo4j.cli.AdminTool database dump neo4j --to-path=.
rm -f "$here/$version.zip"
zip -9 -q -r "$here/$version.zip" .
