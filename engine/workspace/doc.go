// Package workspace is where a run's agents work: the run's own clone of the
// project, the files they may read and change in it, the commands they run,
// and the git that records what came of it.
//
// Files are reached through os.Root, so that no path and no link leads out of
// the clone, and changed only within the Scope of a task. Commands get a
// session of their own and are ended as a whole; what gets away is found by a
// marker in its environment.
package workspace
