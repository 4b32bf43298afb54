package mapgen

import (
	"context"
	"errors"
	"sync"
)

// How many directories, or bytes of documents, are written together.
const (
	batchDirs = 256
	batchText = 8 << 20
)

// writer puts the documents of many directories in place. Each pair is written
// beside its place at once; when enough of them have gathered, all are brought
// to the disk together and then renamed, while the next ones gather. To ask
// the disk pair by pair takes longer than to work out what they say.
type writer struct {
	p    *Project
	skip func(dir string, err error) // told of what costs one directory

	turn   sync.Mutex // of putting a batch in place: the disk serves one at a time best
	mu     sync.Mutex // of what follows
	batch  []staged
	text   int
	failed error
}

// staged is a directory whose documents are written beside their places.
type staged struct {
	edition
	temps []*pendingFile
	done  []string
}

// add takes over a directory. It may wait for others to be put in place.
func (w *writer) add(ctx context.Context, r *record, c pair, done []string) (changed bool, err error) {
	if w.p.dry() {
		return false, w.p.commit(ctx, r, c, done)
	}
	e, err := w.p.edition(r, c, done)
	if err != nil {
		return false, err
	}
	s := staged{edition: e, done: done}
	if s.temps, err = w.p.prepareDocuments(e.docs); err != nil {
		discard(s.temps)
		return false, err
	}
	if batch := w.gather(s); batch != nil {
		w.putInPlace(ctx, batch)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return e.changes(), w.failed
}

// gather keeps a directory, and hands all out when they are many.
func (w *writer) gather(s staged) []staged {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.batch = append(w.batch, s)
	for _, d := range s.docs {
		w.text += len(d.data)
	}
	if len(w.batch) < batchDirs && w.text < batchText {
		return nil
	}
	batch := w.batch
	w.batch, w.text = nil, 0
	return batch
}

// flush puts everything in place that was added so far, also when the context
// has ended: only where another process is at work does it not wait then.
func (w *writer) flush(ctx context.Context) error {
	w.putInPlace(ctx, w.batch)
	w.batch, w.text = nil, 0
	return w.failed
}

func (w *writer) putInPlace(ctx context.Context, batch []staged) {
	w.turn.Lock()
	defer w.turn.Unlock()
	var temps []*pendingFile
	for _, s := range batch {
		temps = append(temps, s.temps...)
	}
	defer discard(temps)
	err := syncFiles(temps)
	if err == nil {
		errs := make([]error, len(batch))
		parallel(len(batch), func(i int) { errs[i] = w.finish(ctx, batch[i]) })
		err = errors.Join(errs...)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.failed = errors.Join(w.failed, err)
}

// finish puts one directory in place. Where somebody was there in the meantime,
// it is decided anew what the documents say.
func (w *writer) finish(ctx context.Context, s staged) error {
	ok, err := w.swap(ctx, s)
	if err == nil && !ok {
		err = w.p.commit(ctx, s.rec, w.p.compose(s.rec), s.done)
	}
	switch {
	case err == nil || w.p.vanished(s.rec.Dir, err):
		return nil
	case forgivable(err):
		w.skip(s.rec.Dir, err)
		return nil
	}
	return err
}

// swap renames the documents, if what they replace is what was there when they
// were written.
func (w *writer) swap(ctx context.Context, s staged) (ok bool, err error) {
	unlock, err := w.p.store.lock(ctx, s.rec.Dir)
	if err != nil {
		return false, err
	}
	defer unlock()
	for _, d := range s.docs {
		now, err := w.p.readDocument(d.rel)
		if err != nil {
			return false, err
		}
		if (now == nil) != (d.old == nil) || string(now) != string(d.old) {
			return false, nil
		}
	}
	if stop, err := w.p.replaces(s.rec.Dir, s.was, s.docs[0].data, s.docs[1].data); stop || err != nil {
		return stop, err
	}
	if err := putInPlace(s.temps); err != nil {
		if gone(err) {
			return false, nil
		}
		return false, err
	}
	return true, w.p.remember(s.edition)
}
