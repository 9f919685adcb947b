/** Control and direction characters of third parties could rewrite the terminal. Line breaks and tabs stay. */
// eslint-disable-next-line no-control-regex
const UNSAFE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g

/** Text that a terminal only displays. */
export function safeText(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(UNSAFE, '')
}

/** The text on one line. */
export function safeLine(text: string): string {
  return safeText(text).replaceAll(/\s+/g, ' ').trim()
}
