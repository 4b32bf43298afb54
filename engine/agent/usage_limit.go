package agent

import (
	"fmt"
	"time"
)

// UsageLimit ends an agent whose model server gives no more for now. It is no
// failure of the work: the same request can be made again after Until.
type UsageLimit struct {
	Until time.Time // zero when the server did not say
	Text  string    // the server's own words, cleaned of nothing
}

func (u *UsageLimit) Error() string {
	text := "its usage limit is reached"
	if !u.Until.IsZero() {
		text += " until " + u.Until.Format("2006-01-02 15:04:05 MST")
	}
	if u.Text != "" {
		text = fmt.Sprintf("%s (%.300s)", text, u.Text)
	}
	return text
}
