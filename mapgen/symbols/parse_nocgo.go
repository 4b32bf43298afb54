//go:build !cgo

package symbols

const haveGrammars = false

func parse(file *File, lang *language, _ []byte, _ Limits) {
	file.addNote("left out: built without a C compiler")
}
