/** The operator's settings for the language-model router: upstreams in the environment, tiers and models in a file. */
import { readFileSync } from 'node:fs'
import type { UpstreamSettings } from '../../calls/lanes/endpoints.ts'
import { StartError } from '../../errors/start-error.ts'
import { fieldsOf, isFields, type Fields } from '../../lib/json-fields.ts'
import type { ModelRates } from '../../llm/lists/model-rates.ts'
import type { ConfiguredModel } from '../../llm/lists/model.ts'
import { MODEL_ID } from '../../llm/lists/read-model-list.ts'
import { readExtraFields } from '../../llm/ask/request-fields.ts'
import { DIALECT_NAMES, type DialectName } from '../../llm/wires/dialects/dialect.ts'
import { WIRE_NAMES, type WireName } from '../../llm/wires/wire.ts'
import { DEFAULT_TIERS, type Tiers } from '../../llm/lists/tiers.ts'
import { assertKnown, RATE_FIELDS, readModelRates } from './read-model-rates.ts'

export type RouterUpstream = {
  readonly name: string
  readonly url: string | null
  readonly key: string | null
  readonly rates: ModelRates | null
  /** The APIs that it speaks, if the operator lists them. */
  readonly wires?: readonly WireName[]
  /** The dialect of its chat completions, if the operator names it. */
  readonly dialect?: DialectName
}
export type RouterSettings = {
  readonly upstreams: readonly RouterUpstream[]
  readonly tiers: Tiers
  readonly models: ReadonlyMap<string, ConfiguredModel>
  /** Models or tiers by other names, which may end in `*`. */
  readonly aliases: ReadonlyMap<string, string>
  readonly extraFields: ReadonlySet<string>
}

/**
 * UPSTREAM_LLM_URL, UPSTREAM_LLM_KEY and UPSTREAM_LLM_PRICE configure the default upstream;
 * UPSTREAM_LLM_<NAME>_URL and so on configure more. `file` may be empty. Throws StartError.
 */
export function readRouterSettings(
  upstreams: ReadonlyMap<string, UpstreamSettings>,
  { file, extraFields: names }: { readonly file: string; readonly extraFields: string },
): RouterSettings {
  const list = readUpstreams(upstreams)
  const extraFields = readFieldNames(names)
  if (file === '')
    return {
      upstreams: list,
      tiers: DEFAULT_TIERS,
      models: new Map(),
      aliases: new Map(),
      extraFields,
    }
  const content = readFile(file)
  assertKnown(content, SECTIONS, file)
  return {
    upstreams: withForms(list, content['upstreams'], file),
    tiers: readTiers(content['tiers'], file),
    models: readModels(content['models'], file, new Set(list.map(({ name }) => name))),
    aliases: readAliases(content['aliases'], file),
    extraFields,
  }
}

const SECTIONS = ['tiers', 'models', 'aliases', 'upstreams']

/** The upstreams with the APIs and the dialect that the file names for them. */
function withForms(
  upstreams: readonly RouterUpstream[],
  value: unknown,
  file: string,
): readonly RouterUpstream[] {
  if (value === undefined) return upstreams
  if (!isFields(value)) throw new StartError(`${file}: "upstreams" must be an object.`)
  const odd = Object.keys(value).find((name) => !upstreams.some((one) => one.name === name))
  if (odd !== undefined)
    throw new StartError(
      `${file}: the upstream "${odd}" is not configured. Use one of ${upstreams.map(({ name }) => name).join(', ') || 'none'}.`,
    )
  return upstreams.map((one) => {
    const entry = value[one.name]
    if (entry === undefined) return one
    const { wires, dialect } = fieldsOf(entry)
    const areWires =
      Array.isArray(wires) && wires.every((wire) => WIRE_NAMES.includes(wire as WireName))
    if (!areWires && (wires !== undefined || dialect === undefined))
      throw new StartError(
        `${file}: "upstreams" must list the APIs of "${one.name}", such as {"wires": ["chat", "messages", "responses"]}.`,
      )
    if (dialect !== undefined && !DIALECT_NAMES.includes(dialect as DialectName))
      throw new StartError(
        `${file}: the dialect of "${one.name}" is unknown. Use one of ${DIALECT_NAMES.join(', ')}.`,
      )
    assertKnown(fieldsOf(entry), ['wires', 'dialect'], `${file}: upstreams["${one.name}"]`)
    return {
      ...one,
      ...(areWires ? { wires: wires as WireName[] } : {}),
      ...(dialect === undefined ? {} : { dialect: dialect as DialectName }),
    }
  })
}

function readAliases(value: unknown, file: string): ReadonlyMap<string, string> {
  if (value === undefined) return new Map()
  const entries = isFields(value) ? Object.entries(value) : []
  if (!isFields(value) || !entries.every(([, model]) => typeof model === 'string' && model !== ''))
    throw new StartError(
      `${file}: "aliases" must name a model or a tier for each alias, such as {"claude-*": "core/mid"}.`,
    )
  return new Map(entries as [string, string][])
}

function readFieldNames(text: string): ReadonlySet<string> {
  const read = readExtraFields(
    text
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
  )
  if ('fields' in read) return read.fields
  throw new StartError(
    `ROUTER_EXTRA_FIELDS contains "${read.refused}", which the gateway sets itself or which is not a valid field name. Use other field names separated by commas, such as "min_tokens,chat_template_kwargs".`,
  )
}

const FURTHER = /^(.+)_(URL|KEY|PRICE)$/

