/** A box of this process with its lifetime, its meter and its first command. */
import { closeSync, openSync, writeSync } from 'node:fs'
import { AppError } from '../../errors/app-error.ts'
import type { MachineUse } from '../sessions/machine-use.ts'
import type { Box, BoxCount } from './box.ts'
import { BoxEnded, boxGone, type BoxOutput } from './box-program.ts'
import type { BoxReply, BoxRequest, RunReply, StatusReply } from './box-requests.ts'
import { BOX_HOME } from './isolation/layout.ts'
import { toRelayed } from './relay.ts'

const SAVE_SECONDS = 240
const YIELD_RETRY_MS = 1_000
/** Each running program may store 2 MiB of output in the gateway. */
const MOST_PROGRAMS = 8
/** Ended by its time limit or by a request, which is not a failure. */
const KILLED = 137

/** `isMetered`: programs run only during requests, and each reply has the use. */
export type OpenBoxTerms = {
  readonly isMetered: boolean
  readonly lifeMs: number | null
  readonly firstCommand?: readonly string[] | undefined
}

export type OpenBox = {
  readonly accountId: string
  perform(request: BoxRequest, signal?: AbortSignal): Promise<BoxReply>
  /** Ends the box because its gateway process stops, which is a failure of running programs. */
  stop(): Promise<void>
}

/** `onYield` records why a session ends, and rejects if it may not end yet. */
export type BoxYield = { readonly now: () => number; readonly onYield: () => Promise<void> }

