# A Planner: one task, for all targets of Task #0.
files=$(sed -n '/^### Target Files/,/^$/{/^#/d;/^$/d;s/.*/"&"/;p}' | paste -sd, -)
cat <<END
{"tasks": [{"title": "print the unit", "layer": 0, "goal": "Write the unit, and its line in units.txt.", "background": "decided", "past_failures": "None — first attempt",
  "constraints": ["nothing else changes"], "target_files": [$files], "signatures": []}]}
END
