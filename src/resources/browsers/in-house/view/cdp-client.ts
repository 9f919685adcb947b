/** A client of a browser for the gateway's own use. */
import { AppError } from '../../../../errors/app-error.ts'
import type { CdpHub } from '../cdp-hub.ts'

export type CdpEvent = {
  readonly method: string
  readonly params: Readonly<Record<string, unknown>>
  readonly sessionId?: string
}

export type CdpClient = {
  /** Returns the result. Rejects with AppError if the browser rejects the command or does not answer. */
  send(method: string, params: object, sessionId?: string): Promise<Record<string, unknown>>
  close(): void
}

type Message = Partial<CdpEvent> & {
  readonly id?: number
  readonly result?: Record<string, unknown>
}

const TIMEOUT_MS = 10_000

/** `onFailed`: the hub ended the client. Rejects with AppError if the browser does not answer. */
export async function openCdpClient(
  hub: CdpHub,
  { onEvent, onFailed }: { onEvent(event: CdpEvent): void; onFailed(): void },
): Promise<CdpClient> {
  const waiting = new Map<number, (result: Record<string, unknown> | null) => void>()
  let lastId = 0

  function receive(text: string): void {
    const { id, result, method, params = {}, sessionId } = JSON.parse(text) as Message
    if (id !== undefined) waiting.get(id)?.(result ?? null)
    else if (method !== undefined)
      onEvent({ method, params, ...(sessionId === undefined ? {} : { sessionId }) })
  }

  const connection = await hub.connect({
    receive,
    fail() {
      connection.close()
      onFailed()
    },
  })
  return {
    async send(method, params, sessionId) {
      lastId += 1
      const id = lastId
      let timer: NodeJS.Timeout | undefined
      const result = await new Promise<Record<string, unknown> | null>((resolve) => {
        waiting.set(id, resolve)
        timer = setTimeout(() => resolve(null), TIMEOUT_MS).unref()
        connection.send(JSON.stringify({ id, method, params, sessionId }))
      })
      clearTimeout(timer)
      waiting.delete(id)
      if (result === null)
        throw new AppError('upstream_error', `The browser did not perform ${method}.`)
      return result
    },
    close: () => connection.close(),
  }
}
