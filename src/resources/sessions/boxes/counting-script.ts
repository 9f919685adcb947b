/** A shell script that runs a program with a time limit and reports the machine's usage. */
import { PROGRAMS } from '../box.ts'
import type { MachineCount, MachineUse } from '../machine-use.ts'
import type { SessionWork } from '../session-driver.ts'

/** Limit of each output stream of a program; the rest is cut. */
const MOST_BYTES = 4 * 1024 * 1024
/** Precedes the script's own lines on stderr: one before the program's output, one after it. */
const MARK = '\u001etollgate\u001e'
/** A program that ignores the signal at its time limit is killed after this time. */
const KILL_AFTER_SECONDS = 1

/**
 * Writes output to files instead of pipes, so that the script does not wait for background
 * processes. The counters are those of the control group. The root group does not count memory, so
 * there the script uses total minus available memory.
 */
export function countingScript(
  work: SessionWork,
  envs: Readonly<Record<string, string>>,
  seconds: number,
): string {
  const program = 'command' in work ? work.command : work.code
  const runner = 'command' in work ? 'bash -l' : PROGRAMS[work.language]
  const exports = Object.entries(envs).map(([name, value]) => `export ${name}=${quoted(value)}\n`)
  return `tollgate_count() {
  cpu=none total=0 free=0
  while read -r key value rest; do [ "$key" = usage_usec ] && cpu=$value; done </sys/fs/cgroup/cpu.stat
  if ! read -r memory </sys/fs/cgroup/memory.current; then
    while read -r key value rest; do case $key in MemTotal:) total=$value ;; MemAvailable:) free=$value ;; esac; done </proc/meminfo
    memory=$(((total - free) * 1024))
  fi
  read -r boot </proc/sys/kernel/random/boot_id
  read -r up rest </proc/uptime
  printf '%s %s %s %s' "$boot" "$up" "$cpu" "$memory"
}
tollgate_folder=$(mktemp -d) || exit 1
printf %s '${Buffer.from(program).toString('base64')}' | base64 -d >"$tollgate_folder/program" || { rm -rf "$tollgate_folder"; exit 1; }
printf '${MARK}%s\\n' "$(tollgate_count 2>/dev/null)" >&2
(
cd
${exports.join('')}exec timeout -k ${KILL_AFTER_SECONDS} ${seconds} ${runner} "$tollgate_folder/program"
) >"$tollgate_folder/out" 2>"$tollgate_folder/err" </dev/null
tollgate_code=$?
tollgate_after=$(tollgate_count 2>/dev/null)
head -c ${MOST_BYTES} "$tollgate_folder/out"
head -c ${MOST_BYTES} "$tollgate_folder/err" >&2
rm -rf "$tollgate_folder"
printf '${MARK}%s\\n' "$tollgate_after" >&2
exit $tollgate_code
`
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

/**
 * Separates the program's output from the script's lines: whether the program began, and its usage
 * if it could be read.
 */
export function withoutCounts(written: string): {
  readonly stderr: string
  readonly hasBegun: boolean
  readonly use?: MachineUse
} {
  const begun = written.startsWith(MARK) ? written.indexOf('\n') + 1 : 0
  if (begun === 0) return { stderr: written, hasBegun: false }
  const ended = written.lastIndexOf(MARK)
  if (ended < begun) return { stderr: written.slice(begun), hasBegun: true }
  const before = countOf(written.slice(MARK.length, begun))
  const after = countOf(written.slice(ended + MARK.length))
  const use =
    before === null || after === null
      ? {}
      : {
          use: {
            from: before.count,
            to: after.count,
            memoryBytes: Math.round((before.memoryBytes + after.memoryBytes) / 2),
          },
        }
  return { stderr: written.slice(begun, ended), hasBegun: true, ...use }
}

/** Stored in the session's row, so a value forged by a program must be short and valid text. */
const BOOT = /^[\w-]{1,64}$/

/** Parses uptime in seconds with hundredths, CPU time in microseconds, memory in bytes. */
function countOf(
  line: string,
): { readonly count: MachineCount; readonly memoryBytes: number } | null {
  const [boot = '', up, cpu, memory] = line.trim().split(' ')
  const upMicroseconds = Math.round(Number(up) * 1_000_000)
  const cpuMicroseconds = Number(cpu)
  const memoryBytes = Number(memory)
  const isCounted =
    BOOT.test(boot) &&
    [upMicroseconds, cpuMicroseconds, memoryBytes].every(
      (number) => Number.isSafeInteger(number) && number >= 0,
    )
  return isCounted ? { count: { boot, upMicroseconds, cpuMicroseconds }, memoryBytes } : null
}
