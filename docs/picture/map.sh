#!/bin/sh
# Takes the screenshot docs/map.png: the map of the sample, indexed without a model, with
# communities open down to the third level. It needs Chromium (on Debian: apt-get install
# chromium), or another one that CHROMIUM names. It starts a temporary server.
set -eu
cd "$(dirname "$0")/../.."
make build

NEORAG_HOME=$(mktemp -d)
export NEORAG_HOME
trap 'bin/neorag down; rm -rf "$NEORAG_HOME"' EXIT
bin/neorag up --bolt-port 0 --http-port 0
bin/neorag index --offline --quiet --corpus christmas_carol examples/christmas-carol
bin/neorag export --format html --corpus christmas_carol -o "$NEORAG_HOME/map.html"

"${CHROMIUM:-chromium}" --headless=new --no-sandbox --use-gl=angle --use-angle=swiftshader --enable-unsafe-swiftshader \
	--hide-scrollbars --user-data-dir="$NEORAG_HOME/chromium" --window-size=1200,700 --timeout=8000 \
	--screenshot="$PWD/docs/map.png" "file://$NEORAG_HOME/map.html#level-3"
