// Package text makes text from outside safe to draw and measures it the way
// the renderer does.
//
// Everything a model, a tool, a file, a file name or another process produced
// passes through here before it reaches a screen, a log on a terminal or a
// window title:
//
//   - [Clean] and [Stream] turn it into plain lines: no escape sequence, no
//     control but the newline, progress bars in their last state.
//   - [Line] does the same for a table cell or a status bar: one line.
//   - [Visible] is for what a person has to judge (a command, a path, a
//     question of permission): nothing is removed, controls are spelled out.
//   - [Title] and [Notice] are for what is sent inside an escape sequence of
//     our own.
//
// [Measure] is the one width rule for layout: [WcWidth] until the terminal
// confirms mode 2027, [Grapheme] from then on. It counts as the renderer
// counts; its Pad, Truncate, Wrap and Steady return text that every rule in
// use (renderer, layout library, terminal) counts alike, so borders stay put.
//
// All widths are in terminal cells.
package text
