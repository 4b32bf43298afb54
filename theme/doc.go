// Package theme turns meanings into looks: a view asks for Bad, Running or
// Selection and never for a colour.
//
// There are themes for dark and light terminals, one of high contrast for
// each, and one without colour. Whatever a colour says is said by a word or a
// sign as well (see [Theme.Badge]), so that nothing is lost without it.
package theme
