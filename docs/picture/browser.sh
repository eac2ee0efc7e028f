#!/bin/sh
# Makes docs/browser.png: the sample, indexed without a model, in the Neo4j
# Browser, coloured by community. Needs Python 3 and Chromium (on Debian:
# apt-get install chromium; another one: CHROMIUM=/path/to/it). The server is
# its own and is gone afterwards.
#
# By itself the Browser gives a colour to every label of a node, and the last
# one wins. communities.grass gives colours to the communities of level 0 only:
# its pad rules use up the automatic colours. It has no comments since the
# Browser would read them as part of a rule. To use it, drop it on the window
# of the Browser; the command ":style reset" undoes that.
set -eu
cd "$(dirname "$0")/../.."
make build

NEORAG_HOME=$(mktemp -d)
export NEORAG_HOME
trap 'bin/neorag down; rm -rf "$NEORAG_HOME"' EXIT
url=$(bin/neorag up --bolt-port 0 --http-port 0 | sed -n 's/^Neo4j Browser: //p')
bin/neorag index --offline --quiet --corpus main examples/christmas-carol

python3 docs/picture/browser.py "$url" "$NEORAG_HOME/neo4j/password" \
	"MATCH (a:Entity)-[r:RELATED]->(b:Entity) WHERE a.corpus = 'main' AND r.weight >= 2 RETURN a, r, b LIMIT 150" \
	docs/browser.png
