package sheets

import "testing"

func TestUncalculated(t *testing.T) {
	t.Parallel()
	const sheet = `<row><c r="A1" t="str"><f>IF(B1="","",B1)</f><v></v></c><c r="B1"><f>1+1</f><v>2</v></c><c r="C1"><f>1+1</f><v></v></c><c r="D1"><f t="shared" si="0">A1</f></c><c r="E1" t="str"><f>1+1</f></c><c r="F1"/></row>`
	if n := uncalculated([]byte(sheet)); n != 3 {
		t.Errorf("%d formulas without a value, want 3", n)
	}
}
