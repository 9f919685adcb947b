import type { Action, Service } from '../../catalog/vocabulary/define.ts'
import { StartError } from '../../errors/start-error.ts'
import type { CountCap } from '../settings/count-caps.ts'

/** The services with the operator's caps as the maximum of their parameters. Throws StartError for a cap that fits no action. */
export function capCounts(
  services: readonly Service[],
  caps: readonly CountCap[],
): readonly Service[] {
  if (caps.length === 0) return services
  const names = new Set(
    services.flatMap(({ id, actions }) => Object.keys(actions).map((name) => `${id}/${name}`)),
  )
  for (const { action } of caps)
    if (!names.has(action)) throw new StartError(`COUNT_CAPS: unknown action "${action}".`)
  return services.map((service) => ({
    ...service,
    actions: Object.fromEntries(
      Object.entries(service.actions).map(([name, action]) => [
        name,
        caps
          .filter((cap) => cap.action === `${service.id}/${name}`)
          .reduce((capped, cap) => withCap(capped, cap), action),
      ]),
    ),
  }))
}

type Count = {
  readonly type?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly default?: number
  readonly description?: string
}

/** The integer parameter with a maximum; null for any other. */
export function countOf({ input }: Action, field: string): (Count & { maximum: number }) | null {
  const { properties = {} } = input as { readonly properties?: Readonly<Record<string, Count>> }
  const count = properties[field]
  return count?.type === 'integer' && count.maximum !== undefined
    ? { ...count, maximum: count.maximum }
    : null
}

function withCap<A extends Action>(action: A, { action: name, field, most }: CountCap): A {
  const count = countOf(action, field)
  if (count === null)
    throw new StartError(`COUNT_CAPS: ${name} has no count "${field}" with a maximum.`)
  const { minimum = 0, maximum, default: preset, description = '' } = count
  if (most < Math.max(1, minimum) || most > maximum)
    throw new StartError(
      `COUNT_CAPS: ${name}.${field}=${most} must be from ${Math.max(1, minimum)} to ${maximum}.`,
    )
  const capped = {
    ...count,
    maximum: most,
    ...(preset === undefined ? {} : { default: Math.min(preset, most) }),
    description: description.replaceAll(
      new RegExp(String.raw`\b${maximum.toLocaleString('en')}\b|\b${maximum}\b`, 'g'),
      String(most),
    ),
  }
  const { properties } = action.input as unknown as { readonly properties: object }
  const example = action.example[field]
  return {
    ...action,
    input: { ...action.input, properties: { ...properties, [field]: capped } },
    countCaps: { ...action.countCaps, [field]: most },
    ...(typeof example === 'number' && example > most
      ? { example: { ...action.example, [field]: most } }
      : {}),
  }
}
