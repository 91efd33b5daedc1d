#!/usr/bin/env bash
# Runs the client tests against an engine: the Python package with its own tests, then with its board games through
# python-chess' driver, and the rules against python-chess and pyffish.
# usage: tests/clients/run.sh ENGINE [FOLDER FOR THE PYTHON ENVIRONMENT]
set -euo pipefail

if [[ $# -lt 1 || $# -gt 2 ]]; then
    echo "usage: $0 ENGINE [FOLDER FOR THE PYTHON ENVIRONMENT]" >&2
    exit 2
fi
engine=$(realpath -e -- "$1")
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
package=$(realpath -e -- "$here/../../clients/python")

work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
environment=${2:-$work/environment}

# The project's folder stays as it is.
export PYTHONDONTWRITEBYTECODE=1 RUFF_NO_CACHE=true MYPY_CACHE_DIR=/dev/null
[[ -x $environment/bin/python ]] || python3 -m venv "$environment"
bin=$environment/bin
"$bin/pip" install --quiet --disable-pip-version-check --requirement "$here/requirements.txt"
"$bin/pip" install --quiet --disable-pip-version-check --no-deps --force-reinstall "$package"

failed=0
step() { "$@" || failed=1; }
cd -- "$package"
step "$bin/ruff" check . "$here" --config pyproject.toml
step "$bin/ruff" format --check . "$here" --config pyproject.toml
step "$bin/mypy" src tests examples
step "$bin/mypy" --config-file pyproject.toml "$here"
step "$bin/pytest" --quiet --engine="$engine"
step "$bin/python" "$here/play_games.py" "$engine"
step "$bin/python" "$here/differential.py" "$engine"
exit "$failed"
