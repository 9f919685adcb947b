import { createHash } from 'node:crypto'
import { canonicalJson } from '../lib/canonical-json.ts'
import { redactSecrets } from './redact-secrets.ts'

/** The stored form of a call, and the digest that finds it. Calls that differ only in secrets match. */
export function matchOf(
  route: string,
  input: unknown,
): { readonly input: string; readonly digest: Buffer } {
  const text = redactSecrets(canonicalJson(input))
  return { input: text, digest: createHash('sha256').update(`${route}\n${text}`).digest() }
}
