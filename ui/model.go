package ui

import (
	"context"
	"image/color"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"growbench/engine/event"
	"growbench/theme"
	"growbench/theme/text"
	"growbench/views"
)

const (
	framesPerSecond = 30
	// streamEvery is how long repaints caused by what streams in are merged.
	streamEvery = 80 * time.Millisecond
)

// model routes: messages change the state, the state goes to the panes, the
// panes become a frame. It does no input or output; Cmds do.
type model struct {
	ctx        context.Context
	o          Options
	theme      views.Look
	looks      int          // changes of the theme so far
	background color.Color  // what the terminal answered, nil before
	state      *event.State // the fold
	seen       *event.State // the fold as it looks now, what panes draw
	owner      bool
	screen     size
	focus      pane
	aside      pane // what the column beside the chain shows
	board      board
	follow     follower
	search     search
	seek       context.CancelFunc // ends the look for a call that lies elsewhere
	wide       bool               // the focused pane has the whole width
	paper      rendering
	stack      []overlay

	line      line             // being typed at the bottom, nil when nothing is
	filters   map[pane]*filter // of the lists that show only a part
	areas     []area           // where the panes were drawn
	sheet     area             // where what is open on top was drawn, without its frame
	cursor    *tea.Position    // of what is being typed
	unmoused  bool             // the mouse was given to the terminal
	moved     bool             // the mouse changed something
	attention attention

	talk *talk // the conversation, once it was opened
	grow growing

	visit    showing              // the run on the screen
	replay   *replay              // nil unless that run is played again
	listing  bool                 // the list of runs is shown in the place of the run
	runs     runsList             // of the project
	chart    chart                // the project's map
	errands  map[string]*underway // by run directory, "" for the project
	answered map[string]bool      // questions answered from here whose end is not seen yet
	unasked  overlay              // the last that came up by itself,
	risen    time.Time            // and when

	pinned   bool // the operator picked an agent: do not follow the chain
	begins   bool // the run's owner is being started
	stopping bool
	ascii    bool // the terminal shows nothing else
	quit     bool // leave as soon as the run has ended
	notice   string
	ctrlC    time.Time // of the last one
	ticking  bool
	flushing bool
	painted  time.Time
	frame    string
	title    string
}

// board is the panes.
type board struct {
	chain      views.Chain
	transcript views.Transcript
	results    views.Results
	ledger     views.Ledger
}

func newBoard(look views.Look) board {
	return board{views.NewChain(look), views.NewTranscript(look), views.NewResults(look), views.NewLedger(look)}
}

type size struct{ width, height int }

func newModel(ctx context.Context, o Options, th theme.Theme) *model {
	look := views.NewLook(th)
	m := &model{
		ctx: ctx, o: o, theme: look, errands: map[string]*underway{}, runs: runsList{view: views.NewRuns(look)},
		listing: o.Source == nil, chart: newChart(look),
	}
	m.ascii = th.Symbols.Ellipsis == theme.ASCII().Ellipsis
	source := o.Source
	if source == nil {
		source = nowhere{}
	}
	m.goTo(source, o.Mode, o.ComeBack, o.State)
	if m.replay != nil {
		m.replay.speed = o.Speed
	}
	m.begins = o.Begin != nil
	if o.Project != nil {
		m.lookAtRuns()
	}
	if o.OnMap && m.mapped() {
		m.show(mapPane)
	}
	return m
}

func (m *model) init() tea.Cmd {
	cmds := []tea.Cmd{m.start(), m.beginRun(), m.askRuns(0), m.tendMap(), m.firstLookAtMap(), m.watchLoop()}
	m.attention.seen(m.o.Clock())
	if m.dresses() {
		cmds = append(cmds, tea.RequestBackgroundColor)
	}
	if m.o.Talking && m.o.Talk != nil {
		cmds = append(cmds, m.openTalk())
	}
	return tea.Batch(cmds...)
}

