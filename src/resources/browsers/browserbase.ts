/**
 * Browserbase with an API key. It sells no minutes and cannot extend a session: a session lasts for
 * the ordered time.
 */
import { vendorProxies, type Proxies } from '../../catalog/vocabulary/browser-proxies.ts'
import { textField } from '../../catalog/answers/vendor-failure.ts'
import { get, post } from '../../catalog/vocabulary/wire.ts'
import { AppError } from '../../errors/app-error.ts'
import { labelled, labelsOf, type Ask } from '../sessions/box.ts'

/** The vendor's longest session. */
export const LONGEST_SECONDS = 21_600
const ALIVE = /^(pending|running)$/i

/** `label`: stored at the vendor, so that the session is found even if the response is lost. */
export type BrowserOrder = {
  readonly label: string
  readonly minutes: number
  readonly keepAlive: boolean | undefined
  readonly proxies: Proxies | undefined
}

/** `lastsMs`: how long after the order the vendor ends it. */
export type MadeBrowser = {
  readonly session: string
  readonly connectUrl: string
  readonly lastsMs: number
}

export type BrowserState = { readonly status: string; readonly isAlive: boolean }

export async function makeBrowser(
  ask: Ask,
  { label, minutes, keepAlive, proxies }: BrowserOrder,
): Promise<MadeBrowser> {
  const order = (seconds: number) =>
    ask(
      post('/v1/sessions', {
        timeout: seconds,
        keepAlive,
        proxies: vendorProxies(proxies, 'browserbase'),
        userMetadata: labelsOf(label),
      }),
    )
  let seconds = LONGEST_SECONDS
  const { body } = await order(seconds).catch((error: unknown) => {
    // Smaller plans do not allow such long sessions.
    if (
      !(error instanceof AppError) ||
      error.code !== 'upstream_rejected' ||
      minutes * 60 >= LONGEST_SECONDS
    )
      throw error
    seconds = minutes * 60
    return order(seconds)
  })
  const [session, connectUrl] = [textField(body, 'id'), textField(body, 'connectUrl')]
  if (session === '' || connectUrl === '')
    throw new AppError(
      'upstream_error',
      'The vendor opened a session without a connect URL. Nothing was charged.',
    )
  // Both times are by the vendor's clock, which may differ from ours.
  const lastsMs =
    Date.parse(textField(body, 'expiresAt')) - Date.parse(textField(body, 'createdAt'))
  return { session, connectUrl, lastsMs: lastsMs > 0 ? lastsMs : seconds * 1000 }
}

export async function stateOfBrowser(ask: Ask, session: string): Promise<BrowserState> {
  const { status, body } = await ask({ ...get(pathOf(session)), acceptedStatuses: [404, 410] })
  const state = status === 404 || status === 410 ? 'ended' : textField(body, 'status')
  return { status: state, isAlive: ALIVE.test(state) }
}

/** Ends a session. No error if it has already ended. */
export async function endBrowser(ask: Ask, session: string): Promise<void> {
  try {
    await ask({
      ...post(pathOf(session), { status: 'REQUEST_RELEASE' }),
      acceptedStatuses: [404, 410],
    })
  } catch (error) {
    if ((await stateOfBrowser(ask, session)).isAlive) throw error
  }
}

/** The live sessions with this label, of all that the operator's key can list. */
export async function findBrowsers(ask: Ask, label: string): Promise<readonly string[]> {
  const [[name, value] = ['', '']] = Object.entries(labelsOf(label))
  const { body } = await ask(get('/v1/sessions', { q: `user_metadata['${name}']:'${value}'` }))
  const living = Array.isArray(body)
    ? body.filter((one: unknown) => ALIVE.test(textField(one, 'status')))
    : []
  return labelled(living, label, 'id', 'userMetadata').flatMap(({ id = '' }) =>
    id === '' ? [] : [id],
  )
}

function pathOf(session: string): string {
  return `/v1/sessions/${encodeURIComponent(session)}`
}
