import type { OutgoingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { callIdOf, type RecentCall } from '../../../../history/calls/read-recent-calls.ts'
import { listCalls } from '../../../../history/calls/list-calls.ts'
import type { CallWatch } from '../../../../history/calls/watch-calls.ts'
import type { Histories } from '../../../../history/histories.ts'
import { seenBy } from '../../../../history/transaction-filter.ts'
import { AppError } from '../../../../errors/app-error.ts'
import type { Caller } from '../../../../keys/caller.ts'
import { idTimeMs, publicId, type Id } from '../../../../lib/ids.ts'
import { onlyMaker } from '../../../../lib/owner.ts'
import { whileAllowed } from '../../guards/while-allowed.ts'
import { onGone } from '../../connections/client-gone.ts'

export type StreamDeps = {
  readonly histories: Histories
  readonly callWatch: CallWatch
  /** Rejects when the caller may no longer read. */
  readonly recheck: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>
}

const BEAT_MS = 15_000
const LONGEST_MS = 300_000
const RECONNECT_AFTER_MS = 1_000
const MOST_UNREAD_BYTES = 256 * 1024
const MOST_RESUMED = 200

/**
 * Answers with server-sent events: `call` with the record of a call that began or ended, and `gap` when
 * there were more calls than a stream shows. Continues after the Last-Event-ID header. Throws AppError
 * rate_limited, invalid_params.
 */
export async function streamCalls(
  { histories, callWatch, recheck }: StreamDeps,
  caller: Caller,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const since = readLastEventId(request)
  const { raw } = reply
  const maker = onlyMaker(caller)
  const pending = new Set<Id>()
  let last: Id | null = since
  const early: RecentCall[] = []
  let isOpen = false

  function write(text: string): void {
    if (raw.writableEnded || raw.destroyed) return
    // A client that does not read continues later with its last event.
    if (raw.writableLength > MOST_UNREAD_BYTES) end()
    else raw.write(text)
  }

  function send(calls: readonly RecentCall[]): void {
    if (!isOpen) {
      early.push(...calls)
      return
    }
    const own = maker === null ? calls : calls.filter(({ call }) => isOf(call.agent_id, maker))
    for (const { id, call } of own) {
      if (call.charge === 'pending') pending.add(id)
      else pending.delete(id)
      if (last === null || id > last) last = id
      const oldest = [...pending].reduce((one, other) => (one < other ? one : other), last)
      write(`id: ${publicId('request', oldest)}\nevent: call\ndata: ${JSON.stringify(call)}\n\n`)
    }
  }

  const leave = callWatch.watch({
    accountId: caller.accountId,
    walletId: caller.walletId,
    onCalls: send,
    onGap: () => write('event: gap\ndata: {}\n\n'),
    onEnd: () => end(),
  })
  const beat = setInterval(() => write(': still open\n\n'), BEAT_MS)
  const limit = setTimeout(() => end(), LONGEST_MS)
  const stopChecks = whileAllowed(
    () => recheck(request, reply),
    () => end(),
  )

  function release(): void {
    leave()
    clearInterval(beat)
    clearTimeout(limit)
    stopChecks()
  }

  function end(): void {
    release()
    if (!raw.writableEnded) raw.end()
  }

  try {
    const missed = since === null ? null : await readMissed(histories, caller, since)
    raw.writeHead(200, {
      ...(reply.getHeaders() as OutgoingHttpHeaders),
      'x-request-id': publicId('request', request.id),
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    })
    reply.hijack()
    onGone(raw, end)
    isOpen = true
    write(`retry: ${RECONNECT_AFTER_MS}\n\n`)
    if (missed?.isGap === true) write('event: gap\ndata: {}\n\n')
    send([...(missed?.calls ?? []), ...early])
  } catch (error) {
    release()
    throw error
  }
}

function isOf(agentId: string | null, keyId: Id): boolean {
  return agentId === publicId('key', keyId)
}

/** The calls since the last event, with it, because it may have been pending. */
async function readMissed(
  histories: Histories,
  caller: Caller,
  since: Id,
): Promise<{ readonly calls: readonly RecentCall[]; readonly isGap: boolean }> {
  const { calls, nextCursor } = await listCalls(histories(caller.accountId), {
    walletId: caller.walletId,
    filter: { fromMs: idTimeMs(since), ...seenBy(caller) },
    cursor: null,
    limit: MOST_RESUMED,
  })
  const missed = calls.toReversed().flatMap((call) => {
    const id = call.id === null ? null : callIdOf(call.id)
    return id === null || id < since ? [] : [{ id, call }]
  })
  return { calls: missed, isGap: nextCursor !== null }
}

function readLastEventId({ headers }: FastifyRequest): Id | null {
  const text = headers['last-event-id']
  if (text === undefined || text === '') return null
  const id = typeof text === 'string' ? callIdOf(text) : null
  if (id !== null) return id
  throw new AppError('invalid_params', 'The Last-Event-ID header is not the id of a call.', {
    param: 'Last-Event-ID',
    fix: 'Send the id of the last event of this stream, or omit the header.',
  })
}
