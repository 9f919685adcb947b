/** Submits a form once on a double click. A second submit would hide the response to the first, which shows secrets once. */
const PAUSE_MS = 5000

export function guardForms(): void {
  for (const form of document.forms) {
    let sentAt = -PAUSE_MS
    form.addEventListener('submit', (event) => {
      if (form.method !== 'post') return
      if (event.timeStamp - sentAt < PAUSE_MS) event.preventDefault()
      else sentAt = event.timeStamp
    })
  }
}
