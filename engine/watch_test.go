package engine

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"growbench/engine/event"
)

// An agent's words are no events: the watcher has nothing else to know them by
// than the owner's note.
func TestAWatcherIsToldOfWhatIsNoEvent(t *testing.T) {
	dir := t.TempDir()
	owned, err := takeLock(dir)
	must(t, err)
	defer owned.release()
	notes := newHub()
	srv, err := listen(filepath.Join(dir, "s"), notes, func(Command) error { return errors.New("nothing is asked here") })
	must(t, err)
	defer srv.close()
	go srv.serve()
	data, err := json.Marshal(Owner{Socket: srv.path})
	must(t, err)
	must(t, writeFile(filepath.Join(dir, fileOwner), data))

	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	w := Watch(dir)
	defer w.Close()
	for _, what := range []string{"the owner lives", "it was heard", "an agent spoke"} {
		if what == "an agent spoke" {
			notes.publish(note{K: 1, Item: &event.Item{Kind: event.ItemText, Text: "words"}})
		}
		u, err := w.Next(ctx)
		if err != nil || !u.OwnerAlive || len(u.Events) > 0 {
			t.Fatalf("%s: %+v %v", what, u, err)
		}
	}
}
