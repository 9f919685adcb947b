/**
 * The tools of a Responses request as functions of chat completions, and their calls as items of the
 * caller. Chat completions have no namespaces, and most upstreams no tools with free text.
 */
import { fieldsOf, listedFields, parseFields, type Fields } from '../../../lib/json-fields.ts'
import type { FilledPart } from '../answer-assembler.ts'
import { untranslatable } from '../own-form.ts'
import { upstreamName } from '../tool-names.ts'
import { CLIENT_TOOLS } from './client-tools.ts'

type Declared = { readonly tool: Fields; readonly namespace: string | null; readonly path: string }

/** Their `tools` describe a finished listing. */
const LISTING = 'mcp_list_tools'

const FREE_TEXT = {
  type: 'object',
  properties: { input: { type: 'string', description: 'The whole text.' } },
  required: ['input'],
  additionalProperties: false,
}

export class ResponseTools {
  /** By their names at the upstream. Of repeated tools, the last one counts. */
  readonly #declared = new Map<string, Declared>()

  constructor({ tools, input }: Fields) {
    this.#declare(tools, 'tools', null)
    for (const [place, item] of Array.isArray(input) ? input.entries() : []) {
      const { type, tools: found } = fieldsOf(item)
      if (type !== LISTING) this.#declare(found, `input[${place}].tools`, null)
    }
  }

  /**
   * The tools and the choice of a body of chat completions. Throws AppError invalid_params for a tool
   * that these cannot express.
   */
  toChat({ tool_choice: choice, parallel_tool_calls: isParallel }: Fields, keepsCustom: boolean) {
    const { type, mode, tools: allowed } = fieldsOf(choice)
    const names = new Set(listedFields(allowed).map((tool) => this.nameOf(tool)))
    const tools = [...this.#declared]
      .filter(([name]) => type !== 'allowed_tools' || names.has(name))
      .map(([name, declared]) => toChatTool(name, declared, keepsCustom))
    if (tools.length === 0) return {}
    return {
      tools,
      ...this.#choiceOf(type === 'allowed_tools' ? mode : choice, keepsCustom),
      // Parallel calls are the default, and not all upstreams know the field.
      ...(isParallel === false ? { parallel_tool_calls: false } : {}),
    }
  }

  /** The name at the upstream of a tool, of a call or of a choice. */
  nameOf({ type, namespace, name }: Fields): string {
    const own = typeof name === 'string' ? name : String(type).replace(/_call$/, '')
    return upstreamName(typeof namespace === 'string' ? `${namespace}__${own}` : own)
  }

  /** The call of a chat message for a call among the items; null for another item. */
  callOf(item: Fields, keepsCustom: boolean): Fields | null {
    const { type, call_id: callId, id, arguments: text, input } = item
    const tool = CLIENT_TOOLS[String(type).replace(/_call$/, '')]
    const name = this.nameOf(item)
    const toFunction = (words: unknown): Fields => ({
      id: callId ?? id,
      type: 'function',
      function: { name, arguments: words },
    })
    if (type === 'function_call') return toFunction(toJson(text))
    if (type === 'custom_tool_call')
      return keepsCustom
        ? { id: callId, type: 'custom', custom: { name, input } }
        : toFunction(JSON.stringify({ input }))
    if (tool === undefined || type !== tool.item || isHosted(item)) return null
    return toFunction(JSON.stringify(item[tool.field] ?? {}))
  }

  /** The kind of a call in an answer. */
  kindOf({
    name,
    isCustom,
  }: Pick<FilledPart, 'name' | 'isCustom'>): 'function' | 'custom' | 'client' {
    const type = this.#declared.get(name)?.tool['type']
    if (isCustom || type === 'custom') return 'custom'
    return CLIENT_TOOLS[String(type)] === undefined ? 'function' : 'client'
  }

  /** The caller's item for a call in an answer. `id`: the part of the item's id after its prefix. */
  itemOf(part: FilledPart, id: string): Fields {
    const { namespace, tool = {} } = this.#declared.get(part.name) ?? {}
    const { name = part.name } = tool
    const head = { id: `fc_${id}`, status: 'completed', call_id: part.id }
    const named = namespace == null ? { name } : { namespace, name }
    const client = CLIENT_TOOLS[String(tool['type'])]
    switch (this.kindOf(part)) {
      case 'custom':
        return { type: 'custom_tool_call', ...head, ...named, input: this.wordsOf(part) }
      case 'client':
        return {
          type: client?.item,
          ...head,
          ...client?.more,
          [String(client?.field)]: { ...client?.inner, ...parseFields(part.text) },
        }
      default:
        return { type: 'function_call', ...head, ...named, arguments: part.text }
    }
  }

  /** The words of a call for the caller. */
  wordsOf(part: FilledPart): string {
    if (part.isCustom || this.kindOf(part) !== 'custom') return part.text
    const fields = parseFields(part.text)
    if (fields === null) return part.text
    const { input = Object.values(fields).find((value) => typeof value === 'string') } = fields
    return typeof input === 'string' ? input : part.text
  }

  #declare(tools: unknown, path: string, namespace: string | null): void {
    for (const [place, tool] of listedFields(tools).entries()) {
      const at = `${path}[${place}]`
      if (tool['type'] === 'namespace')
        this.#declare(tool['tools'], `${at}.tools`, String(tool['name']))
      else this.#declared.set(this.nameOf({ ...tool, namespace }), { tool, namespace, path: at })
    }
  }

