/** The resources, prompts and completions that the conformance suite reads by name. */
import { fieldsOf, type Fields } from '../../../src/lib/json-fields.ts'
import type { Method } from '../../../src/surfaces/mcp/method.ts'
import { RPC, RpcError } from '../../../src/surfaces/mcp/rpc-error.ts'
import { askInRounds, PNG } from './fixture-tools.ts'

export const CACHED = { ttlMs: 0, cacheScope: 'public' } as const

const TEXT_URI = 'test://static-text'
const BINARY_URI = 'test://static-binary'
const TEMPLATE = /^test:\/\/template\/([^/]+)\/data$/

function contentOf(uri: string): Fields | null {
  if (uri === TEXT_URI)
    return { mimeType: 'text/plain', text: 'This is the content of the static text resource.' }
  if (uri === BINARY_URI) return { mimeType: 'image/png', blob: PNG }
  const [, id] = TEMPLATE.exec(uri) ?? []
  if (id === undefined) return null
  const data = { id, templateTest: true, data: `Data for ID: ${id}` }
  return { mimeType: 'application/json', text: JSON.stringify(data) }
}

const message = (content: Fields): Fields => ({ role: 'user', content })
const words = (text: string): Fields => message({ type: 'text', text })
const PROMPTS: Readonly<Record<string, (given: Fields) => readonly Fields[]>> = {
  test_simple_prompt: () => [words('This is a simple prompt for testing.')],
  test_prompt_with_arguments: ({ arg1, arg2 }) => [
    words(`Prompt with arguments: arg1='${String(arg1)}', arg2='${String(arg2)}'`),
  ],
  test_prompt_with_embedded_resource: ({ resourceUri: uri }) => [
    message({
      type: 'resource',
      resource: { uri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' },
    }),
    words('Please process the embedded resource above.'),
  ],
  test_prompt_with_image: () => [
    message({ type: 'image', data: PNG, mimeType: 'image/png' }),
    words('Please analyze the image above.'),
  ],
}
const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  test_prompt_with_arguments: ['arg1', 'arg2'],
  test_prompt_with_embedded_resource: ['resourceUri'],
}
const ASKING_PROMPT = 'test_input_required_result_prompt'
const QUESTION = {
  method: 'elicitation/create',
  params: {
    mode: 'form',
    message: 'What context should the prompt use?',
    requestedSchema: {
      type: 'object',
      properties: { context: { type: 'string' } },
      required: ['context'],
    },
  },
}

export const contentMethods: readonly (readonly [string, Method])[] = [
  [
    'resources/list',
    () => ({
      resources: [TEXT_URI, BINARY_URI].map((uri) => ({ uri, name: uri })),
      ...CACHED,
    }),
  ],
  [
    'resources/templates/list',
    () => ({
      resourceTemplates: [{ uriTemplate: 'test://template/{id}/data', name: 'data' }],
      ...CACHED,
    }),
  ],
  [
    'resources/read',
    ({ params: { uri } }) => {
      const content = contentOf(String(uri))
      if (content === null)
        throw new RpcError(RPC.invalidParams, 'Resource not found.', { data: { uri } })
      return { contents: [{ uri, ...content }], ...CACHED }
    },
  ],
  [
    'prompts/list',
    () => ({
      prompts: [...Object.keys(PROMPTS), ASKING_PROMPT].map((name) => ({
        name,
        description: `Fixture ${name}.`,
        arguments: (ARGUMENTS[name] ?? []).map((key) => ({ name: key, required: true })),
      })),
      ...CACHED,
    }),
  ],
  [
    'prompts/get',
    (call) => {
      const name = String(call.params['name'])
      if (name === ASKING_PROMPT) {
        const asked = askInRounds({ rounds: [{ user_context: QUESTION }] }, call)
        return 'inputRequests' in asked ? asked : { messages: [words('Prompt with context.')] }
      }
      const write = PROMPTS[name]
      if (write === undefined) throw new RpcError(RPC.invalidParams, 'Unknown prompt.')
      return { messages: write(fieldsOf(call.params['arguments'])) }
    },
  ],
  ['completion/complete', () => ({ completion: { values: [], total: 0, hasMore: false } })],
]
