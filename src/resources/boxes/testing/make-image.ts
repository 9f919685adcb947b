/** An image of Podman with a few programs of this machine, because no registry is reachable. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cleanUp } from '../../../../test/harness/clean-up.ts'
import { findProgram } from '../../../lib/machine/find-program.ts'
import { openTopControlGroups } from '../../../lib/machine/control-groups.ts'
import { SYSTEM_PATH } from '../isolation/isolation.ts'

const PROGRAMS =
  'sh bash cat ls head tail grep seq sleep mkdir touch rm mv ln mknod mount unshare tar id wc kill true false env'
const FOLDERS = 'etc proc dev sys opt run var usr/bin usr/lib'
/** Copies programs, the libraries that they and Node.js need, and what belongs to Perl. */
const BUILD = `
set -eu
cd "$1"
mkdir -p ${FOLDERS}
mkdir -m 1777 tmp
for pair in bin:bin sbin:bin lib:lib lib64:lib64; do ln -s "usr/\${pair#*:}" "\${pair%:*}"; done
copy() { mkdir -p ".$(dirname "$2")"; cp -L "$1" ".$2"; }
for name in ${PROGRAMS}; do copy "/usr/bin/$name" "/usr/bin/$name"; done
[ -z "$3" ] || { copy /usr/bin/perl /usr/bin/perl; cp -r --parents /usr/lib/*/perl-base .; }
for file in usr/bin/* /usr/bin/perl "$2"; do ldd "$file" 2>/dev/null | grep -o '/[^ ]*' || true; done | sort -u |
  while read -r file; do case "$file" in /usr/*) copy "$file" "$file";; *) copy "$file" "/usr$file";; esac; done
tar -cf - . | podman import - "$4" >/dev/null 2>&1
`
let count = 0

/** Why containers cannot be tested here; false if they can. */
export async function findContainerSkip(): Promise<false | string> {
  if (process.getuid?.() !== 0) return 'needs root'
  if (findProgram('podman', SYSTEM_PATH) === null)
    return 'needs Podman (apt-get install podman runc)'
  const { controllers } = await openTopControlGroups()
  const hasLimits = (['memory', 'pids', 'cpu', 'cpuacct'] as const).every((one) =>
    controllers.has(one),
  )
  return !hasLimits && 'needs control groups'
}

/** The short name of a new image, which is removed at the end of the test file. */
export function makeImage(hasPerl = true): string {
  count += 1
  const name = `tollgate-test-${process.pid}-${count}:slim`
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-image-'))
  const full = `docker.io/library/${name}`
  execFileSync('/bin/sh', ['-c', BUILD, 'sh', folder, process.execPath, hasPerl ? '1' : '', full])
  rmSync(folder, { recursive: true, force: true })
  cleanUp(() => void execFileSync('podman', ['rmi', '--force', full], { stdio: 'ignore' }))
  return name
}
