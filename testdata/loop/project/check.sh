# Every unit that is not open any more must be right, and one must be.
done=0
for unit in kib:1024 mib:1048576 gib:1073741824; do
  said=$(sh "${unit%%:*}.sh")
  [ "$said" != open ] || continue
  [ "$said" = "${unit##*:}" ] || { echo "${unit%%:*}.sh says $said"; exit 1; }
  done=$((done + 1))
done
[ "$done" -ge "${1:-1}" ] || { echo "only $done units are done"; exit 1; }
