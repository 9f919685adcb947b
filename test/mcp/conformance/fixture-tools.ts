/** The tools that the conformance suite calls by name. */
import { createHmac } from 'node:crypto'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { fieldsOf, isFields, type Fields } from '../../../src/lib/json-fields.ts'
import type { MethodCall, MethodResult } from '../../../src/surfaces/mcp/method.ts'
import { META } from '../../../src/surfaces/mcp/modern/modern-request.ts'
import { RPC, RpcError } from '../../../src/surfaces/mcp/rpc-error.ts'
import type { ToolHost } from '../../../src/surfaces/mcp/tool-host.ts'

export const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA='

type Content = CallToolResult['content']
const text = (words: string): Content[number] => ({ type: 'text', text: words })
const image: Content[number] = { type: 'image', data: PNG, mimeType: 'image/png' }
const resource = (uri: string, mimeType: string, words: string): Content[number] => ({
  type: 'resource',
  resource: { uri, mimeType, text: words },
})

const ANSWERS: Readonly<Record<string, Fields>> = {
  test_simple_text: { content: [text('This is a simple text response for testing.')] },
  test_image_content: { content: [image] },
  test_audio_content: { content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }] },
  test_embedded_resource: {
    content: [
      resource('test://embedded-resource', 'text/plain', 'This is an embedded resource content.'),
    ],
  },
  test_multiple_content_types: {
    content: [
      text('Multiple content types test:'),
      image,
      resource('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ],
  },
  test_error_handling: {
    content: [text('This tool intentionally returns an error for testing')],
    isError: true,
  },
  test_tool_with_logging: { content: [text('Logged.')] },
  test_logging_tool: { content: [text('Logged.')] },
  test_tool_with_progress: { content: [text('Done.')] },
  json_schema_2020_12_tool: { content: [text('Understood.')] },
}

const SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object' as const,
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
}

/** Requests of one round to the client, by key. */
type Round = Readonly<Record<string, Fields>>
type Questions = { readonly rounds: readonly Round[]; readonly hasState?: true }

const elicit = (name: string, type = 'string'): Fields => ({
  method: 'elicitation/create',
  params: {
    mode: 'form',
    message: `Please give ${name}.`,
    requestedSchema: { type: 'object', properties: { [name]: { type } }, required: [name] },
  },
})
const sample: Fields = {
  method: 'sampling/createMessage',
  params: {
    messages: [{ role: 'user', content: { type: 'text', text: 'What is the capital of France?' } }],
    maxTokens: 100,
  },
}
const roots: Fields = { method: 'roots/list', params: {} }
const QUESTIONS: Readonly<Record<string, Questions>> = {
  elicitation: { rounds: [{ user_name: elicit('name') }] },
  sampling: { rounds: [{ capital_question: sample }] },
  list_roots: { rounds: [{ client_roots: roots }] },
  request_state: { rounds: [{ confirm: elicit('ok', 'boolean') }], hasState: true },
  multiple_inputs: {
    rounds: [{ user_name: elicit('name'), greeting: sample, client_roots: roots }],
    hasState: true,
  },
  multi_round: {
    rounds: [{ step1: elicit('name') }, { step2: elicit('color') }],
    hasState: true,
  },
  tampered_state: { rounds: [{ confirm: elicit('ok', 'boolean') }], hasState: true },
  capabilities: { rounds: [{ user_name: elicit('name'), capital_question: sample }] },
}
const QUESTION_PREFIX = 'test_input_required_result_'
const DIAGNOSTIC = ['test_missing_capability', 'test_streaming_elicitation']

const names = [
  ...Object.keys(ANSWERS),
  ...Object.keys(QUESTIONS).map((name) => `${QUESTION_PREFIX}${name}`),
  ...DIAGNOSTIC,
]

export const fixtureTools: ToolHost = {
  listed: names.map((name) => ({
    name,
    description: `Fixture ${name}.`,
    inputSchema: name === 'json_schema_2020_12_tool' ? SCHEMA : { type: 'object' },
  })),
  async call(call) {
    const name = String(call.params['name'])
    if (name === 'test_missing_capability') requireSampling(call)
    if (name === 'test_streaming_elicitation')
      return askInRounds({ rounds: [{ user_name: elicit('name') }] }, call)
    const questions = name.startsWith(QUESTION_PREFIX)
      ? QUESTIONS[name.slice(QUESTION_PREFIX.length)]
      : undefined
    if (questions !== undefined) return askInRounds(questions, call)
    notify(name, call)
    const answer = ANSWERS[name]
    if (answer === undefined)
      throw new RpcError(RPC.invalidParams, `There is no fixture "${name}".`)
    return answer
  },
}

function notify(name: string, { params, exchange, client }: MethodCall): void {
  const { progressToken } = fieldsOf(params['_meta'])
  if (name === 'test_tool_with_logging' && client === null)
    for (const data of [
      'Tool execution started',
      'Tool processing data',
      'Tool execution completed',
    ])
      exchange.notify({
        jsonrpc: '2.0',
        method: 'notifications/message',
        params: { level: 'info', data },
      })
  if (
    name === 'test_tool_with_progress' &&
    (typeof progressToken === 'string' || typeof progressToken === 'number')
  )
    for (const progress of [0, 50, 100])
      exchange.notify({
        jsonrpc: '2.0',
        method: 'notifications/progress',
        params: { progressToken, progress, total: 100 },
      })
}

const capabilitiesOf = ({ params }: MethodCall): Fields =>
  fieldsOf(fieldsOf(params['_meta'])[META.capabilities])

function requireSampling(call: MethodCall): void {
  if (isFields(capabilitiesOf(call)['sampling'])) return
  throw new RpcError(RPC.missingCapability, 'This tool needs sampling.', {
    status: 400,
    data: { requiredCapabilities: { sampling: {} } },
  })
}

/** Asks the client round by round, until it has answered each. Throws RpcError for a forged state. */
export function askInRounds({ rounds, hasState }: Questions, call: MethodCall): MethodResult {
  const { requestState, inputResponses } = call.params
  const place = requestState === undefined ? 0 : readState(requestState)
  const answers = fieldsOf(inputResponses)
  const asked = Object.keys(rounds[place] ?? {})
  const next = asked.every((key) => isFields(answers[key])) ? place + 1 : place
  const round = rounds[next]
  if (round === undefined) return { content: [text('state-ok')] }
  const able = capabilitiesOf(call)
  const requests = Object.entries(round).filter(([, { method }]) =>
    isFields(able[String(method).split('/')[0] ?? '']),
  )
  return {
    resultType: 'input_required',
    inputRequests: Object.fromEntries(requests),
    ...(hasState === true ? { requestState: writeState(next) } : {}),
  }
}

const sign = (place: string): string => createHmac('sha256', 'fixtures').update(place).digest('hex')
const writeState = (place: number): string => `${place}.${sign(String(place))}`

function readState(state: unknown): number {
  const [place = '', signature] = String(state).split('.')
  if (signature !== sign(place)) throw new RpcError(RPC.invalidParams, 'Invalid requestState.')
  return Number(place)
}
