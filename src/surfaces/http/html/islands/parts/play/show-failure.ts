/** Shows a message above the response, or removes it. */
export function showFailure(root: HTMLElement, message: string): void {
  const place = root.querySelector<HTMLElement>('[data-play-status]')
  const template = root.querySelector<HTMLTemplateElement>('template[data-play-error]')
  if (place === null || template === null) return
  place.replaceChildren()
  if (message === '') return
  place.append(template.content.cloneNode(true))
  const text = place.querySelector('.note > div')
  if (text !== null) text.textContent = message
}

/** The session has ended: offers a sign-in that leads back to this page. */
export function showSignIn(root: HTMLElement): void {
  for (const part of root.querySelectorAll<HTMLElement>('[data-signed-in]')) part.hidden = true
  for (const part of root.querySelectorAll<HTMLElement>('[data-signed-out]')) part.hidden = false
  showFailure(root, 'This browser is not signed in. Sign in, then run the call again.')
  root.querySelector<HTMLElement>('[data-signed-out] a')?.focus()
}
