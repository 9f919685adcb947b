/** Forms of pages, sent as a browser sends them, and the cookie that comes back. */
import type { FastifyInstance, LightMyRequestResponse } from 'fastify'

export type Fields = Readonly<Record<string, string>>

export type SentForm = {
  readonly url: string
  readonly fields: Fields
  readonly headers?: Fields
  /** The network address that it comes from. */
  readonly remoteAddress?: string
}

export function sendForm(
  app: FastifyInstance,
  { url, fields, headers = {}, ...from }: SentForm,
): Promise<LightMyRequestResponse> {
  return app.inject({
    method: 'POST',
    url,
    ...from,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    payload: new URLSearchParams(fields).toString(),
  })
}

/** A form of a page as a browser without scripts sends it: where it goes, and the fields that nobody types; nowhere, where there is none. */
export function formIn(
  { body }: LightMyRequestResponse,
  action: RegExp,
): { readonly action: string; readonly hidden: Fields } {
  for (const [, address = '', fields = ''] of body.matchAll(
    /<form[^>]* action="([^"]*)" method="post">(.*?)<\/form>/gs,
  )) {
    if (!action.test(address)) continue
    const hidden = [...fields.matchAll(/type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(
      ([, name = '', value = '']) => [name, value.replaceAll('&amp;', '&')],
    )
    return {
      action: address.replaceAll('&amp;', '&'),
      hidden: Object.fromEntries(hidden) as Fields,
    }
  }
  return { action: '', hidden: {} }
}

/** What the browser sends from then on. */
export function cookieOf(response: LightMyRequestResponse): string {
  return String(response.headers['set-cookie']).split(';', 1)[0] ?? ''
}

/** The keys that a page shows. */
export function secretsIn({ body }: LightMyRequestResponse): string[] {
  return [...new Set(body.match(/tg_(?:live|test)_[0-9A-Za-z]{38}/g))]
}
