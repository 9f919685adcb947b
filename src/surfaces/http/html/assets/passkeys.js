/** Adds a passkey or signs in with one. Shows the parts of [data-passkeys] that this browser supports. */
function start(place) {
  const state =
    location.origin !== place.dataset.origin ? 'elsewhere' : supportsPasskeys() ? 'able' : 'unable'
  for (const part of place.querySelectorAll('[data-when]'))
    part.hidden = part.dataset.when !== state
  if (state !== 'able') return
  if (place.dataset.passkeys === 'add') offerToAdd(place)
  else offerToSignIn(place)
}

function supportsPasskeys() {
  const { PublicKeyCredential: credentials } = window
  return (
    credentials !== undefined &&
    'parseCreationOptionsFromJSON' in credentials &&
    'parseRequestOptionsFromJSON' in credentials &&
    'toJSON' in credentials.prototype
  )
}

function offerToAdd(place) {
  const form = place.querySelector('form')
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void attempt(place, async () => {
      const { options } = await post('/account/passkeys/options', {})
      const credential = await navigator.credentials.create({
        publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options),
      })
      await post('/account/passkeys', {
        label: new FormData(form).get('label'),
        credential: credential.toJSON(),
      })
      location.assign('/account?done=passkey')
    })
  })
}

// A challenge expires after five minutes. Hidden pages do not request a new one.
const RENEW_MS = 4 * 60_000

function offerToSignIn(place) {
  let request = new AbortController()
  const signIn = async (mediation) => {
    request.abort()
    request = new AbortController()
    const { signal } = request
    const { options } = await post('/sign-in/passkey/options', {})
    const credential = await navigator.credentials.get({
      publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options),
      mediation,
      signal,
    })
    await post('/sign-in/passkey', { credential: credential.toJSON() })
    location.assign(place.dataset.next)
  }
  // The browser offers passkeys in the email field. If that fails, the button still works.
  const offerInField = async () => {
    if (!(await PublicKeyCredential.isConditionalMediationAvailable?.())) return
    const again = setTimeout(
      () => document.visibilityState === 'visible' && void offerInField(),
      RENEW_MS,
    )
    await signIn('conditional').catch((error) => {
      if (error instanceof Rejection) showMessage(place, error.message)
    })
    clearTimeout(again)
  }
  void offerInField()
  place
    .querySelector('button')
    .addEventListener('click', () => void attempt(place, () => signIn('optional')))
}

class Rejection extends Error {}

async function attempt(place, work) {
  const button = place.querySelector('button')
  showMessage(place, '')
  button.disabled = true
  try {
    await work()
  } catch (error) {
    showMessage(place, messageOf(error))
  }
  button.disabled = false
}

function showMessage(place, text) {
  const line = place.querySelector('[role=alert]')
  line.textContent = text
  line.hidden = text === ''
}

function messageOf(error) {
  if (error instanceof Rejection) return error.message
  if (error.name === 'NotAllowedError')
    return 'The passkey prompt was cancelled or timed out. Try again.'
  if (error.name === 'InvalidStateError')
    return 'This device already has a passkey for this account.'
  if (error.name === 'SecurityError') return 'The browser does not allow passkeys at this address.'
  return 'Something went wrong. Check your connection, then try again.'
}

async function post(path, body) {
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const answer = await response.json()
  if (answer.ok !== true) throw new Rejection(`${answer.error.message} ${answer.error.fix}`)
  return answer
}

const found = document.querySelector('[data-passkeys]')
if (found !== null) start(found)
