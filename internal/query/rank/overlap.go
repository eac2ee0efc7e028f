package rank

// windowTerms is the size of a window of neighbouring terms.
const windowTerms = 25

// An Overlap is what passages of one owner have in common with a question: of each measure
// the best passage, from 0 to 1.
type Overlap struct {
	Coverage float64 // the share of the question's terms, by weight
	Capitals float64 // of the terms of names
	Numbers  float64 // of those with a digit
	Window   float64 // of all terms, in any window of 25 terms
	Bigrams  float64 // of neighbouring terms, in order; of all passages together

	bigrams map[[2]int]bool
}

// Add takes a passage into an overlap: the terms of its text in order, and the terms of its
// document's header.
func (o *Overlap) Add(a *QuestionTerms, own, lead []string) {
	places, which := make([]int, 0, 16), make([]int, 0, 16)
	has := make([]bool, len(a.terms))
	for i, t := range own {
		if k, ok := a.at[t]; ok {
			places, which = append(places, i), append(which, k)
			has[k] = true
		}
	}
	o.addBigrams(a, places, which)
	o.Window = max(o.Window, share(a.bestWindow(places, which), a.sum))
	for _, t := range lead {
		if k, ok := a.at[t]; ok {
			has[k] = true
		}
	}
	coverage, capitals, numbers := 0., 0., 0.
	for k, t := range a.terms {
		if !has[k] {
			continue
		}
		coverage += t.Weight
		if t.Capital {
			capitals += t.Weight
		}
		if t.Number {
			numbers += t.Weight
		}
	}
	o.Coverage = max(o.Coverage, share(coverage, a.sum))
	o.Capitals = max(o.Capitals, share(capitals, a.capitals))
	o.Numbers = max(o.Numbers, share(numbers, a.numbers))
}

// addBigrams adds neighbouring terms of the question that are neighbours in the passage too.
func (o *Overlap) addBigrams(a *QuestionTerms, places, which []int) {
	for i := 0; i+1 < len(places); i++ {
		pair := [2]int{which[i], which[i+1]}
		if places[i+1]-places[i] != 1 || a.next[pair] == 0 || o.bigrams[pair] {
			continue
		}
		if o.bigrams == nil {
			o.bigrams = map[[2]int]bool{}
		}
		o.bigrams[pair] = true
		o.Bigrams += share(a.next[pair], a.nextSum)
	}
}

// bestWindow returns the largest weight of the different terms in a window.
func (a *QuestionTerms) bestWindow(places, which []int) float64 {
	best := 0.
	seen := make([]int, len(a.terms)) // the window, from 1, in which a term was counted
	for i := range places {
		sum := 0.
		for j := i; j < len(places) && places[j]-places[i] < windowTerms; j++ {
			if k := which[j]; seen[k] != i+1 {
				seen[k] = i + 1
				sum += a.terms[k].Weight
			}
		}
		best = max(best, sum)
	}
	return best
}
