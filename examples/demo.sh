#!/bin/sh
# Indexes the sample without a model and asks a question about it.
set -eu
neorag=${NEORAG:-bin/neorag}
corpus=${NEORAG_CORPUS:-main}
question='What are the main themes of the story?'

echo "== start a local Neo4j"
"$neorag" up
echo
echo "== index examples/christmas-carol"
"$neorag" index --offline --corpus "$corpus" examples/christmas-carol
echo
echo "== $question"
"$neorag" query --offline --corpus "$corpus" "$question"
echo
echo "== show the text behind reference 1"
"$neorag" trace 1
echo
echo "== the address of Neo4j Browser"
"$neorag" up
