# A Planner: one task, for the first target of Task #0.
file=$(sed -n '/^### Target Files/{n;p;q}')
cat <<END
{"tasks": [{"title": "print the unit", "layer": 0, "goal": "Write $file.", "background": "decided", "past_failures": "None — first attempt",
  "constraints": ["nothing else changes"], "target_files": ["$file"], "signatures": []}]}
END
