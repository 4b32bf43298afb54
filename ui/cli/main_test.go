package cli

import (
	"os"
	"os/signal"
	"syscall"
	"testing"
)

// playing, when set, makes the test binary growbench itself: the owners it
// starts are then this binary too.
const playing = "GROWBENCH_TEST_MAIN"

func TestMain(m *testing.M) {
	if os.Getenv(playing) == "1" {
		os.Exit(Main(os.Args[1:], &App{IO: Std(), Demo: os.DirFS(os.Getenv(sampleDir))}))
	}
	// What is caught here is not ignored in a child, however the tests
	// themselves were started (nohup).
	signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP)
	os.Exit(m.Run())
}

// sampleDir names the folder that is embedded in the real program.
const sampleDir = "GROWBENCH_TEST_SAMPLE"
