#!/usr/bin/env bash
# Runs the client tests against an engine: games through python-chess' driver, then the rules against
# python-chess and pyffish.
# usage: tests/clients/run.sh ENGINE [FOLDER FOR THE PYTHON ENVIRONMENT]
set -euo pipefail

if [[ $# -lt 1 || $# -gt 2 ]]; then
    echo "usage: $0 ENGINE [FOLDER FOR THE PYTHON ENVIRONMENT]" >&2
    exit 2
fi
engine=$(realpath -e -- "$1")
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)

work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
environment=${2:-$work/environment}

[[ -x $environment/bin/python ]] || python3 -m venv "$environment"
"$environment/bin/pip" install --quiet --disable-pip-version-check --requirement "$here/requirements.txt"

# The project's folder stays as it is.
export PYTHONDONTWRITEBYTECODE=1
failed=0
"$environment/bin/python" "$here/play_games.py" "$engine" || failed=1
"$environment/bin/python" "$here/differential.py" "$engine" || failed=1
exit "$failed"
