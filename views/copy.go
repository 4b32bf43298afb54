package views

// Copy is a text that can be taken along, as it is, and what it is called.
type Copy struct{ Name, Text string }
