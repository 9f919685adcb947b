/** Makes a file of own actions from an OpenAPI document. It names each operation that no action can express, with the reason. */
import { fieldsOf } from '../../../lib/json-fields.ts'
import { credentialNames } from '../check-service.ts'
import type { OwnAction } from '../own-file.ts'
import { asText } from './as-text.ts'
import { readAnswers } from './answers.ts'
import { listOperations, readDocument, type Document } from './document.ts'
import { keepUsable, nothingLeft, type Built, type Imported } from './keep-usable.ts'
import { createNames } from './names.ts'
import type { Operation } from './operation.ts'
import { applyOverlay } from './overlay.ts'
import { readOwnPrice } from './own-price.ts'
import { Refusal } from './refusal.ts'
import { buildRequestOf } from './request.ts'
import { sampleOf } from './sample.ts'
import { clip, firstText, type Conversion } from './schema.ts'
import { chooseAuth } from './security.ts'
import { chooseServer, requireServer } from './servers.ts'

export type ImportOptions = {
  /** Without it, the title of the document. */
  readonly service?: string | undefined
  /** Cents of a call, for operations without a price in the document. */
  readonly cents?: string | undefined
  /** Operation ids, or names such as "GET /pets". All operations if undefined. */
  readonly only?: readonly string[] | undefined
  /** Overlay 1.0 documents, in order. */
  readonly overlays?: readonly string[]
  readonly server?: string | undefined
  /** "none", or the name of a header. */
  readonly auth?: string | undefined
  readonly isPrivate?: boolean
  /** The URL of the document. */
  readonly from?: string | undefined
  /** Names of services that no file may use. */
  readonly taken: ReadonlySet<string>
}

/** Throws Refusal for a document of which nothing can be imported. */
export async function importOpenApi(text: string, options: ImportOptions): Promise<Imported> {
  const document = (options.overlays ?? []).reduce<Document>(
    (base, overlay) => ({ ...base, root: applyOverlay(base.root, overlay) }),
    readDocument(text),
  )
  const refused = new Map<string, string>()
  const notes: string[] = []
  const operations = choose(listOperations(document, refused), refused, options.only)
  if (operations.length === 0) throw nothingLeft(refused)
  const { auth, refuse } = chooseAuth(document, operations, options.auth)
  const baseUrl = chooseServer(document, options.server, options.from)
  const names = createNames()
  const credentials = credentialNames(auth)
  const built = operations.flatMap((operation): Built[] => {
    try {
      const problem = refuse(operation)
      if (problem !== null) throw new Refusal(problem)
      if (options.server === undefined) requireServer(operation, baseUrl)
      const own: string[] = []
      const conversion: Conversion = {
        document,
        hints: new WeakMap(),
        isAnswer: false,
        note: (one) => void own.push(`${operation.name}: ${one}`),
      }
      const request = buildRequestOf(operation, credentials, conversion)
      const action = toAction(operation, request, conversion, options.cents, names)
      notes.push(...new Set(own))
      return [{ name: operation.name, action }]
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      refused.set(operation.name, error.message)
      return []
    }
  })
  const { title } = fieldsOf(document.root['info'])
  const head = {
    service: options.service ?? serviceName(firstText(title)),
    title: clip(firstText(title, 'API'), 80),
    base_url: baseUrl,
    ...(options.isPrivate === true ? { private: true } : {}),
    auth,
  }
  return { file: await keepUsable(head, built, refused, options.taken), refused, notes }
}

function choose(
  operations: readonly Operation[],
  refused: Map<string, string>,
  only: readonly string[] | undefined,
): readonly Operation[] {
  if (only === undefined) return operations
  const chosen = operations.filter(({ id, name }) => only.includes(id) || only.includes(name))
  const missing = only.filter(
    (one) => !operations.some(({ id, name }) => one === id || one === name),
  )
  const unread = missing.find((one) => refused.has(one))
  if (unread !== undefined) throw new Refusal(`${unread}: ${refused.get(unread)}.`)
  if (missing.length > 0)
    throw new Refusal(
      `The document has no operation ${missing.map((one) => `"${one}"`).join(', ')}.`,
    )
  refused.clear()
  return chosen
}

function toAction(
  operation: Operation,
  { params, request }: ReturnType<typeof buildRequestOf>,
  conversion: Conversion,
  cents: string | undefined,
  names: ReturnType<typeof createNames>,
): OwnAction {
  const { fields, name, id } = operation
  const price = readOwnPrice(fields, cents)
  const { simulate, outcome } = readAnswers(operation, conversion)
  const { summary, description, tags, 'x-tollgate-outcome': rules } = fields
  const line = clip(firstText(summary, description, name), 300)
  const keywords = Array.isArray(tags)
    ? tags.map((tag) => clip(asText(tag), 80)).filter(Boolean)
    : []
  return {
    action: names.claim(id === '' ? name : id),
    summary: line,
    ...(typeof description === 'string' && description.trim() !== ''
      ? { description: clip(description, 2_000) }
      : {}),
    ...(keywords.length === 0 ? {} : { keywords: keywords.slice(0, 30) }),
    params,
    request,
    price,
    // The checks of the file read the rest.
    outcome: Array.isArray(rules) ? (rules as OwnAction['outcome']) : [...outcome],
    // Other methods may be repeated: RFC 9110.
    ...(request.method === 'POST' || request.method === 'PATCH' ? { is_order: true } : {}),
    example: fieldsOf(sampleOf(params, conversion.hints, false)),
    simulate: [...simulate],
  }
}

/** The first word of the title. */
function serviceName(title: string): string {
  const words = title.toLowerCase().match(/[a-z][a-z0-9]*/g) ?? []
  const word = words.find(
    (one) => one.length > 2 && !['the', 'api', 'swagger', 'openapi'].includes(one),
  )
  return (word ?? 'own').slice(0, 30)
}
