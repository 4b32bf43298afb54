package ui

import "slices"

// openForm is the form that is being filled in for a work, if any. One in which
// nothing was typed is read anew.
func (t *talk) openForm(is func(formWork) bool) *form {
	for _, f := range t.forms {
		if is(f.work) && f.dirty {
			return f
		}
	}
	t.forms = slices.DeleteFunc(t.forms, func(f *form) bool { return is(f.work) })
	return nil
}

// typing numbers what is typed into forms, in its order.
func (t *talk) typing() uint64 {
	t.typings++
	return t.typings
}

// dropForm forgets a form.
func (t *talk) dropForm(f *form) {
	t.forms = slices.DeleteFunc(t.forms, func(o *form) bool { return o == f })
}
