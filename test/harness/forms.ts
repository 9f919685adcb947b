/** Forms of pages, sent as a browser sends them, and the cookie that comes back. */
import type { FastifyInstance, LightMyRequestResponse } from 'fastify'

export type SentForm = {
  readonly url: string
  readonly fields: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  /** The network address that it comes from. */
  readonly remoteAddress?: string
}

export function sendForm(app: FastifyInstance, { url, fields, headers = {}, ...from }: SentForm): Promise<LightMyRequestResponse> {
  return app.inject({ method: 'POST', url, ...from, headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers }, payload: new URLSearchParams(fields).toString() })
}

/** What the browser sends from then on. */
export function cookieOf(response: LightMyRequestResponse): string {
  return String(response.headers['set-cookie']).split(';', 1)[0] ?? ''
}
