/**
 * Namespaces of tools, which Codex sends. Chat completions have none, so a tool of a namespace gets a
 * joined name, and its calls get both names back.
 */
import { listedFields, type Fields } from '../../../lib/json-fields.ts'

export function joinName(namespace: unknown, name: unknown): unknown {
  return typeof namespace === 'string' ? `${namespace}__${String(name)}` : name
}

/** The tools of a request without namespaces. */
export function flatTools(tools: readonly Fields[]): Fields[] {
  return tools.flatMap((tool) =>
    tool['type'] === 'namespace'
      ? listedFields(tool['tools']).map((one) => ({
          ...one,
          name: joinName(tool['name'], one['name']),
        }))
      : [tool],
  )
}

/** The `name` of a call, and its `namespace` if the request's tool has one. */
export function splitName(request: Fields, joined: unknown): Fields {
  for (const { type, name: namespace, tools } of listedFields(request['tools']))
    if (type === 'namespace')
      for (const { name } of listedFields(tools))
        if (joinName(namespace, name) === joined) return { namespace, name }
  return { name: joined }
}
