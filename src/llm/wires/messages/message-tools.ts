/** The tools of a Messages request as functions of chat completions, with names that upstreams accept. */
import { fieldsOf, isFields, listedFields, type Fields } from '../../../lib/json-fields.ts'
import { untranslatable } from '../own-form.ts'
import { upstreamName } from '../tool-names.ts'

/** Without deferred loading, the model knows all tools from the beginning. */
const SEARCH = /^tool_search_tool_/

export class MessageTools {
  /** By their names at the upstream. */
  readonly #tools = new Map<string, { readonly tool: Fields; readonly path: string }>()

  constructor({ tools, messages }: Fields) {
    for (const [place, tool] of listedFields(tools).entries()) this.#add(tool, `tools[${place}]`)
    for (const [place, { content }] of listedFields(messages).entries())
      for (const block of listedFields(content))
        for (const change of [block, ...listedFields(block['tool_changes'])])
          this.#change(change, `messages[${place}]`)
  }

  /** Throws AppError invalid_params for a tool that chat completions cannot express. */
  toChat({ tool_choice: choice }: Fields, keepsCacheMarks: boolean): Fields {
    const tools = [...this.#tools].map(([name, { tool, path }]) => ({
      ...toFunction(name, tool, path),
      ...(keepsCacheMarks && isFields(tool['cache_control'])
        ? { cache_control: tool['cache_control'] }
        : {}),
    }))
    return tools.length === 0 ? {} : { tools, ...convertChoice(fieldsOf(choice)) }
  }

  /** The caller's name of a tool. */
  nameOf(upstream: string): string {
    const name = this.#tools.get(upstream)?.tool['name']
    return typeof name === 'string' ? name : upstream
  }

  #add(tool: Fields, path: string): void {
    if (!SEARCH.test(String(tool['type'])))
      this.#tools.set(upstreamName(String(tool['name'])), { tool, path })
  }

  /** A tool that is added or removed during the conversation. */
  #change({ type, tool }: Fields, path: string): void {
    const { definition, name } = fieldsOf(tool)
    if (type === 'tool_addition' && isFields(definition)) this.#add(definition, path)
    if (type === 'tool_removal') this.#tools.delete(upstreamName(String(name)))
  }
}

function toFunction(name: string, tool: Fields, path: string): Fields {
  const { type, description, input_schema: parameters } = tool
  if (!isFields(parameters)) throw untranslatable(path, `tool of type "${String(type)}"`)
  return {
    type: 'function',
    function: { name, ...(description === undefined ? {} : { description }), parameters },
  }
}

function convertChoice({ type, name, disable_parallel_tool_use: isSingle }: Fields): Fields {
  const choices: Readonly<Record<string, unknown>> = {
    auto: 'auto',
    any: 'required',
    none: 'none',
    tool: { type: 'function', function: { name: upstreamName(String(name)) } },
  }
  const choice = choices[String(type)]
  return {
    ...(choice === undefined ? {} : { tool_choice: choice }),
    ...(isSingle === true ? { parallel_tool_calls: false } : {}),
  }
}
