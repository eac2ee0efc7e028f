// The tests, benchmarks and screenshots that need Chromium form a separate module,
// so that its driver is not required by the program.
module github.com/neorag/neorag/internal/browsertest

go 1.26.0

require (
	github.com/chromedp/cdproto v0.159.0
	github.com/chromedp/chromedp v0.22.0
	github.com/neorag/neorag v0.0.0-00010101000000-000000000000
)

require (
	github.com/go-json-experiment/json v0.0.0-20260213210345-44df1a37e875 // indirect
	github.com/neo4j/neo4j-go-driver/v5 v5.28.4 // indirect
)

replace github.com/neorag/neorag => ../..