function readUpstreams(upstreams: ReadonlyMap<string, UpstreamSettings>): RouterUpstream[] {
  const found = new Map<string, { url?: string; key?: string; price?: string }>()
  const slot = (name: string) => {
    const known = found.get(name) ?? {}
    found.set(name, known)
    return known
  }
  for (const [label, { url, credentials }] of upstreams) {
    // A single letter from A to D at the end of a label belongs to the label. Here it is an upstream's name.
    const name = label === 'llm' ? 'llm' : /^llm-([a-d])$/.exec(label)?.[1]
    if (name === undefined) continue
    if (url !== null) slot(name).url = url
    for (const [variable, value] of Object.entries(credentials)) {
      const [, further, kind] = FURTHER.exec(variable) ?? []
      const target = slot(further === undefined ? name : further.toLowerCase().replaceAll('_', '-'))
      if ((kind ?? variable) === 'KEY') target.key = value
      if ((kind ?? variable) === 'PRICE') target.price = value
      if (kind === 'URL') target.url = webAddress(`UPSTREAM_LLM_${variable}`, value)
    }
  }
  const usable = [...found].filter(([, { url, key }]) => url !== undefined || key !== undefined)
  // The default upstream comes first, the others in the order of their names.
  const sorted = usable.sort(([left], [right]) =>
    left === 'llm' ? -1 : right === 'llm' ? 1 : left < right ? -1 : 1,
  )
  return sorted.map(([name, { url, key, price }]) => ({
    name,
    url: url ?? null,
    key: key ?? null,
    rates: price === undefined ? null : readPrice(name, price),
  }))
}

/**
 * "0.15/0.60": dollars per million tokens of the prompt and of the completion. Further prices follow
 * by name: "0.15/0.60,input_cache_read=0.015".
 */
function readPrice(name: string, text: string): ModelRates {
  const [pair = '', ...named] = text.split(',').map((part) => part.trim())
  const [prompt, completion, ...rest] = pair.split('/')
  const others = named.map((part) => part.split('=').map((side) => side.trim()))
  const place = `The price "${text}" of the upstream "${name}" is invalid`
  if (completion === undefined || rest.length > 0 || others.some(({ length }) => length !== 2))
    throw new StartError(
      `${place}: it must look like 0.15/0.60 or 0.15/0.60,input_cache_read=0.015, dollars per million tokens of prompt, of completion, and of others by name.`,
    )
  const entry: Fields = { ...(Object.fromEntries(others) as Fields), prompt, completion }
  assertKnown(entry, RATE_FIELDS, place)
  const rates = readModelRates(entry, place)
  if (rates === null) throw new StartError(`${place}.`)
  return rates
}

function webAddress(variable: string, text: string): string {
  const url = URL.parse(text)
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw new StartError(`${variable}="${text}" is invalid: it must be an http or https URL.`)
  return text
}

function readFile(file: string): Fields {
  try {
    const content: unknown = JSON.parse(readFileSync(file, 'utf8'))
    if (isFields(content)) return content
  } catch (error) {
    throw new StartError(`ROUTER_CONFIG="${file}" cannot be read: ${(error as Error).message}.`)
  }
  throw new StartError(
    `ROUTER_CONFIG="${file}" must contain a JSON object with "tiers" and "models".`,
  )
}

function readTiers(value: unknown, file: string): Tiers {
  if (value === undefined) return DEFAULT_TIERS
  const entries = isFields(value) ? Object.entries(value) : []
  const isGood =
    entries.length > 0 &&
    entries.every(
      ([, members]) =>
        Array.isArray(members) &&
        members.length > 0 &&
        members.every((one) => typeof one === 'string'),
    )
  if (!isGood)
    throw new StartError(
      `${file}: "tiers" must list models for each tier, such as {"core/cheap": ["openai/gpt-6-luna"]}.`,
    )
  return new Map([...DEFAULT_TIERS, ...(entries as [string, string[]][])])
}

function readModels(
  value: unknown,
  file: string,
  upstreams: ReadonlySet<string>,
): ReadonlyMap<string, ConfiguredModel> {
  if (value === undefined) return new Map()
  if (!isFields(value)) throw new StartError(`${file}: "models" must be an object.`)
  const odd = Object.keys(value).find((id) => !MODEL_ID.test(id))
  if (odd !== undefined)
    throw new StartError(
      `${file}: "${odd}" is not a valid model name. Use letters, digits and punctuation, without spaces.`,
    )
  return new Map(
    Object.entries(value).map(([id, entry]) => [id, readModel(id, entry, file, upstreams)]),
  )
}

function readModel(
  id: string,
  entry: unknown,
  file: string,
  upstreams: ReadonlySet<string>,
): ConfiguredModel {
  const place = `${file}: models["${id}"]`
  if (!isFields(entry)) throw new StartError(`${place} must be an object.`)
  assertKnown(entry, MODEL_FIELDS, place)
  const {
    upstream = 'llm',
    upstream_model: upstreamModel = id,
    context_length: contextLength = null,
    thinks,
  } = entry
  if (typeof upstream !== 'string' || !upstreams.has(upstream))
    throw new StartError(
      `${file}: the upstream of "${id}" is not configured. Set UPSTREAM_LLM_<NAME>_URL, or use one of ${[...upstreams].join(', ') || 'none'}.`,
    )
  if (
    typeof upstreamModel !== 'string' ||
    (contextLength !== null && !Number.isSafeInteger(contextLength)) ||
    (thinks !== undefined && typeof thinks !== 'boolean')
  )
    throw new StartError(`${file}: the entry of "${id}" is invalid.`)
  return {
    upstream,
    upstreamModel,
    rates: readModelRates(entry, place),
    contextLength: contextLength as number | null,
    ...(thinks === undefined ? {} : { thinks }),
  }
}

const MODEL_FIELDS = ['upstream', 'upstream_model', 'context_length', 'thinks', ...RATE_FIELDS]
