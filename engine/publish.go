package engine

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"growbench/engine/event"
	"growbench/engine/workspace"
)

// publisher fetches the Workers' commits into the user's repository, one after
// the other, off the chain's way.
type publisher struct {
	queue chan published
	done  chan struct{}
	once  sync.Once
	errs  []error
}

// published is the commit of Worker k, or one under a ref of its own.
type published struct {
	k      int
	ref    string
	commit string
}

// startPublishing begins with what an earlier owner may not have got to.
func (o *owner) startPublishing() {
	p := &o.publish
	p.queue = make(chan published, 64)
	p.done = make(chan struct{})
	tree := o.tree
	go func() {
		defer close(p.done)
		for c := range p.queue {
			ctx, cancel := context.WithTimeout(context.Background(), cleanup)
			var err error
			if c.ref != "" {
				err = tree.PublishAs(ctx, c.ref, c.commit)
			} else if err = tree.Publish(ctx, c.k, c.commit); err != nil {
				err = fmt.Errorf("bring Worker %d's commit into the repository: %w", c.k, err)
			}
			if err != nil {
				p.errs = append(p.errs, err)
			}
			cancel()
		}
	}()
	for _, w := range o.state.Workers {
		if w.State == event.Done && w.Commit != "" {
			p.add(w.K, w.Commit)
			if w.Outside.Ref != "" {
				p.addAs(w.Outside.Ref, w.Outside.Commit)
			}
		}
	}
}

func (p *publisher) add(k int, commit string) { p.queue <- published{k: k, commit: commit} }

func (p *publisher) addAs(ref, commit string) { p.queue <- published{ref: ref, commit: commit} }

// wait ends the publishing and returns what went wrong.
func (p *publisher) wait() error {
	if p.queue == nil {
		return nil
	}
	p.once.Do(func() { close(p.queue) })
	<-p.done
	return errors.Join(p.errs...)
}

// hand gives the user the branch, once every Worker is done. A chain that
// stopped half-way has its commits under refs/growbench/<run>/ instead.
func (o *owner) hand(status string) (branch, commit string, err error) {
	if err := o.publish.wait(); err != nil {
		return "", "", err
	}
	n := o.state.Plan.N
	if n == 0 || o.state.DoneWorkers() < n {
		return "", "", nil
	}
	commit = o.state.Worker(n).Commit
	if !o.tree.Project.HasRepo() {
		return "", commit, nil // the work is in the run's own clone
	}
	ctx, cancel := context.WithTimeout(context.Background(), cleanup)
	defer cancel()
	wanted := o.spec.Branch
	if wanted == "" {
		wanted = workspace.BranchName(o.spec.branchType(), o.state.Task0.Goal)
	}
	branch, err = o.tree.MadeBranch(ctx, wanted, commit)
	if err == nil && branch == "" {
		branch, err = o.tree.Branch(ctx, wanted, commit)
	}
	if err != nil {
		return "", commit, fmt.Errorf("make the branch %s: %w", wanted, err)
	}
	return branch, commit, nil
}

func (s Spec) branchType() string {
	if s.BranchType == "" {
		return "task"
	}
	return s.BranchType
}
