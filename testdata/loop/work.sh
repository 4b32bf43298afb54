# A Worker: it writes the unit that its task names, and a line at the end of the
# list of units.
file=$(sed -n '/^### Target Files/{n;p;q}')
case $file in
  kib.sh) echo 'echo 1024' ;;
  mib.sh) echo 'echo $((1024 * 1024))' ;;
  gib.sh) echo 'echo $((1024 * 1024 * 1024))' ;;
esac > "$file"
echo "${file%.sh}" >> units.txt
cat <<END
# RESULT #1 (by Worker 1)

## Files
- modified: $file
- modified: units.txt

## Signatures
- none

## Breaking
- none

## Summary
Wrote $file.
END