  #choiceOf(choice: unknown, keepsCustom: boolean): Fields {
    if (typeof choice === 'string') return { tool_choice: choice }
    const chosen = fieldsOf(choice)
    if (chosen['type'] === undefined) return {}
    const name = this.nameOf(chosen)
    const type = keepsCustom && chosen['type'] === 'custom' ? 'custom' : 'function'
    return { tool_choice: { type, [type]: { name } } }
  }
}

/** The arguments as JSON, which templates parse. Those of a cut answer become a text in it. */
function toJson(text: unknown): string {
  if (typeof text !== 'string') return JSON.stringify(text ?? {})
  if (parseFields(text) !== null) return text
  return text.trim() === '' ? '{}' : JSON.stringify({ input: text })
}

/** Whether the upstream of an earlier answer ran the tool, so that the call has no result. */
function isHosted({ execution, call_id: callId, id }: Fields): boolean {
  return execution === 'server' || (callId ?? id) == null
}

function toChatTool(name: string, { tool, path }: Declared, keepsCustom: boolean): Fields {
  const { type, description, parameters, strict, format } = tool
  const named = { name, ...(description == null ? {} : { description }) }
  if (type === 'custom') {
    const written = format == null ? {} : { format }
    return keepsCustom
      ? { type, custom: { ...named, ...written } }
      : {
          type: 'function',
          function: { ...named, ...described(description, format), parameters: FREE_TEXT },
        }
  }
  const client = CLIENT_TOOLS[String(type)]
  if (type !== 'function' && client === undefined)
    throw untranslatable(path, `tool of type "${String(type)}"`)
  return {
    type: 'function',
    function: {
      ...(client === undefined ? {} : { description: client.description }),
      ...named,
      parameters: parameters ?? client?.parameters ?? { type: 'object', properties: {} },
      ...(strict == null ? {} : { strict }),
    },
  }
}

/** The description of a tool with free text, which must contain its grammar. */
function described(description: unknown, format: unknown): Fields {
  const { syntax, definition } = fieldsOf(format)
  if (typeof definition !== 'string') return {}
  const grammar = `"input" must match this ${typeof syntax === 'string' ? syntax : 'lark'} grammar:\n${definition}`
  return {
    description: typeof description === 'string' ? `${description}\n\n${grammar}` : grammar,
  }
}
