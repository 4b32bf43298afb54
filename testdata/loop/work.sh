# A Worker: it writes the unit that its task names.
file=$(sed -n '/^### Target Files/{n;p;q}')
case $file in
  kib.sh) echo 'echo 1024' ;;
  mib.sh) echo 'echo $((1024 * 1024))' ;;
  gib.sh) echo 'echo $((1024 * 1024 * 1024))' ;;
esac > "$file"
cat <<END
# RESULT #1 (by Worker 1)

## Files
- modified: $file

## Signatures
- none

## Breaking
- none

## Summary
Wrote $file.
END
