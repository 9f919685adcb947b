/** The types of all actions of the catalog, for packages/sdk. */
import { createCatalog, type Entry } from '../../../../catalog/index.ts'
import { answerSchema } from '../../../../catalog/published/answer-schema.ts'
import { ownCallParams } from '../../../../catalog/published/call-params.ts'
import { inputSchema, type JsonSchema } from '../../../../catalog/published/json-schema.ts'
import {
  canBeJob,
  type EndpointAction,
  type EndpointEntry,
  type Service,
} from '../../../../catalog/vocabulary/define.ts'
import { EVENT_TYPES } from '../../../../events/event-types.ts'
import { errorCatalog } from '../../../../errors/catalog.ts'
import type { Steps } from '../../../../lib/background/sliced.ts'
import { toCatalogName, toCodeName } from '../../../../../packages/sdk/src/names.ts'
import { writeFields, writeType, type Field } from './write-type.ts'

const GENERATED = '// Generated from the catalog by tools/reference.ts; do not edit.\n'
const IMPORTS = `import type { Call, EndpointCall, JobCall, MaybeJobCall, OptionalCall } from './call-types.ts'
import type { Data, OtherText } from './data.ts'
`

/** The text of packages/sdk/src/gateway-names.d.ts: error codes and types of events. */
export function gatewayNames(): string {
  const union = (name: string, texts: readonly string[]): string =>
    `\nexport type ${name} =\n${texts.map((text) => `  | '${text}'\n`).join('')}`
  return `${GENERATED}${union('GatewayErrorCode', Object.keys(errorCatalog))}${union('EventType', Object.keys(EVENT_TYPES))}`
}

/** The text of packages/sdk/src/actions.d.ts. */
export function* actionTypes(services: readonly Service[]): Steps<string> {
  const entries = createCatalog(services).allActions()
  const parts = [
    `${GENERATED}${IMPORTS}`,
    writeInterface(
      'Services',
      services.flatMap(({ id, title }) =>
        withCodeName(
          { name: id, type: typeName(id), description: title, isRequired: true },
          'Services',
        ),
      ),
    ),
  ]
  for (const { id } of services)
    parts.push(
      yield* writeService(
        id,
        entries.filter(({ service }) => service.id === id),
      ),
    )
  return parts.join('\n')
}

function* writeService(id: string, entries: readonly Entry[]): Steps<string> {
  const actions: Field[] = []
  const endpointMaps: string[] = []
  for (const entry of entries) {
    const { service, name, action } = entry
    const call = { name, type: writeCall(entry), description: action.summary, isRequired: true }
    actions.push(...withCodeName(call, typeName(id)))
    yield
    if (action.kind === 'endpoint')
      endpointMaps.push(
        writeInterface(endpointsName(id, name), yield* writeEndpoints(service, name, action)),
      )
  }
  return [writeInterface(typeName(id), actions), ...endpointMaps].join('\n')
}

function writeCall({ service, name, action }: Entry): string {
  const answer = answerSchema(service, name)
  if (action.kind === 'endpoint')
    return `EndpointCall<${endpointsName(service.id, name)}${answer === undefined ? '' : `, ${writeType(answer, 1)}`}>`
  const schema = inputSchema(action)
  const input = { ...schema, properties: { ...ownCallParams(action), ...schema.properties } }
  const types = [writeType(input, 1), ...(answer === undefined ? [] : [writeType(answer, 1)])]
  return `${callType({ service, name, action }, input)}<${types.join(', ')}>`
}

function callType({ action }: Entry, { required = [] }: JsonSchema): string {
  if (!canBeJob(action)) return required.length === 0 ? 'OptionalCall' : 'Call'
  return action.kind === 'job' && action.directly !== undefined ? 'MaybeJobCall' : 'JobCall'
}

function* writeEndpoints(service: Service, name: string, action: EndpointAction): Steps<Field[]> {
  const branches = new Map(
    inputSchema(action).oneOf?.map((branch) => [branch.properties?.['endpoint']?.const, branch]),
  )
  const fields: Field[] = []
  for (const entry of action.endpoints) {
    const answer = answerSchema(service, name, entry.endpoint)
    const isUsual = answer === answerSchema(service, name)
    const own: Field[] = [
      {
        name: 'input',
        type: writeEndpointInput(entry, branches.get(entry.endpoint)),
        isRequired: true,
      },
      ...(answer === undefined || isUsual
        ? []
        : [{ name: 'answer', type: writeType(answer, 2), isRequired: true }]),
    ]
    fields.push({
      name: entry.endpoint,
      description: entry.summary,
      isRequired: true,
      type: writeFields(own, 1),
    })
    yield
  }
  return fields
}

function writeEndpointInput(
  { endpoint, isOpen }: EndpointEntry,
  branch: JsonSchema | undefined,
): string {
  if (branch === undefined) throw new RangeError(`${endpoint} has no input schema.`)
  const { endpoint: _, ...named } = branch.properties ?? {}
  // More than a thousand endpoints: their descriptors describe the parameters.
  const properties = Object.fromEntries(
    Object.entries(named).map(([name, { description: __, ...field }]) => [name, field]),
  )
  const type =
    Object.keys(properties).length === 0 ? 'object' : writeType({ ...branch, properties }, 2)
  return isOpen === true ? `${type} & Data` : type
}

/** A name with a dash is also available without it, if the client can restore the dash. */
function withCodeName(field: Field, owner: string): Field[] {
  const code = toCodeName(field.name)
  if (code === field.name || toCatalogName(code) !== field.name) return [field]
  const type = `${owner}[${JSON.stringify(field.name)}]`
  return [field, { name: code, type, isRequired: true }]
}

function writeInterface(name: string, fields: readonly Field[]): string {
  return `export interface ${name} ${writeFields(fields, 0)}\n`
}

function typeName(id: string): string {
  const code = toCodeName(id)
  return `${code.charAt(0).toUpperCase()}${code.slice(1)}Actions`.replaceAll(/\W/g, '')
}

function endpointsName(id: string, action: string): string {
  return typeName(id).replace(/Actions$/, `${typeName(action).replace(/Actions$/, '')}Endpoints`)
}
