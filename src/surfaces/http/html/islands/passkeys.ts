/** Adds a passkey or signs in with one. Shows the parts of [data-passkeys] that this browser supports. */
import { Rejection, sendJson } from './parts/send-json.ts'

function start(place: HTMLElement): void {
  const state =
    location.origin !== place.dataset['origin']
      ? 'elsewhere'
      : supportsPasskeys()
        ? 'able'
        : 'unable'
  for (const part of place.querySelectorAll<HTMLElement>('[data-when]'))
    part.hidden = part.dataset['when'] !== state
  if (state !== 'able') return
  if (place.dataset['passkeys'] === 'add') offerToAdd(place)
  else offerToSignIn(place)
}

function supportsPasskeys(): boolean {
  const { PublicKeyCredential: credentials } = window as {
    PublicKeyCredential?: typeof PublicKeyCredential
  }
  return (
    credentials !== undefined &&
    'parseCreationOptionsFromJSON' in credentials &&
    'parseRequestOptionsFromJSON' in credentials &&
    'toJSON' in credentials.prototype
  )
}

function offerToAdd(place: HTMLElement): void {
  const form = place.querySelector('form')
  form?.addEventListener('submit', (event) => {
    event.preventDefault()
    void attempt(place, async () => {
      const { options } = await sendJson<{ options: PublicKeyCredentialCreationOptionsJSON }>(
        '/account/passkeys/options',
        {},
      )
      const credential = await navigator.credentials.create({
        publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options),
      })
      await sendJson('/account/passkeys', {
        label: new FormData(form).get('label'),
        credential: (credential as PublicKeyCredential).toJSON(),
      })
      location.assign('/account?done=passkey')
    })
  })
}

// A challenge expires after five minutes. Hidden pages do not request a new one.
const RENEW_MS = 4 * 60_000

function offerToSignIn(place: HTMLElement): void {
  let request = new AbortController()
  const signIn = async (mediation: CredentialMediationRequirement): Promise<void> => {
    request.abort()
    request = new AbortController()
    const { signal } = request
    const { options } = await sendJson<{ options: PublicKeyCredentialRequestOptionsJSON }>(
      '/sign-in/passkey/options',
      {},
    )
    const credential = await navigator.credentials.get({
      publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options),
      mediation,
      signal,
    })
    await sendJson('/sign-in/passkey', { credential: (credential as PublicKeyCredential).toJSON() })
    location.assign(place.dataset['next'] ?? '/balance')
  }
  // The browser offers passkeys in the email field. If that fails, the button still works.
  const offerInField = async (): Promise<void> => {
    if (!(await PublicKeyCredential.isConditionalMediationAvailable?.())) return
    const again = setTimeout(
      () => document.visibilityState === 'visible' && void offerInField(),
      RENEW_MS,
    )
    await signIn('conditional').catch((error: unknown) => {
      if (error instanceof Rejection) showMessage(place, error.message)
    })
    clearTimeout(again)
  }
  void offerInField()
  place
    .querySelector('button')
    ?.addEventListener('click', () => void attempt(place, () => signIn('optional')))
}

async function attempt(place: HTMLElement, work: () => Promise<void>): Promise<void> {
  const button = place.querySelector('button')
  const enable = (isEnabled: boolean): void => {
    if (button !== null) button.disabled = !isEnabled
  }
  showMessage(place, '')
  enable(false)
  try {
    await work()
  } catch (error) {
    showMessage(place, messageOf(error))
  }
  enable(true)
}

function showMessage(place: HTMLElement, text: string): void {
  const line = place.querySelector<HTMLElement>('[role=alert]')
  if (line === null) return
  line.textContent = text
  line.hidden = text === ''
}

function messageOf(error: unknown): string {
  if (error instanceof Rejection) return error.message
  const name = error instanceof Error ? error.name : ''
  if (name === 'NotAllowedError') return 'The passkey prompt was cancelled or timed out. Try again.'
  if (name === 'InvalidStateError') return 'This device already has a passkey for this account.'
  if (name === 'SecurityError') return 'The browser does not allow passkeys at this address.'
  return 'Something went wrong. Check your connection, then try again.'
}

const found = document.querySelector<HTMLElement>('[data-passkeys]')
if (found !== null) start(found)
