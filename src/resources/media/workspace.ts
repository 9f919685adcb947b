/** A place where programs read files of callers: a box without a network, which leaves nothing behind. */
import { closeSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { AppError } from '../../errors/app-error.ts'
import { newId, type Id } from '../../lib/ids.ts'
import type { Clock } from '../../lib/clock.ts'
import type { BoxOutput } from '../boxes/box-program.ts'
import { setupOf, type BoxesDeps } from '../boxes/boxes-deps.ts'
import type { Box } from '../boxes/box.ts'

const COPY_SECONDS = 300

export type MadeFile = { readonly path: string; readonly sizeBytes: number }

/** Names of files are chosen by the gateway, never by a caller. */
export type Workspace = {
  /** Stores a file, whose size it returns. Reads the stream to its end, or destroys it. Throws its errors, and AppError `file_too_large`. */
  put(name: string, content: Readable, mostBytes: number): Promise<number>
  /** Runs a program to its end or for at most `seconds`. Throws the reason of the aborted signal. */
  run(args: readonly string[], seconds: number): Promise<BoxOutput>
  /** Copies a file out of the workspace, to a path that exists until its end. Throws AppError `file_too_large`. */
  take(name: string, mostBytes: number): Promise<MadeFile>
  /** The processor time of all programs so far, in milliseconds. At the end of a box that its programs ended, their time by the clock. */
  cpuMs(): Promise<number>
}

export type WorkspaceOrder = { readonly accountId: Id; readonly signal: AbortSignal }

/** Throws AppError `overloaded` if the machine has no capacity. */
export type UseWorkspace = <Result>(
  order: WorkspaceOrder,
  work: (workspace: Workspace) => Promise<Result>,
) => Promise<Result>

export function createBoxWorkspaces(boxes: BoxesDeps, cpus: number, now: Clock): UseWorkspace {
  const withoutNetwork = { ...boxes, network: null }
  return ({ accountId, signal }, work) =>
    boxes.host.use(
      { id: newId(now()), accountId, setup: setupOf(withoutNetwork, undefined, ''), cpus },
      (box, folder) => work(inBox(box, folder, signal)),
    )
}

function inBox(box: Box, folder: string, signal: AbortSignal): Workspace {
  let ranMs = 0
  return {
    async put(name, content, mostBytes) {
      const counted = countBytes(content, mostBytes)
      try {
        const args = ['dd', `of=${name}`, 'bs=64k', 'status=none']
        const output = await box.run(args, {
          seconds: COPY_SECONDS,
          signal,
          input: counted.bytes(),
        })
        signal.throwIfAborted()
        const error = counted.error()
        if (error !== null) throw error
        if (output.exitCode !== 0) throw noSpace()
        return counted.count()
      } finally {
        content.destroy()
      }
    },
    async run(args, seconds) {
      const startedMs = performance.now()
      const output = await box.run(args, { seconds, signal }).finally(() => {
        ranMs += performance.now() - startedMs
      })
      signal.throwIfAborted()
      return output
    },
    async cpuMs() {
      const counted = box.hasEnded() ? null : await box.count().catch(() => null)
      return counted === null ? ranMs : counted.cpuMicroseconds / 1000
    },
    async take(name, mostBytes) {
      const path = join(folder, 'made')
      const file = openSync(path, 'w', 0o600)
      let sizeBytes = 0
      try {
        const output = await box.run(['cat', name], {
          seconds: COPY_SECONDS,
          signal,
          mostBytes: mostBytes + 1,
          onOutput(bytes) {
            sizeBytes += writeSync(file, bytes)
          },
        })
        signal.throwIfAborted()
        if (output.exitCode !== 0) throw notMade()
        if (sizeBytes > mostBytes) throw tooLarge(mostBytes)
      } finally {
        closeSync(file)
      }
      return { path, sizeBytes }
    },
  }
}

/** The bytes of a stream. An error ends them and is reported afterwards, because the box only reads. */
export function countBytes(
  content: AsyncIterable<Buffer | string>,
  mostBytes: number,
): { bytes(): AsyncGenerator<Buffer>; count(): number; error(): unknown } {
  let problem: unknown = null
  let count = 0
  return {
    async *bytes() {
      try {
        for await (const piece of content) {
          const bytes = Buffer.from(piece)
          count += bytes.length
          if (count > mostBytes) {
            problem = tooLarge(mostBytes)
            return
          }
          yield bytes
        }
      } catch (error) {
        problem = error
      }
    },
    count: () => count,
    error: () => problem,
  }
}

export function tooLarge(mostBytes: number): AppError {
  return new AppError(
    'file_too_large',
    `The files of a call can have at most ${mostBytes} bytes here.`,
    { fix: 'Send smaller files.', details: { max_bytes: mostBytes } },
  )
}

function noSpace(): AppError {
  return new AppError('upstream_error', 'The file could not be stored for its processing.')
}

function notMade(): AppError {
  return new AppError('upstream_rejected', 'The program created no file.')
}
