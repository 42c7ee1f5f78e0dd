# Runs the tests for `.ci/run`, which sources this file.
log=$(mktemp)
flaky=()

# All but the last line of pytest, which is its summary: what is to stand above it comes first.
run() { make test ARGS="$*" | tee "$log" | head -n -1; }

# tests LABEL [ARGUMENTS…]: what fails is run once more, alone. A browser on a machine with other work
# to do may be late. The first failure stays in the output, and what fails again ends the run. The
# last lines name the tests that passed only the second time, those of earlier calls too.
tests() {
  local label=$1 failed name
  shift
  if ! run "$@"; then
    tail -n 1 "$log"
    failed=$(sed -nE 's:^(FAILED|ERROR) (tests/.*)$:\2:p' "$log" | sed 's/ - .*//' | sort -u)
    if ! run "$@" --last-failed; then
      tail -n 1 "$log"
      return 1
    fi
    while IFS= read -r name; do flaky+=("$name ($label)"); done <<<"$failed"
  fi
  for name in "${flaky[@]}"; do echo "flaky: $name"; done
  tail -n 1 "$log"
}
