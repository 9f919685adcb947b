import { recall, remember } from './stored.ts'

/** Public pages are cached for everyone, so the header learns from the last console page that this browser is signed in. */
export function showSession(): void {
  if (document.querySelector('[data-console]') !== null) remember('signed-in', 'yes')
  else if (document.querySelector('[data-sign-in]') !== null) forget()
  const isSignedIn = recall('signed-in') !== null
  for (const part of document.querySelectorAll<HTMLElement>('[data-signed-in]'))
    part.hidden = !isSignedIn
  for (const part of document.querySelectorAll<HTMLElement>('[data-signed-out]'))
    part.hidden = isSignedIn
}

/** After a sign-out, the next person at this browser starts without the key of the last one. */
function forget(): void {
  remember('signed-in', null)
  remember('test-key', null)
}
