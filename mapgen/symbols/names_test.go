package symbols

// names renders exports as "Name" or "Name (default)", and exported members as
// "Owner.Name".
func names(f File) (exports, members []string) {
	for _, e := range f.Exports {
		name := e.Name
		if e.Default && name != "default" {
			name += " (default)"
		}
		exports = append(exports, name)
	}
	for _, m := range f.Members {
		if m.Exported {
			members = append(members, m.Owner+"."+m.Name)
		}
	}
	return exports, members
}
