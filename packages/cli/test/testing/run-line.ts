/** Runs the client in this process, on a terminal of a test. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cleanUp } from '../../../../test/harness/clean-up.ts'
import { runClient } from '../../src/run-client.ts'

export type Run = { readonly code: number; readonly out: string; readonly err: string }

export type Place = {
  readonly environment?: Readonly<Record<string, string>>
  /** Null for a pipe. */
  readonly columns?: number | null
  /** The piped standard input; null for a keyboard. */
  readonly input?: string | null
  readonly secret?: string
  readonly signal?: AbortSignal
}

/** A home folder for one test file. */
export function homeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-cli-'))
  cleanUp(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export async function runLine(words: readonly string[], place: Place = {}): Promise<Run> {
  const { environment = {}, columns = null, input = null, secret = null } = place
  const output = { out: '', err: '' }
  const code = await runClient(
    words,
    {
      program: 'tollgate',
      environment,
      outColumns: columns,
      errColumns: columns,
      out: (text) => void (output.out += text),
      err: (text) => void (output.err += text),
      readInput: async () => input,
      readSecret: async () => secret,
    },
    place.signal ?? new AbortController().signal,
  )
  return { code, ...output }
}
