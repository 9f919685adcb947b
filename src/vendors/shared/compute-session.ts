/** The common parts of services for compute sessions. */
import { Type } from '../../lib/schema.ts'
import { cents, formatCents, type Micros } from '../../lib/money.ts'
import type { SessionMeter, UseRates } from '../../catalog/vocabulary/action.ts'
import {
  defineService,
  opensSession,
  params,
  type Service,
} from '../../catalog/vocabulary/define.ts'
import { choice, optional, text } from '../../catalog/vocabulary/fields.ts'
import { requireOneStart, snapshotActions, snapshotToStartFrom } from './compute-snapshots.ts'
import { priceOfUnits } from '../../catalog/prices/price.ts'
import type { Price } from '../../catalog/vocabulary/tariff.ts'
import type { Vendor } from '../../catalog/vocabulary/wire.ts'
import { sessionReturns, snapshotReturns } from './compute-returns.ts'

export type Computer = {
  readonly id: string
  readonly title: string
  readonly vendor: Vendor
  /** The kind of machine and its purpose. */
  readonly isolation: string
  /** The title of create_session. */
  readonly sessionTitle: string
  readonly notes: string
  readonly keywords: readonly string[]
  readonly pricing: Terms
  /**
   * The templates: any name with this description, or one of a list, the first of which is the
   * default.
   */
  readonly template: string | { readonly description: string; readonly among: readonly string[] }
  /** Its sessions can be saved as snapshots and can start from them. */
  readonly takesSnapshots?: true
}

type UnitPrice = Extract<Price<object>, { kind: 'unit' }>

/** Metering, price and the description of both. */
type Terms = {
  readonly meter: SessionMeter
  readonly price: UnitPrice
  readonly leastCharge: Micros
  readonly priceSource: string
  readonly terms: string
}

/** The duration that an open session holds at a time. */
const HELD_HOURS = 1 / 6
/** A `max_cost_cents` below the price of one minute opens no session. */
const LEAST_HOURS = 1 / 60
/** A program may take one minute, plus ten seconds of overhead. */
const PROGRAM_HOURS = 70 / 3600
/** A `max_cost_cents` below the price of a few seconds opens no session. */
const LEAST_PROGRAM_HOURS = PROGRAM_HOURS / 4

const envs = Type.Record(
  Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_]{0,127}$' }),
  Type.String({ maxLength: 32_768 }),
  {
    maxProperties: 100,
    additionalProperties: false,
    description: 'Environment variables for all programs in the session.',
  },
)

function templateOf(template: Computer['template']) {
  if (typeof template === 'string')
    return text(template, 200, { pattern: '^[A-Za-z0-9][A-Za-z0-9._:/-]*$' })
  const { description, among } = template
  return choice(description, [...among], { default: among[0] })
}

/** Metered per vCPU-hour while the machine is open. */
export function pricePerHour(vcpus: number): Terms {
  const price: UnitPrice = {
    kind: 'unit',
    rate: cents('5'),
    unit: 'vCPU-hour',
    atMost: () => vcpus * HELD_HOURS,
    counted: { by: 'vendor', least: () => vcpus * LEAST_HOURS },
  }
  return {
    meter: { unitsPerHour: vcpus },
    price,
    leastCharge: priceOfUnits(price, vcpus * LEAST_HOURS),
    priceSource: 'Specification, 2026-11: about 5¢ per vCPU-hour.',
    terms:
      'While the session is open, the gateway holds the price of ten minutes at a time. When it closes, the used time is charged and the rest is released. It closes after half an hour without use, or when the account, its key or max_cost_cents does not cover more time. A gateway that runs the machine itself (isolation in the answer) charges only the CPU time that programs use, by the same rate, and stops all programs between calls.',
  }
}

/**
 * Metered by CPU time and memory in use. The hold is based on the most that a machine can use in an
 * hour.
 */
export function pricePerUse(
  rates: UseRates,
  { cpus, gigabytes }: { readonly cpus: number; readonly gigabytes: number },
  priceSource: string,
): Terms {
  const rate = rates.cpuHour * BigInt(cpus) + rates.gigabyteHour * BigInt(gigabytes)
  const price: UnitPrice = {
    kind: 'unit',
    rate,
    unit: 'hour of the whole machine',
    advertised: {
      least: rates.cpuHour,
      most: rates.cpuHour,
      unit: `CPU-hour plus ${formatCents(rates.gigabyteHour)}¢ per GB-hour`,
    },
    atMost: () => PROGRAM_HOURS,
    counted: { by: 'vendor', least: () => LEAST_PROGRAM_HOURS },
  }
  return {
    meter: { unitsPerHour: 1, use: rates },
    price,
    leastCharge: priceOfUnits(price, LEAST_PROGRAM_HOURS),
    priceSource,
    terms:
      'Without a running program the session costs nothing and stays open indefinitely. While it is open, the gateway holds the most that one program can use. Each program is charged for its use when it ends. If closing ends a program, its time is charged at the full size of the machine. The session closes when the account, its key or max_cost_cents does not cover another program.',
  }
}

/** A service whose machines stay open until they are closed. */
export function computeService({
  id,
  title,
  vendor,
  isolation,
  sessionTitle,
  notes,
  keywords,
  pricing,
  template,
  takesSnapshots,
}: Computer): Service {
  const { meter, price, leastCharge, priceSource, terms } = pricing
  return defineService({
    id,
    title,
    category: 'compute',
    vendor,
    returns: { ...sessionReturns, ...(takesSnapshots === true ? snapshotReturns : {}) },
    actions: {
      create_session: opensSession({
        meter,
        title: sessionTitle,
        summary: `Open a machine that keeps files and installed packages until it is closed: ${isolation}.`,
        description: `${notes} Run commands and code with the MCP tool session, and close the machine with the MCP tool close. ${terms}`,
        keywords: [
          'compute session',
          'code interpreter',
          'persistent machine',
          'run code',
          ...keywords,
        ],
        input: params({
          template: optional(templateOf(template)),
          envs: optional(envs),
          ...(takesSnapshots === true ? { snapshot_id: optional(snapshotToStartFrom) } : {}),
        }),
        example: { envs: { STAGE: 'test' } },
        check: requireOneStart,
        price,
        leastCharge,
        priceSource,
        timeoutMs: 120_000,
      }),
      ...(takesSnapshots === true ? snapshotActions(id) : {}),
    },
  })
}
