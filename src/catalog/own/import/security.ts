/** The credentials of a file, from the security schemes of its operations. */
import { fieldsOf, isFields, listedFields, type Fields } from '../../../lib/json-fields.ts'
import type { OwnAuth } from '../own-file.ts'
import { readCredential } from '../to-record.ts'
import { asText } from './as-text.ts'
import { deref, type Document } from './document.ts'
import type { Operation } from './operation.ts'
import { Refusal } from './refusal.ts'

export type ChosenAuth = {
  readonly auth: OwnAuth
  /** Why an operation cannot be called with these credentials. Null if it can. */
  readonly refuse: (operation: Operation) => string | null
}

/** `wanted`: of the command line: "none", or the name of a header. Throws Refusal. */
export function chooseAuth(
  document: Document,
  operations: readonly Operation[],
  wanted: string | undefined,
): ChosenAuth {
  if (wanted !== undefined)
    return { auth: wanted === 'none' ? 'none' : headerAuth(wanted), refuse: () => null }
  const needs = operations.map((operation) => alternativesOf(document, operation))
  if (needs.every((one) => one === undefined))
    throw new Refusal(
      'The document declares no security. Add --auth-header NAME for a key in a header, or --no-auth.',
    )
  const choices = new Map<string, { readonly auth: OwnAuth; count: number }>()
  for (const alternative of needs.flatMap((one) => one ?? [])) {
    const { key, auth } = alternative
    if (auth === null || key === '') continue
    choices.set(key, { auth, count: (choices.get(key)?.count ?? 0) + 1 })
  }
  const [best] = [...choices].toSorted(([, a], [, b]) => b.count - a.count)
  const key = best?.[0] ?? ''
  return {
    auth: best?.[1].auth ?? 'none',
    refuse(operation) {
      const alternatives = alternativesOf(document, operation) ?? []
      if (alternatives.length === 0) return null
      if (alternatives.some((one) => one.key === key || one.key === '')) return null
      const problem = alternatives.find((one) => one.problem !== null)?.problem
      return (
        problem ?? `needs other credentials, ${alternatives[0]?.key}: import it as another service`
      )
    },
  }
}

type Alternative = {
  /** Names of the schemes. Empty for none. */
  readonly key: string
  readonly auth: OwnAuth | null
  readonly problem: string | null
}

/** Undefined if neither the operation nor the document declares any. */
function alternativesOf(
  document: Document,
  { fields }: Operation,
): readonly Alternative[] | undefined {
  const security = fields['security'] ?? document.root['security']
  if (!Array.isArray(security)) return undefined
  return listedFields(security).map((requirement) => readAlternative(document, requirement))
}

function readAlternative(document: Document, requirement: Fields): Alternative {
  const names = Object.keys(requirement).toSorted()
  const key = names.join(' and ')
  try {
    const schemes = names.map((name) => schemeOf(document, name))
    return { key, auth: toAuth(schemes), problem: null }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { key, auth: null, problem: error.message }
  }
}

function schemeOf(document: Document, name: string): Fields {
  const { root, isSwagger } = document
  const all = isSwagger
    ? root['securityDefinitions']
    : fieldsOf(root['components'])['securitySchemes']
  const scheme = deref(document, fieldsOf(all)[name])
  if (!isFields(scheme))
    throw new Refusal(`needs the security scheme "${name}", which is not described`)
  return { ...scheme, label: name }
}

function toAuth(schemes: readonly Fields[]): OwnAuth {
  const [scheme, ...others] = schemes
  if (scheme === undefined) return 'none'
  if (others.length > 0) return severalHeaders(schemes)
  const { type, in: place, name, scheme: http } = scheme
  const label = asText(scheme['label'])
  if (type === 'apiKey' && place === 'header') return headerAuth(asText(name), '')
  if (type === 'apiKey' && place === 'query') return { query: asText(name), value: '${KEY}' }
  const kind = type === 'basic' ? 'basic' : asText(http).toLowerCase()
  if (type === 'basic' || (type === 'http' && kind === 'basic'))
    return { basic: { user: '${USER}', password: '${PASSWORD}' } }
  if (type === 'http' && kind === 'bearer') return headerAuth('Authorization')
  if (type === 'oauth2' || type === 'openIdConnect')
    throw new Refusal(
      `needs a user who signs in ("${label}"): with a token of your own, add --auth-header Authorization`,
    )
  throw new Refusal(`needs credentials that the gateway cannot send ("${label}")`)
}

/** `prefix`: "Bearer " for the header Authorization by default. */
export function headerAuth(
  header: string,
  prefix = header.toLowerCase() === 'authorization' ? 'Bearer ' : '',
): OwnAuth {
  return { header, value: `${prefix}\${KEY}` }
}

function severalHeaders(schemes: readonly Fields[]): OwnAuth {
  if (!schemes.every(({ type, in: place }) => type === 'apiKey' && place === 'header'))
    throw new Refusal('needs several credentials at the same time, which are not all headers')
  return {
    headers: schemes.map(({ name }) => ({
      header: asText(name),
      value: `\${${settingFor(asText(name))}}`,
    })),
  }
}

function settingFor(header: string): string {
  const name = header
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, '_')
    .replaceAll(/^[_\d]+|_+$/g, '')
  return readCredential(`\${${name}}`) === undefined ? `KEY_${name}` : name
}
