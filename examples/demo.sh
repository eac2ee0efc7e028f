#!/bin/sh
# Index the sample without a model and ask a question over it.
set -eu
neorag=${NEORAG:-bin/neorag}
corpus=${NEORAG_CORPUS:-main}
question='What are the main themes of the story?'

echo "== a local Neo4j"
"$neorag" up
echo
echo "== index examples/christmas-carol"
"$neorag" index --offline --corpus "$corpus" examples/christmas-carol
echo
echo "== $question"
"$neorag" query --offline --corpus "$corpus" "$question"
echo
echo "== the words behind reference 1"
"$neorag" trace 1
echo
echo "== look at the graph"
"$neorag" up
