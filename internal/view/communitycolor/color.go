// Package communitycolor assigns colours to communities, the same in every export,
// style sheet and map. A colour depends only on the ordinals on the path from the
// root level to the community, so that it stays when other communities appear or
// disappear. Children have hues close to their parent's.
package communitycolor

import (
	"fmt"
	"math"
)

// A Color is a point of OKLCH, a colour space where equal steps look equal.
type Color struct {
	Lightness float64 // 0 black to 1 white
	Chroma    float64 // 0 grey; about 0.2 is the strongest that screens show at every hue
	Hue       float64 // degrees, 0 to below 360
}

// None is the colour of entities in no community.
var None = Color{Lightness: 0.68, Chroma: 0.012, Hue: 265}

// Multiples of goldenAngle divide a circle evenly, however many are taken;
// multiples of plastic and plastic2 do the same for a square (the additive
// recurrence of the plastic number).
const (
	goldenAngle = 137.50776405003785
	plastic     = 0.7548776662466927
	plastic2    = 0.5698402909980532
)

// firstHue is the hue of the first community: a blue.
const firstHue = 256

// Root returns the colour of a community at level 0. Ordinals count from 0.
func Root(ordinal int) Color {
	ring := float64(ordinal % 3)
	return Color{
		Lightness: 0.60 + 0.06*(ring-1),
		Chroma:    0.155 - 0.015*ring,
		Hue:       normalizeHue(firstHue + goldenAngle*float64(ordinal)),
	}
}

// Child returns the colour of a child of a community of this colour: its hue is at
// most 30 degrees away at level 1, and at most half as far at each further level.
func (c Color) Child(level, ordinal int) Color {
	reach := 30 / math.Pow(2, float64(max(level, 1)-1))
	across := 2*fraction(0.5+plastic*float64(ordinal+1)) - 1
	up := 2*fraction(0.5+plastic2*float64(ordinal+1)) - 1
	return Color{
		Lightness: min(max(c.Lightness+0.10*up*reach/30, 0.45), 0.76),
		Chroma:    c.Chroma,
		Hue:       normalizeHue(c.Hue + reach*across),
	}
}

// Border returns a darker colour of the same hue, for the outline of a node.
func (c Color) Border() Color {
	c.Lightness *= 0.8
	return c
}

// Ink returns the colour of text on this background: white or nearly black.
func (c Color) Ink() string {
	if c.Lightness > 0.65 {
		return "#1F2430"
	}
	return "#FFFFFF"
}

// Hex returns the colour as #RRGGBB.
func (c Color) Hex() string {
	r, g, b := c.RGB()
	return fmt.Sprintf("#%02X%02X%02X", r, g, b)
}

// RGB returns the colour in sRGB. A colour outside its gamut loses chroma, not hue.
func (c Color) RGB() (r, g, b uint8) {
	for chroma := c.Chroma; ; chroma -= 0.004 {
		lr, lg, lb := linear(c.Lightness, max(chroma, 0), c.Hue)
		if chroma <= 0 || inGamut(lr) && inGamut(lg) && inGamut(lb) {
			return encode(lr), encode(lg), encode(lb)
		}
	}
}

func inGamut(v float64) bool { return v >= -1e-4 && v <= 1+1e-4 }

// linear converts OKLCH to linear sRGB by way of Oklab (Björn Ottosson's published
// matrices).
func linear(lightness, chroma, hue float64) (r, g, b float64) {
	sin, cos := math.Sincos(hue * math.Pi / 180)
	x, y := chroma*cos, chroma*sin
	l := lightness + 0.3963377774*x + 0.2158037573*y
	m := lightness - 0.1055613458*x - 0.0638541728*y
	s := lightness - 0.0894841775*x - 1.2914855480*y
	l, m, s = l*l*l, m*m*m, s*s*s
	return 4.0767416621*l - 3.3077115913*m + 0.2309699292*s,
		-1.2684380046*l + 2.6097574011*m - 0.3413193965*s,
		-0.0041960863*l - 0.7034186147*m + 1.7076147010*s
}

// encode applies the sRGB transfer function.
func encode(v float64) uint8 {
	v = min(max(v, 0), 1)
	if v <= 0.0031308 {
		v *= 12.92
	} else {
		v = 1.055*math.Pow(v, 1/2.4) - 0.055
	}
	return uint8(math.Round(v * 255))
}

func normalizeHue(degrees float64) float64 {
	d := math.Mod(degrees, 360)
	if d < 0 {
		d += 360
	}
	return d
}

func fraction(v float64) float64 { return v - math.Floor(v) }
