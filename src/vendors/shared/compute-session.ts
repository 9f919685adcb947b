/** What the services of compute sessions have in common. */
import { Type } from 'typebox'
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

export type Computer = {
  readonly id: string
  readonly title: string
  readonly vendor: Vendor
  /** What it is and for whom. */
  readonly isolation: string
  readonly notes: string
  readonly keywords: readonly string[]
  readonly sold: Sold
  /** What may be named: anything, or one of these, the first of which is meant where none is. */
  readonly template: string | { readonly description: string; readonly among: readonly string[] }
  /** Its sessions can be saved as snapshots, and start from them. */
  readonly takesSnapshots?: true
}

type UnitPrice = Extract<Price<object>, { kind: 'unit' }>

/** How machines are metered and priced, and what callers are told of it. */
type Sold = {
  readonly meter: SessionMeter
  readonly price: UnitPrice
  readonly leastCharge: Micros
  readonly priceSource: string
  readonly terms: string
}

/** What an open session is held for at a time. */
const HELD_HOURS = 1 / 6
/** A ceiling that does not pay for a minute opens nothing. */
const LEAST_HOURS = 1 / 60
/** A program may take a minute, and ten seconds go by around it. */
const PROGRAM_HOURS = 70 / 3600
/** A ceiling that does not pay for a program of a few seconds opens nothing. */
const LEAST_PROGRAM_HOURS = PROGRAM_HOURS / 4

const envs = Type.Record(
  Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_]{0,127}$' }),
  Type.String({ maxLength: 32_768 }),
  {
    maxProperties: 100,
    additionalProperties: false,
    description: 'Environment variables of everything that runs in the session.',
  },
)

function templateOf(template: Computer['template']) {
  if (typeof template === 'string')
    return text(template, 200, { pattern: '^[A-Za-z0-9][A-Za-z0-9._:/-]*$' })
  const { description, among } = template
  return choice(description, [...among], { default: among[0] })
}

/** By the vCPU-hour, for as long as the machine is open. */
export function byTheHour(vcpus: number): Sold {
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
      'Ten minutes are held for at a time while it is open; what was used is charged, and the rest given back when it is closed. It is closed when it was not used for half an hour, and when the account, its key or max_cost_cents does not pay for more.',
  }
}

/** By the CPU time and the memory that programs use. The most that a machine can use in an hour is what is held by. */
export function byUse(
  rates: UseRates,
  { cpus, gigabytes }: { readonly cpus: number; readonly gigabytes: number },
  priceSource: string,
): Sold {
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
      'While no program runs it costs nothing and is kept, however long. What one program can use at most is held for while it is open; each is charged what it used when it ends, one that is cut off by closing for its time at the size of the machine. It is closed when the account, its key or max_cost_cents does not pay for another program.',
  }
}

/** A service that sells machines which are open until they are closed. */
export function computeService({
  id,
  title,
  vendor,
  isolation,
  notes,
  keywords,
  sold,
  template,
  takesSnapshots,
}: Computer): Service {
  const { meter, price, leastCharge, priceSource, terms } = sold
  return defineService({
    id,
    title,
    category: 'compute',
    vendor,
    actions: {
      create_session: opensSession({
        meter,
        summary: `Open a machine that keeps its files and installs until it is closed: ${isolation}.`,
        description: `${notes} Run commands and code in it with the MCP tool session, and close it with the MCP tool close. ${terms}`,
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
