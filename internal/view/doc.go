// Package view groups the ways to look at a corpus outside of answers.
//
// In: entities, relationships, communities and reports. Out: files.
//
// Subpackages:
//
//   - communitycolor gives communities their colours;
//   - export writes the graph in formats of other programs;
//   - exportdiff compares two exports;
//   - htmlmap writes the map of communities as one HTML file;
//   - layout places a graph in the plane;
//   - neobrowser makes style sheets, favourites and the guide for Neo4j Browser;
//   - reportbook writes the reports as a list, a tree or linked pages.
package view
