/** Sends the forms of pages as a browser does, and reads the cookie of the response. */
import type { FastifyInstance, LightMyRequestResponse } from 'fastify'

export type Fields = Readonly<Record<string, string>>

export type SentForm = {
  readonly url: string
  readonly fields: Fields
  readonly headers?: Fields
  /** The client's network address. */
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

/** The action and hidden fields of a form, as a browser without scripts sends them. Both are empty when the page lacks the form. */
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

/** The cookie that the browser sends after this response. */
export function cookieOf(response: LightMyRequestResponse): string {
  return String(response.headers['set-cookie']).split(';', 1)[0] ?? ''
}

/** The keys on a page. */
export function secretsIn({ body }: LightMyRequestResponse): string[] {
  return [...new Set(body.match(/tg_(?:live|test)_[0-9A-Za-z]{38}/g))]
}
