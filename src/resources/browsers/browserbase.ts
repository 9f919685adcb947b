/**
 * Browserbase with an API key. It sells no minutes and cannot extend a session: a session lasts for
 * the ordered time.
 */
import { vendorProxies } from '../../catalog/vocabulary/browser-proxies.ts'
import { textField } from '../../catalog/answers/vendor-failure.ts'
import { get, post } from '../../catalog/vocabulary/wire.ts'
import { AppError } from '../../errors/app-error.ts'
import { labelled, labelsOf, type Ask } from '../sessions/box.ts'
import {
  LONGEST_SECONDS,
  type BrowserDriver,
  type BrowserOrder,
  type BrowserState,
  type MadeBrowser,
} from './browser-driver.ts'

const ALIVE = /^(pending|running)$/i

/** The vendor, asked for one account. */
export function browserbaseDriver(ask: Ask): BrowserDriver {
  return {
    make: (order) => makeBrowser(ask, order),
    stateOf: (session) => stateOfBrowser(ask, session),
    end: (session) => endBrowser(ask, session),
    find: (label) => findBrowsers(ask, label),
  }
}

async function makeBrowser(
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

async function stateOfBrowser(ask: Ask, session: string): Promise<BrowserState> {
  const { status, body } = await ask({ ...get(pathOf(session)), acceptedStatuses: [404, 410] })
  const state = status === 404 || status === 410 ? 'ended' : textField(body, 'status')
  return { status: state, isAlive: ALIVE.test(state) }
}

/** Ends a session. No error if it has already ended. */
async function endBrowser(ask: Ask, session: string): Promise<void> {
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
async function findBrowsers(ask: Ask, label: string): Promise<readonly string[]> {
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