export function createOpenBox(
  box: Box,
  accountId: string,
  { isMetered, lifeMs, firstCommand }: OpenBoxTerms,
  onEnd: (last: StatusReply) => void,
  { now, onYield }: BoxYield = { now: () => performance.now(), onYield: async () => {} },
): OpenBox {
  let uses = 0
  let usedAtMs = now()
  let isYielding = false
  let active = 0
  let programs = 0
  let firstExit: number | null = null
  let isStopping = false
  let changing: Promise<unknown> = Promise.resolve()
  const timer = lifeMs === null ? undefined : setTimeout(() => void close(), lifeMs)

  function status(): StatusReply {
    const hasFailed = firstExit !== null && firstExit !== 0 && firstExit !== KILLED
    return {
      status: box.hasEnded() ? (hasFailed ? 'failed' : 'finished') : 'running',
      exitCode: firstExit,
      isolation: box.isolation,
      ...(isMetered && uses === 0 && !isYielding ? { idleMs: now() - usedAtMs } : {}),
      ...(isYielding ? { isYielding } : {}),
    }
  }

  async function close(): Promise<void> {
    clearTimeout(timer)
    await box.close()
  }

  void box.ended.then(() => {
    clearTimeout(timer)
    onEnd(status())
  })

  /** Changes of the freezer follow one another, so that the last one decides. */
  function inOrder<T>(work: () => Promise<T>): Promise<T> {
    const result = changing.then(work)
    changing = result.catch(() => undefined)
    return result
  }

  async function yieldPlace(idleMs: number): Promise<void> {
    if (!isMetered || (uses > 0 && idleMs > 0) || (uses === 0 && now() - usedAtMs < idleMs)) return
    isYielding = true
    if (uses === 0) await endForOthers()
  }

  /** Repeated until the programs of the session are charged. */
  async function endForOthers(): Promise<void> {
    try {
      await onYield()
      await close()
    } catch {
      if (!box.hasEnded()) setTimeout(() => void endForOthers(), YIELD_RETRY_MS).unref()
    }
  }

  /** Rejects new uses of a session that ends for another account. */
  async function used<T>(work: () => Promise<T>): Promise<T> {
    if (isYielding && !box.hasEnded()) throw yieldsPlace()
    uses += 1
    try {
      return await work()
    } finally {
      uses -= 1
      usedAtMs = now()
      if (isYielding && uses === 0) void endForOthers()
    }
  }

  /** A metered box is frozen while no request is active: idle time costs nothing. */
  const metered = (work: () => Promise<BoxOutput>): Promise<RunReply> =>
    used(() => meteredNow(work))
  async function meteredNow(work: () => Promise<BoxOutput>): Promise<RunReply> {
    if (!isMetered) return replyOf(work)
    const from = await inOrder(async () => {
      const count = await box.count()
      if (count === null || box.hasEnded()) throw boxGone()
      active += 1
      if (active === 1) await box.freeze(false)
      return count
    })
    const reply = await replyOf(work).catch((error: unknown): RunReply => {
      return {
        stdout: '',
        stderr: '',
        exitCode: KILLED,
        isTimedOut: false,
        failure: toRelayed(error),
      }
    })
    // Also after a failure: the programs of the box used it meanwhile.
    const to = await inOrder(async () => {
      active -= 1
      if (active === 0 && !box.hasEnded()) await box.freeze(true)
      return box.count()
    }).catch(() => null)
    if (isStopping) throw boxGone()
    return to === null ? reply : { ...reply, use: useBetween(from, to) }
  }

  /** A program that ended its box has a result, because it used the box. */
  async function replyOf(work: () => Promise<BoxOutput>): Promise<RunReply> {
    try {
      return toReply(await work())
    } catch (error) {
      if (!(error instanceof BoxEnded) || isStopping) throw error
      return {
        ...toReply({ ...error.output, exitCode: KILLED, isTimedOut: false }),
        hasEnded: true,
      }
    }
  }

  async function limited(work: () => Promise<BoxOutput>): Promise<RunReply> {
    if (programs >= MOST_PROGRAMS)
      throw new AppError(
        'rate_limited',
        `${MOST_PROGRAMS} programs of this machine are running already. Nothing was charged.`,
        { fix: 'Send the request again when one has ended.', retryAfterSeconds: 1 },
      )
    programs += 1
    try {
      return await metered(work)
    } finally {
      programs -= 1
    }
  }

  async function save(path: string, mostBytes: number): Promise<BoxOutput> {
    const file = openSync(path, 'wx', 0o600)
    try {
      const output = await box.run(['tar', '-C', BOX_HOME, '-cf', '-', '.'], {
        seconds: SAVE_SECONDS,
        mostBytes,
        onOutput: (bytes) => void writeSync(file, bytes),
      })
      if (output.exitCode === 0 && !output.isTimedOut) return output
      throw new AppError(
        'upstream_error',
        `The files could not be saved. ${output.stderr.toString('utf8').slice(0, 200)}`.trim(),
      )
    } finally {
      closeSync(file)
    }
  }

  if (firstCommand !== undefined)
    void box.run(firstCommand, { seconds: (lifeMs ?? 0) / 1000 + 60 }).then(
      ({ exitCode }) => {
        firstExit = exitCode
        // A failed first command ends the box, as at the vendor.
        if (exitCode !== 0) void close()
      },
      () => undefined,
    )
  if (isMetered) void inOrder(() => box.freeze(true))
  return {
    accountId,
    async perform(request, signal) {
      switch (request.kind) {
        case 'run':
          return limited(() => box.run(request.args, { seconds: request.seconds, signal }))
        case 'code':
          return limited(() =>
            box.runCode(request.language, request.code, { seconds: request.seconds, signal }),
          )
        case 'save':
          return metered(() => save(request.path, request.mostBytes))
        case 'status':
          return status()
        case 'yield':
          await yieldPlace(request.idleMs)
          return status()
        case 'close':
          await close()
          return status()
      }
    },
    stop() {
      isStopping = true
      return close()
    },
  }
}

function yieldsPlace(): AppError {
  return new AppError(
    'overloaded',
    'Another account waits for a machine, and this account has more than its share. This session ends when its running programs have ended. Nothing was charged for this program.',
    { fix: 'Use another session of this account, or open one later.', retryAfterSeconds: 15 },
  )
}

function toReply({ stdout, stderr, exitCode, isTimedOut }: BoxOutput): RunReply {
  return { stdout: stdout.toString('utf8'), stderr: stderr.toString('utf8'), exitCode, isTimedOut }
}

function useBetween(from: BoxCount, to: BoxCount): MachineUse {
  return {
    from: counted(from),
    to: counted(to),
    memoryBytes: Math.round((from.memoryBytes + to.memoryBytes) / 2),
  }
}

function counted({ boot, upMicroseconds, cpuMicroseconds }: BoxCount): MachineUse['from'] {
  return { boot, upMicroseconds, cpuMicroseconds }
}
