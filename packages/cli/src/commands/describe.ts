import type { Command, Deps, Report } from '../command.ts'
import {
  inputsOf,
  readActionName,
  readDescriptor,
  type Descriptor,
  type Schema,
} from '../input/descriptor.ts'
import { flagOf, kindsOf, valueForm } from '../input/input-flags.ts'
import { safeLine } from '../output/safe-text.ts'
import { facts, glossary, wrap } from '../output/table.ts'
import { widthFor } from '../terminal.ts'

const MOST_ENDPOINTS = 40
const DEEPEST = 3

export const describe: Command = {
  name: 'describe',
  summary: 'show the inputs, price, billing rule and result of an action',
  operand: { value: '<service/action>', about: 'the action, such as core/onescrape' },
  flags: {
    endpoint: {
      value: '<path>',
      about: 'one endpoint of an action that has several, such as /trend',
    },
  },
  example: 'describe core/onescrape',
  async run({ operands, flags }, deps) {
    const action = readActionName(operands[0] ?? '')
    const client = deps.connect.openPublic({ retries: 1 })
    const endpoint = flags['endpoint']?.[0]
    return reportAction(await readDescriptor(client, action, endpoint, deps.signal), deps)
  },
}

export function reportAction(descriptor: Descriptor, { terminal }: Deps): Report {
  const width = Math.min(120, widthFor(terminal))
  const { ok: _, ...data } = descriptor as Descriptor & { readonly ok?: boolean }
  return { data, text: describeAction(descriptor, width, terminal.program) }
}

function describeAction(descriptor: Descriptor, width: number, program: string): string {
  const { service, action, summary, description, price, live } = descriptor
  const name = `${service}/${action}`
  const about = safeLine(`${summary} ${description}`)
  const sections = [
    `${name}\n${wrap(about, width, 2)}`,
    facts([
      ['Price', safeLine(price.text)],
      ['Billing', describeBilling(descriptor)],
      [
        'Live',
        live === null
          ? 'no: the operator has not set it up; test keys get simulated results'
          : `yes (${live})`,
      ],
    ]),
    `Inputs\n${describeInputs(descriptor, width)}`,
    ...describeEndpoints(descriptor, width),
    ...(descriptor.returns === undefined
      ? []
      : [`Result\n${describeResult(descriptor.returns, width)}`]),
    `Example\n  ${program} run ${name} ${exampleFlags(descriptor.example)}`,
  ]
  return sections.join('\n\n')
}

const MISSES: Readonly<Record<string, string>> = { free: 'a call that finds nothing is free' }

/** One sentence of each rule that callers meet. */
function describeBilling({ billing }: Descriptor): string {
  const { on_miss: miss, on_failure: failure, unit, charge_when: when } = billing
  const rules = [
    when === 'result'
      ? `charged per ${String(unit)} for a result`
      : `charged per ${String(unit)}, when: ${String(when)}`,
    MISSES[String(miss)] ?? `a call that finds nothing: ${words(miss)}`,
    failure === 'free' ? 'a failed call is free' : `a failed call: ${words(failure)}`,
  ]
  return rules.join('; ')
}

const words = (value: unknown): string => String(value).replaceAll('_', ' ')

function describeInputs(descriptor: Descriptor, width: number): string {
  const inputs = { ...inputsOf(descriptor), ...descriptor.call_params }
  const required = descriptor.required_params
  const pairs = Object.entries(inputs).map(([name, schema]): [string, string] => [
    `--${flagOf(name)} ${valueForm(schema)}`,
    safeLine(
      [
        ...(required.includes(name) ? ['Required.'] : []),
        schema.description ?? '',
        ...(schema.enum !== undefined && schema.enum.length > 6
          ? [`One of ${schema.enum.map(String).join(', ')}.`]
          : []),
        ...(schema.default === undefined ? [] : [`Default: ${JSON.stringify(schema.default)}.`]),
      ].join(' '),
    ),
  ])
  const oneOf = descriptor.required_one_of
    .map((group) => group.map((name) => `--${flagOf(name)}`).join(' with '))
    .join(', or ')
  return `${glossary(pairs, width)}${oneOf === '' ? '' : `\n  Required: ${oneOf}.`}`
}

function describeEndpoints(
  { endpoints = [], service, action }: Descriptor,
  width: number,
): string[] {
  if (endpoints.length === 0) return []
  const pairs = endpoints
    .slice(0, MOST_ENDPOINTS)
    .map(({ endpoint, summary }): [string, string] => [endpoint, safeLine(summary)])
  const more = endpoints.length - MOST_ENDPOINTS
  return [
    `Endpoints (describe ${service}/${action} --endpoint PATH shows the inputs of one)\n${glossary(pairs, width)}${more > 0 ? `\n  … and ${more} more with --json` : ''}`,
  ]
}

function describeResult(schema: Schema, width: number): string {
  return glossary(fieldsOf(schema, '', 0), width)
}

/** Names such as "rows[].title" with their descriptions. */
function fieldsOf(
  schema: Schema,
  path: string,
  depth: number,
): readonly (readonly [string, string])[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const own = `${path}${path === '' ? '' : '.'}${name}`
    const inner = shapeOf(field)
    const kind = kindsOf(field)
      .filter((one) => one !== 'null')
      .join(' or ')
    const about = safeLine(
      `${field.description ?? ''}${field['x-unit'] === undefined ? '' : ` (${field['x-unit']})`}`,
    )
    const isList = inner !== null && kindsOf(field).includes('array')
    return [
      [own, about === '' ? kind : `${kind}: ${about}`] as const,
      ...(inner === null || depth + 1 >= DEEPEST
        ? []
        : fieldsOf(inner, isList ? `${own}[]` : own, depth + 1)),
    ]
  })
}

/** The object in a field or in its items; null for plain values. */
function shapeOf(schema: Schema): Schema | null {
  if (schema.properties !== undefined) return schema
  if (schema.items !== undefined) return shapeOf(schema.items)
  return (schema.anyOf ?? schema.oneOf ?? []).map(shapeOf).find((one) => one !== null) ?? null
}

/** The example of the gateway as flags of a shell. */
export function exampleFlags(example: Readonly<Record<string, unknown>>): string {
  return Object.entries(example)
    .map(([name, value]) => {
      const flag = `--${flagOf(name)}`
      if (value === true) return flag
      const isPlainList = Array.isArray(value) && value.every((one) => typeof one !== 'object')
      const values = isPlainList ? value : [value]
      return `${flag} ${values.map((one) => quote(typeof one === 'object' ? JSON.stringify(one) : String(one))).join(' ')}`
    })
    .join(' ')
}

function quote(text: string): string {
  return /^[\w./:@%+,=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}
