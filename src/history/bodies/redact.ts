/** Names of fields whose values are never stored. */
const SECRET_NAMES =
  /^(?:authorization|proxy-authorization|cookie|set-cookie|x-api-key|(?:.*[_-])?(?:api[_-]?key|token|secret|password|passwd|passphrase|credentials?|private[_-]?key|access[_-]?key))$/i
/** Keys of gateways and of well-known services, and bearer tokens, within any text. */
const SECRET_TEXTS =
  /\btg_(?:live|test)_\w+|\bBearer\s+[\w.~+/=-]{8,}|\b(?:sk|rk|pk|ghp|gho|xox[abp])[-_][\w-]{16,}|-----BEGIN [A-Z ]*PRIVATE KEY-----[^-]*/g
// Camel case, as in "apiKey" and "accessToken".
const CAMEL = /([a-z0-9])([A-Z])/g

const HIDDEN = '(not stored)'

/** Removes secrets from JSON text, and from any other text those with a known form. */
export function redact(text: string): string {
  try {
    return redactValue(JSON.parse(text))
  } catch {
    return redactText(text)
  }
}

/** The JSON text of a value, without secrets. */
export function redactValue(content: unknown): string {
  return JSON.stringify(content, (name, value: unknown) =>
    isSecretName(name) && value !== null ? HIDDEN : hideTexts(value),
  )
}

function isSecretName(name: string): boolean {
  return SECRET_NAMES.test(name) || SECRET_NAMES.test(name.replaceAll(CAMEL, '$1_$2'))
}

function hideTexts(value: unknown): unknown {
  return typeof value === 'string' ? redactText(value) : value
}

function redactText(text: string): string {
  return text.replaceAll(SECRET_TEXTS, HIDDEN)
}
