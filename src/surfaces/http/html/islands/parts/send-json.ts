/** The gateway rejected the request. The message has the fix. */
export class Rejection extends Error {}

type Envelope = {
  readonly ok: boolean
  readonly error?: { readonly message: string; readonly fix: string }
}

/** Posts JSON to a page of this gateway. Throws Rejection with the gateway's message, or TypeError without a connection. */
export async function sendJson<Answer = unknown>(path: string, body: unknown): Promise<Answer> {
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const answer = (await response.json()) as Envelope
  if (!answer.ok) throw new Rejection(`${answer.error?.message} ${answer.error?.fix}`)
  return answer as Answer
}
