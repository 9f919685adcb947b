/** Adds a passkey, or signs in with one: what stands in [data-passkeys] is shown as far as this browser can do it. */
function start(place) {
  const state =
    location.origin !== place.dataset.origin ? 'elsewhere' : knowsPasskeys() ? 'able' : 'unable'
  for (const part of place.querySelectorAll('[data-when]'))
    part.hidden = part.dataset.when !== state
  if (state !== 'able') return
  if (place.dataset.passkeys === 'add') offerToAdd(place)
  else offerToSignIn(place)
}

function knowsPasskeys() {
  const { PublicKeyCredential: known } = window
  return (
    known !== undefined &&
    'parseCreationOptionsFromJSON' in known &&
    'parseRequestOptionsFromJSON' in known &&
    'toJSON' in known.prototype
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

// A question is good for five minutes. Those of pages that nobody looks at are not asked anew.
const ASK_ANEW_MS = 4 * 60_000

function offerToSignIn(place) {
  let asked = new AbortController()
  const ask = async (mediation) => {
    asked.abort()
    asked = new AbortController()
    const { signal } = asked
    const { options } = await post('/sign-in/passkey/options', {})
    const credential = await navigator.credentials.get({
      publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options),
      mediation,
      signal,
    })
    await post('/sign-in/passkey', { credential: credential.toJSON() })
    location.assign(place.dataset.next)
  }
  // The browser offers passkeys in the field for the address. Whatever is in the way of that, the button is there.
  const offerInField = async () => {
    if (!(await PublicKeyCredential.isConditionalMediationAvailable?.())) return
    const again = setTimeout(
      () => document.visibilityState === 'visible' && void offerInField(),
      ASK_ANEW_MS,
    )
    await ask('conditional').catch((error) => {
      if (error instanceof Refusal) tell(place, error.message)
    })
    clearTimeout(again)
  }
  void offerInField()
  place
    .querySelector('button')
    .addEventListener('click', () => void attempt(place, () => ask('optional')))
}

class Refusal extends Error {}

async function attempt(place, work) {
  const button = place.querySelector('button')
  tell(place, '')
  button.disabled = true
  try {
    await work()
  } catch (error) {
    tell(place, sentence(error))
  }
  button.disabled = false
}

function tell(place, text) {
  const line = place.querySelector('[role=alert]')
  line.textContent = text
  line.hidden = text === ''
}

function sentence(error) {
  if (error instanceof Refusal) return error.message
  if (error.name === 'NotAllowedError')
    return 'No passkey was given: it was cancelled, or it took too long. Try again.'
  if (error.name === 'InvalidStateError')
    return 'This device holds a passkey of this account already.'
  if (error.name === 'SecurityError') return 'The browser allows no passkeys at this address.'
  return 'This did not work. Check the connection, then try again.'
}

async function post(path, body) {
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const answer = await response.json()
  if (answer.ok !== true) throw new Refusal(`${answer.error.message} ${answer.error.fix}`)
  return answer
}

const found = document.querySelector('[data-passkeys]')
if (found !== null) start(found)
