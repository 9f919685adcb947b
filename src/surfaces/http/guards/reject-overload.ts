import { AppError } from '../../../errors/app-error.ts'
import type { CallStarts } from '../direct/call-starts.ts'
import { DirectRequest } from '../direct/direct-request.ts'
import type { GroupOf } from '../direct/group-callers.ts'
import type { RouteReply, RouteRequest } from '../route-objects.ts'

const RETRY_AFTER_SECONDS = 1

/** Creates a hook that delays or rejects calls during overload, before any lookup. */
export function rejectOverload({
  starts,
  groupOf,
}: {
  readonly starts: CallStarts
  readonly groupOf: GroupOf
}) {
  return function rejectCall(
    request: RouteRequest,
    _reply: RouteReply,
    done: (error?: Error) => void,
  ): void {
    const arrivedMs = performance.now()
    // `serveDirectly` starts its requests before it parses them.
    if (
      (request.raw as unknown) instanceof DirectRequest ||
      request.method === 'GET' ||
      starts.admits(arrivedMs)
    ) {
      done()
      return
    }
    const { url, headers } = request
    const { socket } = request.raw
    starts.wait({
      group: groupOf({ url, headers, socket }),
      arrivedMs,
      isEarly: false,
      get isWaiting() {
        return !socket.destroyed
      },
      start: () => done(),
      reject: () =>
        done(new AppError('overloaded', undefined, { retryAfterSeconds: RETRY_AFTER_SECONDS })),
    })
  }
}
