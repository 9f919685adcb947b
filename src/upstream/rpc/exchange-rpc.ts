/** Calls a method of an MCP server over Streamable HTTP. Each call has a session of its own, so that callers share no state. */
import {
  fieldsOf,
  isFields,
  listedFields,
  parseFields,
  type Fields,
} from '../../lib/json-fields.ts'
import { versionOfTollgate } from '../../lib/version.ts'
import { exchange, type Incoming, type Limits, type Outgoing } from '../exchange.ts'
import type { Dispatches } from '../http1/plain-dispatcher.ts'

const PROTOCOL = '2025-06-18'
const SESSION = 'mcp-session-id'
/** JSON-RPC: the method or its parameters are invalid. */
const CALLER_ERRORS = [-32_601, -32_602]
const REJECTED = 400
const BROKEN = 502

/**
 * The body of `outgoing` has the parameters. An error of the tool or of the protocol has the status 400 or 502,
 * and its message at "/error/message". Rejects like `exchange`.
 */
export async function exchangeRpc(
  dispatcher: Dispatches,
  outgoing: Outgoing,
  limits: Limits,
  method: 'tools/call' | 'tools/list',
): Promise<Incoming> {
  const { beforeBytes: _, ...later } = limits
  const headers: Record<string, string> = {
    ...outgoing.headers,
    accept: 'application/json, text/event-stream',
  }
  const post = (message: object, given = later): Promise<Incoming> =>
    exchange(
      dispatcher,
      { ...outgoing, headers, body: JSON.stringify({ jsonrpc: '2.0', ...message }) },
      given,
    )
  const opened = await post(
    {
      id: 0,
      method: 'initialize',
      params: {
        protocolVersion: PROTOCOL,
        capabilities: {},
        clientInfo: { name: 'tollgate', version: versionOfTollgate() },
      },
    },
    limits,
  )
  const welcome = answerIn(opened, 0)
  if (!isFields(welcome?.['result'])) return refused(opened, welcome)
  const { protocolVersion: chosen } = welcome['result']
  const isHeader = typeof chosen === 'string' && /^[\w.-]{1,40}$/.test(chosen)
  headers['mcp-protocol-version'] = isHeader ? chosen : PROTOCOL
  const session = opened.headers[SESSION]
  if (session !== undefined) headers[SESSION] = session
  try {
    await post({ method: 'notifications/initialized' })
    const params = outgoing.body === null ? {} : parseFields(outgoing.body)
    const incoming = await post({ id: 1, method, params })
    const answer = answerIn(incoming, 1)
    if (!isFields(answer?.['result'])) return refused(incoming, answer)
    return { ...incoming, ...readResult(answer['result'], method) }
  } finally {
    // The answer does not wait for the end of the session, which servers may refuse.
    if (session !== undefined)
      void exchange(
        dispatcher,
        { ...outgoing, headers, method: 'DELETE', body: null },
        later,
      ).catch(() => {})
  }
}

/** The message with this id: the whole body, or one event of a stream. */
function answerIn({ text }: Incoming, id: number): Fields | undefined {
  const whole = parseFields(text)
  if (whole !== null) return whole
  return (
    text
      .split(/\r?\n\r?\n/)
      .map((event) =>
        parseFields(
          event
            .split(/\r?\n/)
            .filter((line) => line.startsWith('data:'))
            .map((line) => line.slice('data:'.length))
            .join('\n'),
        ),
      )
      .find((message) => message?.['id'] === id) ?? undefined
  )
}

function refused(incoming: Incoming, answer: Fields | undefined): Incoming {
  const isAnswered = incoming.status >= 200 && incoming.status < 300
  const { code, message } = fieldsOf(answer?.['error'])
  if (!isAnswered) return incoming
  const status = CALLER_ERRORS.includes(Number(code)) ? REJECTED : BROKEN
  return { ...incoming, status, text: errorText(message) }
}

function readResult(result: Fields, method: string): Pick<Incoming, 'status' | 'text'> {
  if (method === 'tools/list') return { status: 200, text: JSON.stringify(result) }
  const { isError, structuredContent, content } = result
  const parts = listedFields(content)
  if (isError === true) return { status: REJECTED, text: errorText(parts[0]?.['text']) }
  return {
    status: 200,
    text: isFields(structuredContent) ? JSON.stringify(structuredContent) : contentText(parts),
  }
}

function errorText(message: unknown): string {
  return JSON.stringify({ error: { message: typeof message === 'string' ? message : null } })
}

/** A tool that returns one text returns JSON or plain text. */
function contentText(parts: readonly Fields[]): string {
  const [{ type, text } = {}] = parts
  if (parts.length === 1 && type === 'text' && typeof text === 'string')
    return parseFields(text) === null ? JSON.stringify({ text }) : text
  return parts.length === 0 ? '' : JSON.stringify({ content: parts })
}
