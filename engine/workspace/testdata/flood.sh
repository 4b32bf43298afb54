#!/bin/sh
# Prints without end, or (finite) very much and then a last line.
case $1 in
lines) yes 'the quick brown fox 0123456789' ;;
noline) tr '\0' x </dev/zero ;;
err) yes E 1>&2 ;;
bin) cat /dev/urandom ;;
finite)
	yes | head -c 20000000
	echo
	echo END
	exit 3
	;;
esac
