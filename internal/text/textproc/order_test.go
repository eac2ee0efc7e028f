package textproc

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestOrderParts(t *testing.T) {
	t.Parallel()
	for question, want := range map[string][]string{
		"Did Hailey Johnson bake bread before Wolfgang Schulz ordered the new tables?":                    {"Did Hailey Johnson bake bread", "Wolfgang Schulz ordered the new tables?"},
		"How long from the first football lesson to the opening of the bakery?":                           nil,
		"How long did it take in total from Ann planning the garden to the garden being full of roses?":   {"Ann planning the garden", "garden being full of roses?"},
		"Is the time interval more than 7 days between Ann ordering the lamps and Bob hanging the lamps?": {"Ann ordering the lamps", "Bob hanging the lamps?"},
		"Who opened the bakery before Ann?":                                                               nil,
		"Is the new shop open after lunch?":                                                               nil,
		"What did Scrooge say to Marley and the clerk?":                                                   nil,
	} {
		if diff := cmp.Diff(want, OrderParts(question)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", question, diff)
		}
	}
}

func TestMessages(t *testing.T) {
	t.Parallel()
	got := Messages("Time: 20260410_10:30\nAnn Berg: I bought red lamps.\nThey glow.\nBob: Fine!")
	want := []Message{
		{Speaker: []string{"ann", "berg"}, Terms: []string{"bought", "red", "lamp", "glow"}},
		{Speaker: []string{"bob"}, Terms: []string{"fine"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
