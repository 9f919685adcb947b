/**
 * An example call for one path of a passthrough: known parameters that work, or placeholders such
 * as `<name>` for text.
 */
import type { EndpointAction, EndpointEntry, EndpointParam } from '../vocabulary/define.ts'
import type { Data } from '../vocabulary/outcome.ts'

export function endpointExample(action: EndpointAction, entry: EndpointEntry): Data {
  if (action.example['endpoint'] === entry.endpoint) return action.example
  return { endpoint: entry.endpoint, ...(entry.example ?? placeholders(entry)) }
}

function placeholders({ params, oneOf = [] }: EndpointEntry): Data {
  return Object.fromEntries(
    params
      .filter(({ name, required }) => required || name === oneOf[0])
      .map((param) => [param.name, valueOf(param)]),
  )
}

function valueOf({ name, type, limits = {} }: EndpointParam): unknown {
  const { enum: choices, default: preset, minimum } = limits
  if (Array.isArray(choices)) return choices[0] as unknown
  if (preset !== undefined) return preset
  switch (type) {
    case 'string':
      return `<${name}>`
    case 'integer':
    case 'number':
      return minimum ?? 1
    case 'boolean':
      return true
    case 'array':
      return (limits['items'] as { type?: unknown } | undefined)?.type === 'object'
        ? [{}]
        : [`<${name}>`]
    case 'object':
      return {}
  }
}
