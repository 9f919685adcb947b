const REDACTED = '[redacted]'

const NAMES =
  'password|passwd|secret|client_secret|api_?key|access_token|refresh_token|id_token|auth_token|session_token|authorization|cookie|set-cookie|private_key'

/** A string member with the name of a secret. */
const MEMBER = new RegExp(`(?<!\\\\)"(${NAMES})"(\\s*:\\s*)"(?:[^"\\\\]|\\\\.)*"`, 'gi')
/** The same within JSON that is itself a string, as in the arguments of a tool call. */
const QUOTED_MEMBER = new RegExp(
  `(?<!\\\\)\\\\"(${NAMES})\\\\"(\\s*:\\s*)\\\\"(?:[^"\\\\]|\\\\\\\\(?:\\\\["\\\\]|[^"\\\\]))*\\\\"`,
  'gi',
)
const KEY = /\btg_(?:live|test)_[0-9A-Za-z]{16,}/g
const BEARER = /\b(Bearer|Basic)\s+[A-Za-z0-9._~+/-]{16,}=*/g
const USER_INFO = /\b([a-z][a-z0-9+.-]{1,20}:\/\/)[^\s/"'\\@:]{1,256}:[^\s/"'\\@]{1,256}@/gi
const QUERY =
  /([?&](?:token|sig|signature|x-amz-signature|x-amz-security-token|access_token|api_?key|key|password|secret)=)[^&"'\s\\#]{8,}/gi

/**
 * Replaces secrets in JSON text: keys of the gateway, credentials in addresses and headers, and
 * members such as "password". JSON stays valid.
 */
export function redactSecrets(text: string): string {
  return text
    .replace(MEMBER, `"$1"$2"${REDACTED}"`)
    .replace(QUOTED_MEMBER, `\\"$1\\"$2\\"${REDACTED}\\"`)
    .replace(KEY, REDACTED)
    .replace(BEARER, `$1 ${REDACTED}`)
    .replace(USER_INFO, `$1${REDACTED}@`)
    .replace(QUERY, `$1${REDACTED}`)
}
