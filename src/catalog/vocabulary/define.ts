/**
 * The vocabulary of the catalog. A service is data: one record per action states its input, price,
 * billing rule, wire request and outcome. The index, descriptor, OpenAPI document, discovery and
 * catalog pages derive from the record that also executes the action. A record does no I/O and
 * reads no clock and no environment.
 *
 * Input is parsed strictly, a vendor's reply leniently: unknown reply fields pass through unchanged.
 */
import { Type, type TObject, type TProperties, type TSchema } from '../../lib/schema.ts'
import type { CallAction, JobAction, LocalAction, OpenSource, Service } from './action.ts'
import { describe, pickSource, toMerchantSource } from './erase-types.ts'
import type { Data } from './outcome.ts'
import type {
  CallSpec,
  JobSpec,
  LocalJobSpec,
  LocalSpec,
  OpenSourceSpec,
  SessionSpec,
} from './specs.ts'
import type { Vendor } from './wire.ts'

export { canBeJob, isLaunched, meterOf, paidTimeOf } from './action.ts'
export { endpoint, pathRequest } from './endpoint.ts'
export type {
  Action,
  ActionBase,
  CallAction,
  EndpointAction,
  EndpointEntry,
  EndpointGroups,
  EndpointParam,
  JobAction,
  JobInHouse,
  LocalAction,
  Measure,
  MerchantSource,
  OpenSource,
  Ownership,
  Progress,
  Service,
  Source,
} from './action.ts'

export function defineService(
  service: Omit<Service, 'vendor'> & { readonly vendor?: Vendor },
): Service {
  return { ...service, vendor: service.vendor }
}

/** An object schema that rejects unknown fields. */
export function params<P extends TProperties>(
  properties: P,
  options: Readonly<Record<string, unknown>> = {},
): TObject<P> {
  const schema = Type.Object(properties, { additionalProperties: false, ...options })
  // Validation fills in defaults: such a field is optional for callers and required in the type.
  const declared = (schema.required ?? []) as readonly string[]
  const required = declared.filter((name) => !Object.hasOwn(properties[name] ?? {}, 'default'))
  return Object.assign(schema, { required })
}

/** One request, one answer. */
export function call<S extends TObject, R extends TSchema, O extends TSchema = TSchema>(
  spec: CallSpec<S, R, O>,
): CallAction {
  const erased = spec as unknown as CallAction
  const { ownership } = erased
  return {
    kind: 'call',
    ...describe(spec),
    isOrder: spec.isOrder ?? ownership?.createdId !== undefined,
    exampleNeeds: [...(spec.exampleNeeds ?? []), ...targetParams(erased)],
    ...pickSource(erased),
    input: spec.input,
    paidTime: spec.paidTime,
    merchant: toMerchantSource(spec.merchant, erased),
    openSource: erased.openSource,
    ownership,
    inHouse: spec.inHouse,
    inHouseNeedsModel: spec.inHouseNeedsModel,
    inHousePart: spec.inHousePart,
    inHouseNeedsProxy: spec.inHouseNeedsProxy,
    inHouseCheck: erased.inHouseCheck,
    isOnlyInHouse: erased.isOnlyInHouse,
    isInHouseForCallsOnly: spec.isInHouseForCallsOnly,
    limits: spec.limits,
  }
}

/** The parameters of the example that contain the id of an object from an earlier call. */
function targetParams({ example, ownership }: CallAction): readonly string[] {
  const target = ownership?.targetId?.(example)
  return target === undefined ? [] : Object.keys(example).filter((name) => example[name] === target)
}

/** The free public source of one endpoint. Its input has `endpoint` and the endpoint's parameters. */
export function openSource<R extends TSchema>(spec: OpenSourceSpec<Data, R>): OpenSource {
  const erased = spec as unknown as OpenSource
  return {
    ...pickSource(erased),
    vendor: spec.vendor,
    ...(erased.check === undefined ? {} : { check: erased.check }),
  }
}

/** One launch, then one poll at a time until the vendor finishes. */
export function job<
  S extends TObject,
  L extends TSchema,
  R extends TSchema,
  D extends TSchema = TSchema,
>(spec: JobSpec<S, L, R, D>): JobAction {
  const erased = spec as unknown as JobAction
  return {
    kind: 'job',
    ...describe(spec),
    isOrder: true,
    input: spec.input,
    directly: erased.directly,
    measure: erased.measure,
    inHouse: spec.inHouse,
    launch: erased.launch,
    poll: erased.poll,
    reply: spec.reply,
    outcome: erased.outcome,
  }
}

/** An action that a handler of the gateway performs. */
export function local<S extends TObject>(spec: LocalSpec<S>): LocalAction {
  const { uses = [], needs = () => uses } = spec as unknown as LocalSpec<TObject>
  return {
    kind: 'local',
    ...describe(spec),
    input: spec.input,
    handler: spec.handler,
    uses,
    needs,
    running: undefined,
    atVendor: spec.atVendor ?? false,
    meter: undefined,
  }
}

/** A local action as a durable job: the call holds its budget, and a worker does the work. */
export function localJob<S extends TObject>(spec: LocalJobSpec<S>): LocalAction {
  return { ...local(spec), running: spec.running }
}

/** An action that opens a compute session at the service's vendor. */
export function opensSession<S extends TObject>(spec: SessionSpec<S>): LocalAction {
  return { ...local({ ...spec, handler: 'sessions.open', atVendor: true }), meter: spec.meter }
}
