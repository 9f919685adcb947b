/** Converts a body of the Responses API to chat completions. */
import { fieldsOf, isFields, listedFields, type Fields } from '../../../lib/json-fields.ts'
import { untranslatable } from '../own-form.ts'
import { flatTools, joinName } from './tool-namespaces.ts'

const SAME_FIELDS = [
  'stream',
  'temperature',
  'top_p',
  'parallel_tool_calls',
  'metadata',
  'prompt_cache_key',
  'safety_identifier',
  'service_tier',
  'provider',
  'session_id',
  'user',
] as const

/** Throws AppError invalid_params for content that chat completions cannot express. */
export function chatOfResponses(body: Fields): Fields {
  const { input, instructions, tools } = body
  const same = SAME_FIELDS.filter((name) => body[name] != null).map((name) => [name, body[name]])
  const items = typeof input === 'string' ? [{ role: 'user', content: input }] : listedFields(input)
  return {
    messages: [
      ...(typeof instructions === 'string' ? [{ role: 'system', content: instructions }] : []),
      ...convertItems(items),
    ],
    ...(Array.isArray(tools) && tools.length > 0
      ? { tools: flatTools(listedFields(tools)).map(convertTool) }
      : {}),
    ...(Object.fromEntries(same) as Fields),
    ...convertChoice(body['tool_choice']),
    ...convertOutput(body),
  }
}

/** Consecutive calls, and the words before them, become one message. */
function convertItems(items: readonly Fields[]): Fields[] {
  const messages: Fields[] = []
  for (const item of items) {
    const call = convertCall(item)
    const last = messages.at(-1)
    if (call === null) messages.push(...convertItem(item))
    else if (last?.['role'] === 'assistant')
      messages[messages.length - 1] = {
        ...last,
        tool_calls: [...listedFields(last['tool_calls']), call],
      }
    else messages.push({ role: 'assistant', content: null, tool_calls: [call] })
  }
  return messages
}

function convertCall({
  type,
  call_id: id,
  arguments: text,
  input,
  ...named
}: Fields): Fields | null {
  const name = joinName(named['namespace'], named['name'])
  switch (type) {
    case 'function_call':
      return { id, type: 'function', function: { name, arguments: text } }
    case 'custom_tool_call':
      return { id, type: 'custom', custom: { name, input } }
    default:
      return null
  }
}

function convertItem(item: Fields): Fields[] {
  const { type = 'message', role, content } = item
  switch (type) {
    case 'message':
      return [{ role: role === 'developer' ? 'system' : role, content: convertContent(content) }]
    case 'function_call_output':
    case 'custom_tool_call_output':
      return [{ role: 'tool', tool_call_id: item['call_id'], content: textOf(item['output']) }]
    // Thoughts of earlier turns are dropped, because chat completions cannot read them.
    case 'reasoning':
      return []
    default:
      throw untranslatable('input', `item of type "${String(type).slice(0, 60)}"`)
  }
}

function textOf(output: unknown): string {
  return typeof output === 'string'
    ? output
    : listedFields(output)
        .flatMap(({ text }) => (typeof text === 'string' ? [text] : []))
        .join('\n')
}

function convertContent(content: unknown): unknown {
  if (!Array.isArray(content)) return content
  const parts = listedFields(content)
  return parts.every(({ type }) => type === 'input_text' || type === 'output_text')
    ? parts.map(({ text }) => text).join('')
    : parts.map(convertPart)
}

function convertPart(part: Fields): Fields {
  switch (part['type']) {
    case 'input_text':
    case 'output_text':
      return { type: 'text', text: part['text'] }
    case 'refusal':
      return { type: 'text', text: part['refusal'] }
    case 'input_image': {
      const { image_url: url, detail } = part
      return { type: 'image_url', image_url: { url, ...(detail == null ? {} : { detail }) } }
    }
    case 'input_file': {
      const { filename, file_data: data, file_url: url } = part
      return {
        type: 'file',
        file: { filename: filename ?? 'document.pdf', file_data: data ?? url },
      }
    }
    default:
      throw untranslatable('input', `content of type "${String(part['type']).slice(0, 60)}"`)
  }
}

function convertTool(tool: Fields, place: number): Fields {
  const { type, name, description, parameters, strict, format } = tool
  const named = { name, ...(description == null ? {} : { description }) }
  switch (type) {
    case 'function':
      return {
        type,
        function: {
          ...named,
          ...(parameters == null ? {} : { parameters }),
          ...(strict == null ? {} : { strict }),
        },
      }
    case 'custom':
      return { type, custom: { ...named, ...(format == null ? {} : { format }) } }
    default:
      throw untranslatable(`tools[${place}]`, `tool of type "${String(type)}"`)
  }
}

function convertChoice(choice: unknown): Fields {
  if (typeof choice === 'string') return { tool_choice: choice }
  const { type, namespace, name: own } = fieldsOf(choice)
  const name = joinName(namespace, own)
  return type === 'function' || type === 'custom' ? { tool_choice: { type, [type]: { name } } } : {}
}

/** The format of the answer, and the effort of thinking. */
function convertOutput({ text, reasoning, top_logprobs: logprobs }: Fields): Fields {
  const { format, verbosity } = fieldsOf(text)
  const { effort } = fieldsOf(reasoning)
  return {
    ...(isFields(format) ? convertFormat(format) : {}),
    ...(verbosity == null ? {} : { verbosity }),
    ...(effort == null ? {} : { reasoning_effort: effort }),
    ...(logprobs == null ? {} : { logprobs: true, top_logprobs: logprobs }),
  }
}

function convertFormat({ type, ...format }: Fields): Fields {
  if (type === 'json_object') return { response_format: { type } }
  return type === 'json_schema' ? { response_format: { type, json_schema: format } } : {}
}
