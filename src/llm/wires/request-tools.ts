/**
 * Finds the tools in every place of a request that can hold one. Rejects tools that the upstream
 * runs and items that start its work, because their cost is not part of the reported tokens.
 */
import type { AppError } from '../../errors/app-error.ts'
import { fieldsOf, isFields, type Fields } from '../../lib/json-fields.ts'
import { invalidField } from './own-form.ts'

export type ToolRules = {
  /** Whether the caller runs the tool, or it costs only tokens. */
  readonly isClientTool: (tool: Fields) => boolean
  /** Matches the types of items and blocks that start no work. */
  readonly records: RegExp
  /** Matches those that start work. Others may do so at an upstream that speaks the API. */
  readonly work: RegExp
  readonly fix: string
}

type FoundTool = { readonly path: string; readonly tool: Fields }

export type FoundTools = {
  readonly tools: readonly FoundTool[]
  /** For an upstream that speaks the caller's API: an item or block of an unknown type. */
  readonly unknown: AppError | null
}

/** Tools by which `tool_choice` selects one of the tools of the request. */
const CHOICES: ReadonlySet<unknown> = new Set(
  'allowed_tools any apply_patch auto custom function local_shell none required shell tool tool_search'.split(
    ' ',
  ),
)
/** Their `tools` describe the tools of a finished listing and have no types. */
const LISTINGS: readonly unknown[] = ['mcp_list_tools', 'mcp_tool_listing']

/**
 * The tools of a body of chat completions, Messages or Responses, with their places. Throws AppError
 * `invalid_params` with the place of the first tool or item that is not allowed.
 */
export function toolsOf(body: Fields, rules: ToolRules): FoundTools {
  const search = new ToolSearch(rules)
  search.readTools(body['tools'], 'tools')
  search.readFunctions(body['functions'])
  search.readChoice(body['tool_choice'], 'tool_choice')
  for (const name of ['system', 'messages', 'input'])
    search.readEntries(body[name], name, name === 'input')
  return { tools: search.found, unknown: search.unknown }
}

class ToolSearch {
  readonly found: FoundTool[] = []
  unknown: AppError | null = null
  readonly #rules: ToolRules

  constructor(rules: ToolRules) {
    this.#rules = rules
  }

  readTools(tools: unknown, path: string): void {
    if (tools === undefined || tools === null) return
    if (!Array.isArray(tools)) throw invalidField(path, `"${path}" must be a list.`)
    tools.forEach((tool: unknown, place) => this.#readTool(tool, `${path}[${place}]`))
  }

  /** The older form of tools in chat completions. */
  readFunctions(functions: unknown): void {
    forEachEntry(functions, ({ type }, place) => {
      if (type != null && type !== 'function') throw this.#refusedTool(type, `functions[${place}]`)
    })
  }

  readChoice(choice: unknown, path: string): void {
    const { type, tools, allowed_tools: allowed } = fieldsOf(choice)
    if (type != null && !CHOICES.has(type)) throw this.#refusedTool(type, path)
    forEachEntry(tools, (one, place) => this.readChoice(one, `${path}.tools[${place}]`))
    if (isFields(allowed)) this.readChoice(allowed, `${path}.allowed_tools`)
  }

  /** `areTyped`: their types must be those of records. */
  readEntries(entries: unknown, path: string, areTyped: boolean): void {
    forEachEntry(entries, (entry, place) => this.#readEntry(entry, `${path}[${place}]`, areTyped))
  }

  #readEntry(entry: Fields, path: string, isTyped: boolean): void {
    const { type, role, tools, tool, tool_changes: changes, source } = entry
    if (isTyped && type != null && !(typeof type === 'string' && this.#rules.records.test(type))) {
      const refusal = invalidField(
        `${path}.type`,
        `The router does not offer items of type ${quoted(type)}: the upstream may do work for them that costs more than tokens.`,
        'Remove the item. Compact conversations in the client.',
      )
      if (typeof type !== 'string' || this.#rules.work.test(type)) throw refusal
      this.unknown ??= refusal
    }
    if (!LISTINGS.includes(type)) this.readTools(tools, `${path}.tools`)
    if (isFields(tool)) this.#readChange(tool, `${path}.tool`)
    this.readEntries(changes, `${path}.tool_changes`, false)
    this.readEntries(fieldsOf(source)['content'], `${path}.source.content`, false)
    // Blocks of a message are typed like items; their own content has many types of records.
    this.readEntries(entry['content'], `${path}.content`, role !== undefined && !isTyped)
    this.readEntries(entry['output'], `${path}.output`, false)
  }

  /** A tool that is added or removed during the conversation. */
  #readChange(tool: Fields, path: string): void {
    if (tool['type'] === 'tool_definition') this.#readTool(tool['definition'], `${path}.definition`)
    else if (tool['type'] !== 'tool_reference') throw this.#refusedTool(tool['type'], path)
  }

  #readTool(tool: unknown, path: string): void {
    if (!isFields(tool)) throw invalidField(path, 'A tool is an object.')
    this.readTools(tool['tools'], `${path}.tools`)
    if (!this.#rules.isClientTool(tool)) throw this.#refusedTool(tool['type'], path)
    this.found.push({ path, tool })
  }

  #refusedTool(type: unknown, path: string): AppError {
    return invalidField(
      `${path}.type`,
      `The router does not offer the tool ${quoted(type)}: the upstream runs it, so it costs more than tokens.`,
      this.#rules.fix,
    )
  }
}

/** Visits the objects of a list with their places. A single object counts as a list. */
function forEachEntry(value: unknown, visit: (entry: Fields, place: number) => void): void {
  if (isFields(value)) visit(value, 0)
  else if (Array.isArray(value))
    value.forEach((entry: unknown, place) => {
      if (isFields(entry)) visit(entry, place)
    })
}

function quoted(type: unknown): string {
  return (JSON.stringify(type) ?? '"undefined"').slice(0, 60)
}
