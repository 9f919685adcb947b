/** Scripts in place of ffmpeg, ffprobe and espeak-ng, and a folder in place of a box. */
import { spawn } from 'node:child_process'
import { createWriteStream, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { cleanUp } from '../../../../test/harness/clean-up.ts'
import type { MediaPrograms } from '../media-deps.ts'
import type { UseWorkspace } from '../workspace.ts'

/** The first letters of a file stand for its content. */
const PROBE = `#!/bin/sh
for file in "$@"; do :; done
case "$(head -c 6 "\${file#file:}")" in
  film*|broken|slow*) echo '{"streams":[{"codec_type":"video","width":64,"height":48},{"codec_type":"audio"}],"format":{"duration":"2.0"}}' ;;
  sound*) echo '{"streams":[{"codec_type":"audio"}],"format":{"duration":"3.0"}}' ;;
  *) echo 'no media' >&2; exit 1 ;;
esac
`
/** Fails for a broken input, and does not end for a slow one. */
const FFMPEG = `#!/bin/sh
for out in "$@"; do :; done
for word in "$@"; do case "$word" in file:*) [ "$word" = "$out" ] || inputs="$inputs \${word#file:}" ;; esac; done
for file in $inputs; do case "$(head -c 6 "$file")" in
  broken) echo 'Invalid data found' >&2; exit 1 ;;
  slow*) exec sleep 600 ;;
esac; done
printf 'film made' >"\${out#file:}"
`
const ESPEAK = `#!/bin/sh
case "$*" in *"-v zz"*) echo 'The specified espeak-ng voice does not exist.' >&2; exit 1 ;; esac
{ printf 'sound of '; cat text.txt; } >speech
`

export type ScriptedPrograms = {
  readonly programs: MediaPrograms
  readonly use: UseWorkspace
  /** Workspaces that are open. */
  open(): number
  /** Sets the processor time of each further workspace. */
  cost(cpuMs: number): void
}

export function openScripts(): ScriptedPrograms {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-scripts-'))
  cleanUp(() => rmSync(folder, { recursive: true, force: true }))
  const install = (name: string, script: string): string => {
    const path = join(folder, name)
    writeFileSync(path, script, { mode: 0o700 })
    return path
  }
  let open = 0
  let cpuMs = 0
  return {
    programs: {
      ffmpeg: install('ffmpeg', FFMPEG),
      ffprobe: install('ffprobe', PROBE),
      espeak: install('espeak-ng', ESPEAK),
    },
    open: () => open,
    cost: (ms) => void (cpuMs = ms),
    async use({ signal }, work) {
      const home = mkdtempSync(join(folder, 'home-'))
      open += 1
      try {
        return await work({
          async put(name, content) {
            await pipeline(content, createWriteStream(join(home, name)))
            return statSync(join(home, name)).size
          },
          async run([program = '', ...args]) {
            const child = spawn(program, args, { cwd: home, stdio: ['ignore', 'pipe', 'pipe'] })
            const end = (): void => void child.kill('SIGKILL')
            signal.addEventListener('abort', end, { once: true })
            const [stdout, stderr, exitCode] = await Promise.all([
              buffer(child.stdout),
              buffer(child.stderr),
              new Promise<number>((done) => child.on('close', (code) => done(code ?? 137))),
            ])
            signal.throwIfAborted()
            return { stdout, stderr, exitCode, isTimedOut: false }
          },
          cpuMs: async () => cpuMs,
          async take(name) {
            return { path: join(home, name), sizeBytes: statSync(join(home, name)).size }
          },
        })
      } finally {
        open -= 1
        rmSync(home, { recursive: true, force: true })
      }
    },
  }
}
