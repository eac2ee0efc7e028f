package route

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestReadOverview(t *testing.T) {
	t.Parallel()
	person := []string{"person"}
	for question, want := range map[string]OverviewQuestion{
		"What are the main themes?":                                     {Subject: Themes},
		"Summarize the story":                                           {Subject: Themes},
		"What is this about?":                                           {Subject: Themes},
		"Who are the main characters?":                                  {Subject: Things, Types: person},
		"How are the characters connected?":                             {Subject: Connections, Types: person},
		"What are the main relationships between the people?":           {Subject: Connections, Types: person},
		"What is the relationship between Scrooge and Bob Cratchit?":    {Subject: Connections, Names: []string{"Scrooge", "Bob Cratchit"}},
		"How is Tiny Tim related to Scrooge?":                           {Subject: Connections, Names: []string{"Tiny Tim", "Scrooge"}},
		"What changed over time?":                                       {Subject: Changes},
		"Give me a timeline of the events":                              {Subject: Changes, Types: []string{"event"}},
		"How did Scrooge change?":                                       {Subject: Changes, Names: []string{"Scrooge"}},
		"How does Scrooge develop through the story?":                   {Subject: Changes, Names: []string{"Scrooge"}},
		"Compare Marley with Fezziwig":                                  {Subject: Comparison, Names: []string{"Marley", "Fezziwig"}},
		"What is the difference between Scrooge and Fezziwig?":          {Subject: Comparison, Names: []string{"Scrooge", "Fezziwig"}},
		"What do Scrooge and Marley have in common?":                    {Subject: Comparison, Names: []string{"Scrooge", "Marley"}},
		"How many documents are there?":                                 {Subject: Counts},
		"How many people are mentioned?":                                {Subject: Counts, Types: person},
		"How many chats are in this collection?":                        {Subject: Counts},
		"How many shillings a week does Bob Cratchit earn?":             {},
		"How many people came to the party?":                            {},
		"What did Bob Cratchit change in the letter?":                   {},
		"When did Scrooge change the lock?":                             {},
		"Who is Tiny Tim?":                                              {},
		"What is the difference between the treatments of Skin Cancer?": {},
		"Compare the poor with the rich":                                {},
	} {
		var names []string
		for _, n := range namesIn(question) {
			names = append(names, n.Text)
		}
		got, ok := ReadOverview(question, names)
		if diff := cmp.Diff(want, got); diff != "" || ok != (want.Subject != "") {
			t.Errorf("%q: %v (-want +got):\n%s", question, ok, diff)
		}
		if len(want.Names) > 0 && !MayName(question) {
			t.Errorf("%q may name nothing", question)
		}
	}
}
