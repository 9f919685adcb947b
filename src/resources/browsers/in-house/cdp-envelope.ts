/**
 * The outer fields of a message from the browser. Chromium writes the id or the method first and the
 * session last, so that a large message needs no parsing.
 */
export type Envelope = {
  readonly id: number | null
  readonly sessionId: string | null
  /** The session that an event adds or removes. */
  readonly attached: string | null
  readonly detached: string | null
}

const ANSWER = /^\{"id":(\d+),"(?:result|error)":/
const EVENT = /^\{"method":"([A-Za-z.]+)",/
const SESSION = /,"sessionId":"([0-9A-F]+)"\}$/
/** The longest end of a message that may name its session. */
const TAIL = 64

/** Null for a text of another form. */
export function readEnvelope(text: string): Envelope | null {
  const sessionId = SESSION.exec(text.slice(-TAIL))?.[1] ?? null
  const id = ANSWER.exec(text.slice(0, TAIL))?.[1]
  if (id !== undefined) return { id: Number(id), sessionId, attached: null, detached: null }
  const method = EVENT.exec(text.slice(0, 2 * TAIL))?.[1]
  if (method === undefined) return null
  const named = (event: string): string | null =>
    method === event
      ? ((JSON.parse(text) as { params: { sessionId?: string } }).params.sessionId ?? null)
      : null
  return {
    id: null,
    sessionId,
    attached: named('Target.attachedToTarget'),
    detached: named('Target.detachedFromTarget'),
  }
}

/** The message with another id, and with this session or none. */
export function rewriteEnvelope(
  text: string,
  { id: oldId, sessionId: oldSession }: Envelope,
  { id, sessionId }: { readonly id: number | null; readonly sessionId: string | null },
): string {
  const head = oldId === null || id === null ? '' : `{"id":${id}`
  const start = head === '' ? 0 : `{"id":${oldId}`.length
  const tail = sessionId === null && oldSession !== null ? '}' : ''
  const end = tail === '' ? text.length : text.length - `,"sessionId":"${oldSession}"}`.length
  return `${head}${text.slice(start, end)}${tail}`
}
