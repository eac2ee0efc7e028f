#!/bin/sh
# Indexes the sample without a model, asks two questions about it, and says how to look at the graph.
set -eu
neorag=${NEORAG:-bin/neorag}
corpus=${NEORAG_CORPUS:-main}

ask() {
	echo
	echo "== $1"
	"$neorag" query --offline --corpus "$corpus" "$1"
}

echo "== index examples/christmas-carol"
"$neorag" index --offline --corpus "$corpus" examples/christmas-carol
ask 'What are the main themes of the story?'
ask 'Who was the partner of Scrooge?'
echo
echo "== the text behind reference 1"
"$neorag" trace 1
echo
echo "== look at the graph"
say() { printf '%-60s %s\n' "$1" "$2"; }
say "$neorag explore --corpus $corpus" 'Neo4j Browser with colours, queries and a guide'
say "$neorag export --corpus $corpus --format html -o map.html" 'a map of the communities as one page'
say "$neorag down" 'stops the local Neo4j'