// update routes one message.
func (m *model) update(msg tea.Msg) tea.Cmd {
	var cmd tea.Cmd
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.screen = size{msg.Width, msg.Height}
		m.compose()
	case tea.KeyPressMsg:
		m.attention.seen(m.o.Clock())
		cmd = m.key(msg.String(), msg.Text)
		m.compose()
	case tea.PasteMsg:
		m.attention.seen(m.o.Clock())
		cmd = m.paste(msg.Content)
		m.compose()
	case tea.MouseMsg:
		if cmd = m.mouse(msg); cmd != nil || m.moved {
			m.moved = false
			m.compose()
		}
	case tea.FocusMsg:
		m.attention.focus(true)
		m.look()
		cmd = m.lookAtMap()
	case tea.BlurMsg:
		m.attention.focus(false)
	case tea.BackgroundColorMsg:
		m.repaintOn(msg.Color)
		m.compose()
	case updateMsg:
		shows := m.owner != msg.update.OwnerAlive || len(msg.update.Events) > 0 || msg.err != nil
		first := !m.visit.known
		if cmd = m.receive(msg); shows {
			cmd = tea.Batch(cmd, m.soon(first))
		}
	case sheetsMsg:
		first := m.follow.size == 0
		cmd = m.gather(msg)
		cmd = tea.Batch(cmd, m.soon(first))
	case hitsMsg:
		cmd = tea.Batch(m.gatherHits(msg), m.soon(false))
	case seekMsg:
		m.arrive(msg)
		m.compose()
	case renderedMsg:
		m.paper.receive(msg)
	case documentMsg:
		m.showDocument(msg)
		m.compose()
	case diffMsg:
		m.showDiff(msg)
		m.compose()
	case begunMsg:
		cmd = m.begun(msg)
		m.compose()
	case sentMsg:
		m.sent(msg)
		m.compose()
	case rollMsg:
		first := !m.runs.known
		cmd = m.rolled(msg)
		cmd = tea.Batch(cmd, m.soon(first && m.listing))
	case playMsg:
		cmd = m.played(msg)
		m.compose()
	case lookedMsg, stepMsg, doneMsg, answeredMsg:
		cmd = m.errandNews(msg)
		m.compose()
	case mapStepMsg:
		cmd = tea.Batch(m.mapStepped(msg), m.soon(false))
	case surveyedMsg, sortedMsg, siftedMsg, pagedMsg, plannedMsg, mapDoneMsg, othersMsg, mapEditedMsg:
		cmd = m.mapNews(msg)
		m.compose()
	case firstLookMsg:
		cmd = m.lookAtMap()
	case talkMsg:
		first := msg.opened != nil || m.talk != nil && m.talk.look.Turn && !msg.look.Turn // an answer has ended
		cmd = tea.Batch(m.talked(msg), m.soon(first))
	case elsewhereMsg:
		cmd = tea.Batch(m.heardLoop(msg), m.soon(false))
	case formMsg:
		cmd = m.formed(msg)
		m.compose()
	case actedMsg:
		m.notice = msg.words
		m.compose()
	case copiedMsg:
		m.notice = msg.words
		m.compose()
	case editedMsg:
		m.edited(msg)
		m.compose()
	case contMsg:
		cmd = m.goOn()
	case backMsg:
		m.compose()
	case secondMsg:
		if m.ticking = false; m.ticks() {
			m.look()
			m.compose()
			cmd = tea.Batch(m.tick(), m.lookForOthers())
		}
	case flushMsg:
		m.flushing = false
		m.compose()
	case repaintMsg:
		m.compose()
	}
	return tea.Batch(cmd, m.render(), m.fetchSheets(), m.tendMap())
}

// view is the last frame composed; drawing again costs nothing.
func (m *model) view() tea.View {
	v := tea.NewView(m.frame)
	v.AltScreen = true
	v.ReportFocus = true
	if !m.unmoused {
		v.MouseMode = tea.MouseModeCellMotion
	}
	if m.cursor != nil {
		v.Cursor = tea.NewCursor(m.cursor.X, m.cursor.Y)
	}
	m.dressWindow(&v)
	return v
}

