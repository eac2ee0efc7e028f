package communitycolor

import (
	"fmt"
	"math"
	"regexp"
	"testing"

	"pgregory.net/rapid"
)

// TestRGB compares with CSS Color 4: oklch() of white, black, and sRGB red, green and
// blue.
func TestRGB(t *testing.T) {
	tests := []struct {
		color Color
		want  string
	}{
		{Color{1, 0, 0}, "#FFFFFF"},
		{Color{0, 0, 0}, "#000000"},
		{Color{0.62796, 0.25768, 29.2339}, "#FF0000"},
		{Color{0.86644, 0.29483, 142.4953}, "#00FF00"},
		{Color{0.45201, 0.31321, 264.052}, "#0000FF"},
	}
	for _, tt := range tests {
		r, g, b := tt.color.RGB()
		var wr, wg, wb uint8
		if _, err := fmt.Sscanf(tt.want, "#%02X%02X%02X", &wr, &wg, &wb); err != nil {
			t.Fatal(err)
		}
		// A colour on the edge of the gamut may lose one step of chroma.
		for _, d := range []int{int(r) - int(wr), int(g) - int(wg), int(b) - int(wb)} {
			if d < -6 || d > 6 {
				t.Errorf("%v is %s, want %s", tt.color, tt.color.Hex(), tt.want)
			}
		}
	}
}

func TestFirstColorsDiffer(t *testing.T) {
	for i := range 12 {
		for j := range i {
			if d := hueDistance(Root(i).Hue, Root(j).Hue); d < 19 {
				t.Errorf("hues of %d and %d are %.1f degrees apart", i, j, d)
			}
		}
	}
	seen := map[string]int{}
	for i := range 300 {
		if j, ok := seen[Root(i).Hex()]; ok {
			t.Errorf("%d and %d are both %s", i, j, Root(i).Hex())
		}
		seen[Root(i).Hex()] = i
	}
}

func TestChildrenStayNear(t *testing.T) {
	hex := regexp.MustCompile(`^#[0-9A-F]{6}$`)
	rapid.Check(t, func(t *rapid.T) {
		parent := Root(rapid.IntRange(0, 5000).Draw(t, "root"))
		top := parent
		for level := 1; level <= rapid.IntRange(1, 9).Draw(t, "levels"); level++ {
			child := parent.Child(level, rapid.IntRange(0, 100000).Draw(t, "ordinal"))
			if d, reach := hueDistance(parent.Hue, child.Hue), 30/math.Pow(2, float64(level-1)); d > reach+1e-9 {
				t.Fatalf("level %d: hue %v of %v is %v away", level, child.Hue, parent.Hue, d)
			}
			if child.Hue < 0 || child.Hue >= 360 || !hex.MatchString(child.Hex()) || !hex.MatchString(child.Border().Hex()) {
				t.Fatalf("%v is not a valid colour", child)
			}
			parent = child
		}
		if hueDistance(top.Hue, parent.Hue) > 60 {
			t.Fatalf("%v is far from its root %v", parent, top)
		}
	})
}

// TestInkIsReadable checks for a contrast of 3, which WCAG requires for large text.
func TestInkIsReadable(t *testing.T) {
	for i := range 200 {
		for _, c := range []Color{Root(i), Root(i).Child(1, i*7), Root(i).Child(1, i).Child(2, i*3)} {
			ink := 1.0
			if c.Ink() != "#FFFFFF" {
				ink = 0.018
			}
			r, g, b := linear(c.Lightness, 0, c.Hue)
			own := 0.2126*r + 0.7152*g + 0.0722*b
			if contrast := (max(own, ink) + 0.05) / (min(own, ink) + 0.05); contrast < 3 {
				t.Errorf("%s on %s: contrast %.2f", c.Ink(), c.Hex(), contrast)
			}
		}
	}
}

func hueDistance(a, b float64) float64 {
	d := math.Abs(a - b)
	return min(d, 360-d)
}
