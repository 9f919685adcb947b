/** Makes a file of own actions from the tools of an MCP server. The file is the contract: the tools are not listed again. */
import { fieldsOf, isFields, type Fields } from '../../../lib/json-fields.ts'
import { GATEWAY_PARAM } from '../check-action.ts'
import type { OwnAction, OwnAuth } from '../own-file.ts'
import { asText } from './as-text.ts'
import { keepUsable, type Built, type Imported } from './keep-usable.ts'
import { createNames, type Names } from './names.ts'
import { readOwnPrice } from './own-price.ts'
import { Refusal } from './refusal.ts'
import { sampleOf } from './sample.ts'
import { clip, convertSchema, firstText, type Conversion } from './schema.ts'

export type McpOptions = {
  readonly url: string
  readonly service: string
  readonly cents: string | undefined
  /** Names of tools. All if undefined. */
  readonly only: readonly string[] | undefined
  readonly auth: OwnAuth
  readonly isPrivate: boolean
  readonly taken: ReadonlySet<string>
}

/** `tools`: as listed by the server. Throws Refusal if none can be imported. */
export async function importMcp(
  tools: readonly Fields[],
  { url, service, cents, only, auth, isPrivate, taken }: McpOptions,
): Promise<Imported> {
  const listed = tools.map((tool) => asText(tool['name']))
  const missing = (only ?? []).filter((name) => !listed.includes(name))
  if (missing.length > 0)
    throw new Refusal(`The server has no tool ${missing.map((one) => `"${one}"`).join(', ')}.`)
  const refused = new Map<string, string>()
  const notes: string[] = []
  const names = createNames()
  const built = tools.flatMap((tool): Built[] => {
    const name = asText(tool['name'])
    if (only !== undefined && !only.includes(name)) return []
    try {
      return [{ name, action: toAction(tool, { name, names, cents, notes }) }]
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      refused.set(name, error.message)
      return []
    }
  })
  const head = {
    service,
    title: service,
    base_url: url.replace(/\/+$/, ''),
    ...(isPrivate ? { private: true } : {}),
    auth,
  }
  return {
    file: await keepUsable(head, built, refused, taken),
    refused,
    notes: [...new Set(notes)],
  }
}

type Means = {
  readonly name: string
  readonly names: Names
  readonly cents: string | undefined
  readonly notes: string[]
}

function toAction(tool: Fields, { name, names, cents, notes }: Means): OwnAction {
  const { title, description, annotations, _meta } = tool
  const input = conversionOf(tool['inputSchema'], (text) => void notes.push(`${name}: ${text}`))
  const schema = convertSchema(tool['inputSchema'] ?? { type: 'object' }, input)
  const properties = fieldsOf(schema['properties'])
  const reserved = Object.keys(properties).find((one) => GATEWAY_PARAM.test(one))
  if (schema['type'] !== 'object') throw new Refusal('takes no object')
  if (reserved !== undefined) throw new Refusal(`has the parameter "${reserved}" of the gateway`)
  const { required } = schema
  const params = {
    type: 'object',
    required: Array.isArray(required)
      ? required.filter((one) => Object.hasOwn(properties, asText(one)))
      : [],
    properties,
    additionalProperties: false,
  }
  const { readOnlyHint, idempotentHint } = fieldsOf(annotations)
  const action = names.claim(name)
  const text = typeof description === 'string' ? description : ''
  const summary = clip(firstText(text, title, name), 300)
  return {
    action,
    summary,
    ...(text.length > summary.length ? { description: clip(text, 2_000) } : {}),
    params,
    request: { method: 'POST', path: `/${action}`, tool: name },
    price: readOwnPrice(fieldsOf(_meta), cents),
    // An error of a tool arrives with this status.
    outcome: [
      {
        when: { status: [400] },
        is: 'failed',
        code: 'upstream_rejected',
        message_at: '/error/message',
      },
      { else: 'done' },
    ],
    ...(readOnlyHint === true || idempotentHint === true ? {} : { is_order: true }),
    example: fieldsOf(sampleOf(params, input.hints, false)),
    simulate: [{ status: 200, body: simulatedBody(tool['outputSchema']) }],
  }
}

function simulatedBody(outputSchema: unknown): unknown {
  if (!isFields(outputSchema)) return { text: 'example' }
  const output = { ...conversionOf(outputSchema, () => {}), isAnswer: true }
  const sample = fieldsOf(sampleOf(convertSchema(outputSchema, output), output.hints, true))
  return Object.keys(sample).length === 0 ? { text: 'example' } : sample
}

/** References of a tool's schema are relative to the schema. */
function conversionOf(schema: unknown, note: Conversion['note']): Conversion {
  const document = { root: fieldsOf(schema), isSwagger: false }
  return { document, hints: new WeakMap(), isAnswer: false, note }
}