// look brings what depends on the time up to now.
func (m *model) look() {
	now := m.now()
	seen := *m.state
	seen.Workers = append([]event.Worker(nil), m.state.Workers...)
	seen.Look(m.owner, now)
	m.seen = &seen
	m.board.chain.SetState(m.seen, now)
	m.board.results.SetResults(m.paper.of(m.state))
	m.board.ledger.SetEntries(m.state.Ledger)
	m.title = text.Title(m.attention.mark()+m.loopTitle()+m.windowTitle(), 0)
}

func (m *model) windowTitle() string {
	title := "growbench"
	if m.onMap() && m.mapped() {
		return "map of " + m.o.Project.Name + " — growbench"
	}
	if m.listing && m.o.Project != nil {
		return m.o.Project.Name + " — growbench"
	}
	if name := projectName(m.state); name != "" {
		title = name + " — growbench"
	}
	if w := m.seen.Current(); w != nil {
		title = agentName(w.K) + " " + w.Title + " — " + title
	}
	return title
}

// dresses tells whether the look depends on the terminal's background.
func (m *model) dresses() bool {
	return m.o.Theme == theme.Auto || m.o.Theme == theme.Contrast
}

// repaintOn changes to the look that reads on a background.
func (m *model) repaintOn(background color.Color) {
	m.background = background
	if m.dresses() {
		m.wear(m.o.Theme, background)
	}
}

// wear changes to a theme.
func (m *model) wear(name string, background color.Color) {
	th, err := theme.New(name, background)
	if err != nil || th.Name == m.theme.Name && background == nil {
		return
	}
	th.Symbols = m.theme.Symbols
	m.theme = views.NewLook(th)
	m.looks++
	m.board.chain.SetLook(m.theme)
	m.board.transcript.SetLook(m.theme)
	m.board.results.SetLook(m.theme)
	m.board.ledger.SetLook(m.theme)
	m.runs.view.SetLook(m.theme)
	m.chart.setLook(m.theme)
}

// running tells whether the seconds mean anything: work goes on and waits for
// nobody, or not for ever.
func (m *model) running() bool {
	if m.replay != nil || !m.owner || !m.hasRun() || m.state.IsEnded() {
		return false
	}
	return len(m.state.Waits) == 0 || !m.state.Waits[0].Until.IsZero()
}

// ticks tells whether something on the screen counts seconds.
func (m *model) ticks() bool {
	return m.running() && !m.listing || len(m.errands) > 0 || m.countsDown() || m.onMap() && m.mapped() || m.chart.work != nil
}

// tick asks for the next second, once.
func (m *model) tick() tea.Cmd {
	if m.ticking || !m.ticks() {
		return nil
	}
	m.ticking = true
	return tea.Tick(time.Second, func(time.Time) tea.Msg { return secondMsg{} })
}

// soon paints what streamed in: at once after a pause, and where somebody waits
// for the first of it, else merged with what comes until the next paint is due.
func (m *model) soon(first bool) tea.Cmd {
	if first {
		m.compose()
		return nil
	}
	if m.flushing {
		return nil
	}
	since := m.o.Clock().Sub(m.painted)
	if since >= streamEvery || since < 0 {
		m.compose()
		return nil
	}
	m.flushing = true
	return tea.Tick(streamEvery-since, func(time.Time) tea.Msg { return flushMsg{} })
}

func (m *model) compose() {
	m.frame = m.draw()
	if m.ascii {
		m.frame = asciiSigns.Replace(m.frame)
	}
	m.painted = m.o.Clock()
}

// asciiSigns are the signs in our own words that an ASCII terminal lacks, each
// with one of the same width.
var asciiSigns = strings.NewReplacer("…", "~", "·", "-", "—", "-", "×", "x", "↓", "v", "→", ">", "↑", "^", "−", "-", "∞", "#")

// how says in which way the workbench was left.
func (m *model) how() How {
	switch {
	case m.atHome(), m.visit.mode != Live, m.begins:
		return Left
	case m.state.Status == event.StatusStopped && m.stopping:
		return Stopped
	case m.state.IsEnded():
		return Ended
	}
	return Left
}

type (
	secondMsg  struct{}
	flushMsg   struct{}
	repaintMsg struct{}
)
