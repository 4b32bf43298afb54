package engine

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"growbench/engine/event"
)

func TestWhatStandsIsFollowedFromThere(t *testing.T) {
	dir := t.TempDir()
	log, _, _, err := event.OpenLog(filepath.Join(dir, fileEvents), time.Now)
	must(t, err)
	defer log.Close()
	_, err = log.Append(false, event.RunStarted{Format: event.Version, Run: "r"}, event.RunEnded{Run: "r", Status: event.StatusStopped})
	must(t, err)
	stood, err := Stand(dir)
	must(t, err)
	if stood.State.Run != "r" || !stood.State.IsEnded() {
		t.Errorf("it stands as %+v", stood.State)
	}
	_, err = log.Append(false, event.RunResumed{Reason: "resume"})
	must(t, err)
	w := stood.Watch()
	defer w.Close()
	u, err := w.Next(context.Background())
	must(t, err)
	if len(u.Events) != 1 || u.Events[0].Seq != 3 {
		t.Errorf("followed from %+v", u.Events)
	}
}
