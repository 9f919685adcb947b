/** Converts a body of the Messages API to chat completions. */
import { fieldsOf, isFields, listedFields, type Fields } from '../../../lib/json-fields.ts'
import { untranslatable } from '../own-form.ts'
import { dataUrlOf } from './messages-prompt.ts'

type Options = { readonly keepsCacheMarks: boolean }

const SAME_FIELDS = ['stream', 'temperature', 'top_p', 'top_k'] as const

/** Throws AppError invalid_params for content that chat completions cannot express. */
export function chatOfMessages(body: Fields, options: Options): Fields {
  const { system, messages, tools, stop_sequences: stop, provider, session_id: session } = body
  const same = SAME_FIELDS.filter((name) => body[name] != null).map((name) => [name, body[name]])
  return {
    messages: [
      ...(system == null ? [] : [{ role: 'system', content: contentOf(system, options) }]),
      ...listedFields(messages).flatMap((message) => convertMessage(message, options)),
    ],
    ...(Array.isArray(tools) && tools.length > 0
      ? { tools: listedFields(tools).map((tool, place) => convertTool(tool, place, options)) }
      : {}),
    ...(Object.fromEntries(same) as Fields),
    ...(Array.isArray(stop) && stop.length > 0 ? { stop } : {}),
    ...convertChoice(fieldsOf(body['tool_choice'])),
    ...convertOutput(body),
    ...(provider == null ? {} : { provider }),
    ...(session == null ? {} : { session_id: session }),
  }
}

function convertMessage({ role, content }: Fields, options: Options): Fields[] {
  if (!Array.isArray(content)) return [{ role, content }]
  const blocks = listedFields(content)
  return role === 'assistant' ? [convertAnswer(blocks)] : convertQuestion(role, blocks, options)
}

/** Thoughts of earlier turns are dropped, because chat completions cannot verify them. */
function convertAnswer(blocks: readonly Fields[]): Fields {
  const text = blocks.flatMap(({ type, text: words }) => (type === 'text' ? [words] : [])).join('')
  const calls = blocks
    .filter(({ type }) => type === 'tool_use')
    .map(({ id, name, input }) => ({
      id,
      type: 'function',
      function: { name, arguments: JSON.stringify(input ?? {}) },
    }))
  return {
    role: 'assistant',
    content: text === '' && calls.length > 0 ? null : text,
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  }
}

/** Results of tools become messages of their own, before the rest of the message. */
function convertQuestion(role: unknown, blocks: readonly Fields[], options: Options): Fields[] {
  const results = blocks.filter(({ type }) => type === 'tool_result')
  const others = blocks.filter(({ type }) => type !== 'tool_result')
  const media = results.flatMap(({ content }) =>
    listedFields(content).filter(({ type }) => type !== 'text'),
  )
  const rest = [...media, ...others]
  return [
    ...results.map(({ tool_use_id: id, content, is_error: isError }) => ({
      role: 'tool',
      tool_call_id: id,
      content: `${isError === true ? 'Error: ' : ''}${textOf(content)}`,
    })),
    ...(rest.length === 0 ? [] : [{ role, content: contentOf(rest, options) }]),
  ]
}

function textOf(content: unknown): string {
  return typeof content === 'string'
    ? content
    : listedFields(content)
        .flatMap(({ text }) => (typeof text === 'string' ? [text] : []))
        .join('\n')
}

function contentOf(content: unknown, options: Options): unknown {
  if (!Array.isArray(content)) return content
  const parts = listedFields(content).flatMap((block) => convertBlock(block, options))
  const [only] = parts
  return parts.length === 1 && only !== undefined && Object.keys(only).join() === 'type,text'
    ? only['text']
    : parts
}

function convertBlock(block: Fields, options: Options): Fields[] {
  const mark = markOf(block, options)
  const source = fieldsOf(block['source'])
  switch (block['type']) {
    case 'text':
      return [{ type: 'text', text: block['text'], ...mark }]
    case 'image':
      return [
        { type: 'image_url', image_url: { url: dataUrlOf(source) ?? source['url'] }, ...mark },
      ]
    case 'document':
      return convertDocument(block, source, options)
    case 'thinking':
    case 'redacted_thinking':
      return []
    default:
      throw untranslatable('messages', `content of type "${String(block['type']).slice(0, 60)}"`)
  }
}

function convertDocument({ title }: Fields, source: Fields, options: Options): Fields[] {
  if (source['type'] === 'text') return [{ type: 'text', text: source['data'] }]
  if (source['type'] === 'content')
    return listedFields(source['content']).flatMap((block) => convertBlock(block, options))
  const filename = typeof title === 'string' ? title : 'document.pdf'
  return [{ type: 'file', file: { filename, file_data: dataUrlOf(source) ?? source['url'] } }]
}

function markOf({ cache_control: mark }: Fields, { keepsCacheMarks }: Options): Fields {
  return keepsCacheMarks && isFields(mark) ? { cache_control: mark } : {}
}

function convertTool(tool: Fields, place: number, options: Options): Fields {
  const { type, name, description, input_schema: parameters } = tool
  if (!isFields(parameters))
    throw untranslatable(`tools[${place}]`, `tool of type "${String(type)}"`)
  return {
    type: 'function',
    function: { name, ...(description === undefined ? {} : { description }), parameters },
    ...markOf(tool, options),
  }
}

function convertChoice({ type, name, disable_parallel_tool_use: isSingle }: Fields): Fields {
  const choices: Readonly<Record<string, unknown>> = {
    auto: 'auto',
    any: 'required',
    none: 'none',
    tool: { type: 'function', function: { name } },
  }
  const choice = choices[String(type)]
  return {
    ...(choice === undefined ? {} : { tool_choice: choice }),
    ...(isSingle === true ? { parallel_tool_calls: false } : {}),
  }
}

const EFFORTS: Readonly<Record<string, string>> = {
  low: 'low',
  medium: 'medium',
  high: 'high',
  xhigh: 'high',
  max: 'high',
}

/** The format of the answer, and the effort of thinking. */
function convertOutput({ output_config: config, output_format: older }: Fields): Fields {
  const { effort, format = older } = fieldsOf(config)
  const { type, schema } = fieldsOf(format)
  const known = EFFORTS[String(effort)]
  return {
    ...(type === 'json_schema'
      ? {
          response_format: {
            type,
            json_schema: { name: 'response', strict: true, schema },
          },
        }
      : {}),
    ...(known === undefined ? {} : { reasoning_effort: known }),
  }
}
