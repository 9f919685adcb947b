/** What the services of compute sessions have in common. */
import { Type } from 'typebox'
import { cents } from '../lib/money.ts'
import { defineService, opensSession, params, type Service } from './define.ts'
import { choice, optional, text } from './fields.ts'
import type { Vendor } from './wire.ts'

export type Computer = {
  readonly id: string
  readonly title: string
  readonly vendor: Vendor
  /** What it is and for whom. */
  readonly isolation: string
  readonly notes: string
  readonly keywords: readonly string[]
  readonly vcpus: number
  /** What may be named: anything, or one of these, the first of which is meant where none is. */
  readonly template: string | { readonly description: string; readonly among: readonly string[] }
}

/** What an open session is held for at a time. */
const HELD_HOURS = 1 / 6
/** A ceiling that does not pay for a minute opens nothing. */
const LEAST_HOURS = 1 / 60

const envs = Type.Record(Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_]{0,127}$' }), Type.String({ maxLength: 32_768 }), { maxProperties: 100, additionalProperties: false, description: 'Environment variables of everything that runs in the session.' })

function templateOf(template: Computer['template']) {
  if (typeof template === 'string') return text(template, 200, { pattern: '^[A-Za-z0-9][A-Za-z0-9._:/-]*$' })
  const { description, among } = template
  return choice(description, [...among], { default: among[0] })
}

/** A service that sells machines by the vCPU-hour, metered while they are open. */
export function computeService({ id, title, vendor, isolation, notes, keywords, vcpus, template }: Computer): Service {
  return defineService({
    id,
    title,
    category: 'compute',
    vendor,
    actions: {
      create_session: opensSession({
        vcpus,
        summary: `Open a machine that keeps its files and installs until it is closed: ${isolation}.`,
        description: `${notes} Run commands and code in it with the MCP tool session, and close it with the MCP tool close. Ten minutes are held for at a time while it is open; what was used is charged, and the rest given back when it is closed. It is closed when it was not used for half an hour, and when the account, its key or max_cost_cents does not pay for more.`,
        keywords: ['compute session', 'code interpreter', 'persistent machine', 'run code', ...keywords],
        input: params({ template: optional(templateOf(template)), envs: optional(envs) }),
        example: { envs: { STAGE: 'test' } },
        price: { kind: 'unit', rate: cents('5'), unit: 'vCPU-hour', atMost: () => vcpus * HELD_HOURS, counted: { by: 'vendor', least: () => vcpus * LEAST_HOURS } },
        priceSource: 'Specification, 2026-11: about 5¢ per vCPU-hour.',
        timeoutMs: 120_000,
      }),
    },
  })
}
