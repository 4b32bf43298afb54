package workspace

import (
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// attackCommand makes a copy of this test binary an attacker's tool.
const attackCommand = "__attack"

func TestMain(m *testing.M) {
	if len(os.Args) > 2 {
		switch os.Args[1] {
		case ConfineCommand:
			fmt.Fprintln(os.Stderr, Confine(os.Args[2:]))
			os.Exit(126)
		case attackCommand:
			if err := attackTools[os.Args[2]](os.Args[3:]...); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			os.Exit(0)
		}
	}
	os.Exit(m.Run())
}

// attackTools are what a shell script cannot do everywhere.
var attackTools = map[string]func(args ...string) error{
	"connect": func(args ...string) error { // network, address
		dialer := net.Dialer{Timeout: 5 * time.Second}
		network, multipath := strings.CutPrefix(args[0], "mp")
		dialer.SetMultipathTCP(multipath)
		conn, err := dialer.Dial(network, args[1])
		if err != nil {
			return err
		}
		defer conn.Close()
		_ = conn.SetDeadline(time.Now().Add(5 * time.Second))
		if args[0] == "udp" {
			if _, err := conn.Write([]byte("?")); err != nil {
				return err
			}
		}
		said := make([]byte, 100)
		n, err := conn.Read(said)
		fmt.Printf("%s\n", said[:n])
		return err
	},
	"truncate": func(args ...string) error { return os.Truncate(args[0], 0) },
	"times":    func(args ...string) error { return os.Chtimes(args[0], time.Unix(1, 0), time.Unix(1, 0)) },
	"trace": func(args ...string) error { // pid
		pid, err := strconv.Atoi(args[0])
		if err != nil {
			return err
		}
		if err := unix.PtraceSeize(pid); err != nil {
			return err
		}
		fmt.Println(secretText)
		return nil
	},
}
