module example.com/tree

go 1.26.0

require (
	example.com/first v1.0.0
	example.com/second v1.0.0 // indirect
)

require example.com/third v1.0.0
