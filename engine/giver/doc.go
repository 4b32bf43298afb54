// Package giver is the conversation that runs come from. The operator and a
// model talk it over; what they decide becomes Task #0, and nothing else of the
// talk goes any further.
//
// A conversation is a stream of messages, kept as they come; what it is like
// now is their fold. The model has no tool that writes a file of the project or
// runs a command: it looks, remembers, drafts and asks. Whether a chain starts
// is the operator's word, and who carries that out is the host, not the model.
package giver
