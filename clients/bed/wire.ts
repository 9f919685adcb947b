/** Types that the simulated upstream's APIs share. */
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'

export type Fields = Readonly<Record<string, unknown>>

/** One request to the upstream, and the bill it wrote for it. */
export type Billed = {
  /** As in OpenRouter, so that the gateway asks for the bill of an interrupted response. */
  readonly id: string
  readonly path: string
  readonly promptTokens: number
  completionTokens: number
  /** The response ended, or its reader left. */
  isOver: boolean
}

export type Asked = {
  readonly body: Fields
  readonly text: string
  readonly headers: IncomingHttpHeaders
  readonly response: ServerResponse
  readonly bill: Billed
}

export const PROMPT_TOKENS = 12

export function fields(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {}
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : []
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

/** Writes a token every 20 ms until the reader leaves or 2 000 are written. */
export async function writeEndless(asked: Asked, write: (word: string) => void): Promise<void> {
  const { response, bill } = asked
  while (!response.destroyed && !response.closed && bill.completionTokens < 2_000) {
    write('more ')
    bill.completionTokens += 1
    await new Promise((next) => setTimeout(next, 20))
  }
}
