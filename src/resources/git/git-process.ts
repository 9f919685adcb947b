import { spawn, type ChildProcessByStdio } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'

export type GitProcess = ChildProcessByStdio<Writable, Readable, Readable>

type Started = {
  readonly program: string
  readonly args: readonly string[]
  readonly folder: string
  readonly env?: Readonly<Record<string, string>>
  readonly config?: Readonly<Record<string, string>>
}

/** Kibibytes of address space and seconds of CPU time of one git process. */
const MEMORY_KIB = 3 * 1024 * 1024
const CPU_SECONDS = 300

/** A repository contains no configuration and no hooks of a caller, but a push is hostile input. */
const SAFE: Readonly<Record<string, string>> = {
  'core.hooksPath': '/dev/null',
  'core.packedGitLimit': '256m',
  'core.bigFileThreshold': '8m',
  'pack.threads': '1',
  'pack.windowMemory': '64m',
  'pack.deltaCacheSize': '32m',
  'protocol.allow': 'never',
  'safe.directory': '*',
}

/**
 * Starts git with its own settings only: no environment, no settings of the user or the machine, and
 * limits on memory and CPU time. It leads a process group, which `endGit` kills as a whole.
 */
export function startGit({ program, args, folder, env = {}, config = {} }: Started): GitProcess {
  const settings = Object.entries({ ...SAFE, ...config })
  const limited = `ulimit -v ${MEMORY_KIB}; ulimit -t ${CPU_SECONDS}; exec "$0" "$@"`
  const child = spawn('/bin/sh', ['-c', limited, program, ...args], {
    cwd: folder,
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
    env: {
      ...env,
      PATH: '/usr/local/bin:/usr/bin:/bin',
      HOME: '/nonexistent',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_TERMINAL_PROMPT: '0',
      GIT_CONFIG_COUNT: String(settings.length),
      ...Object.fromEntries(
        settings.flatMap(([key, value], index) => [
          [`GIT_CONFIG_KEY_${index}`, key],
          [`GIT_CONFIG_VALUE_${index}`, value],
        ]),
      ),
    },
  })
  // The end of the process reports a broken pipe.
  child.stdin.on('error', () => undefined)
  return child
}

/** Kills git and the programs that it started. */
export function endGit(child: GitProcess): void {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    // The group has ended.
  }
}
