// Package loop is the grow loop: visible, interruptible continuation of a
// conversation. The scheduler decides when the next turn starts, never
// whether: that is the agent's and the operator's.
//
// It knows nothing of the program around it. A session is seen through two
// questions and one act (Session), and what the loop does is seen by Mirrors.
package loop
