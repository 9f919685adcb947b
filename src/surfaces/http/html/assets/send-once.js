/** A double click sends a form once. The answer to a first click that shows secrets once must not be lost to a second. */
const APART_MS = 5000

for (const form of document.forms) {
  let sentAt = -APART_MS
  form.addEventListener('submit', (event) => {
    if (event.timeStamp - sentAt < APART_MS) event.preventDefault()
    else sentAt = event.timeStamp
  })
}
