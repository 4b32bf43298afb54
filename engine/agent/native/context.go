package native

// Shares of the context at which a model is told to finish, and at which it
// can do nothing else.
const (
	nearlyFull = 0.80
	noMore     = 0.90
)

const (
	largestResult  = 24 << 10 // bytes of one result
	smallestResult = 1 << 10
)

// mindContext tells a model in time that its context comes to an end. Nothing
// is ever taken out of the conversation: what it was told stays true.
func (t *talk) mindContext() {
	share := t.share()
	if share >= noMore && !t.limited {
		t.set.Keep()
		t.limited = true
	}
	if share >= nearlyFull && !t.told {
		t.told = true
		t.ask("Your context is nearly full. Finish now: bring what you have into order and call " + t.handInName() + ".")
	}
}

// share is how much of its window the next exchange will fill, as far as it is
// known.
func (t *talk) share() float64 {
	if t.usage.Window <= 0 {
		return 0
	}
	added := float64(max(size(t.messages)-t.sent, 0)) / t.bytesAToken()
	return (float64(t.usage.Context) + added) / float64(t.usage.Window)
}

// bytesAToken is what a token of this conversation holds, by the server's own
// count.
func (t *talk) bytesAToken() float64 {
	const usual = 3.5
	if t.usage.In <= 0 || t.usage.Estimated {
		return usual
	}
	return min(max(float64(t.sent)/float64(t.usage.In), 1), usual)
}

// room is how long a result may be, in bytes: half of what the window has left.
func (t *talk) room() int {
	if t.usage.Window <= 0 {
		return largestResult
	}
	left := (1 - t.share()) * float64(t.usage.Window) * t.bytesAToken() / 2
	return min(max(int(left), smallestResult), largestResult)
}
