import { AppError } from '../errors/app-error.ts'
import type { Id } from '../lib/ids.ts'
import { shortText } from '../lib/short-text.ts'
import { toRfc3339 } from '../lib/clock.ts'
import { cassetteKeyOf, type CassetteDeps, type Scene, type Take } from './cassette.ts'
import { compareJson, MOST_DIFFERENCES, type Difference } from './compare-json.ts'
import { matchOf } from './match.ts'

type Row = {
  readonly id: Id
  readonly status: number | null
  readonly body: string
  readonly is_events: boolean
  readonly model: string | null
  readonly charged_micros: bigint
}

/**
 * The recorded answer of a call; null without one. Throws AppError `cassette_miss` without one in
 * replay mode, with the nearest recording.
 */
export async function findRecording(deps: CassetteDeps, scene: Scene): Promise<Take | null> {
  const { use, owner, route, input } = scene
  if (use.mode === 'record') return null
  const { rows } = await deps.database.query<Row>(
    `select cassettes.id, status, body, is_events, model, charged_micros
     from cassettes left join recordings on cassette_id = cassettes.id and match = $4
     where account_id = $1 and key_id is not distinct from $2 and name = $3 and expires_ms > $5`,
    [owner.accountId, cassetteKeyOf(owner), use.name, matchOf(route, input).digest, deps.now()],
  )
  const [row] = rows
  if (row !== undefined && row.status !== null)
    return {
      status: row.status,
      body: row.body,
      isEvents: row.is_events,
      model: row.model,
      charged: row.charged_micros,
    }
  if (use.mode === 'replay') throw await missOf(deps, scene, row?.id ?? null)
  return null
}

type Nearest = {
  readonly input: string
  readonly recorded_ms: bigint
}

/** A miss costs as much as this many comparisons of recordings of this size. */
const MOST_COMPARED = 20
const MOST_COMPARED_BYTES = 64 * 1024

async function missOf(
  { database }: CassetteDeps,
  { use, route, input }: Scene,
  cassetteId: Id | null,
): Promise<AppError> {
  const record = `Record the call first: send it with "X-Tollgate-Cassette: ${use.name}; mode=record".`
  if (cassetteId === null)
    return new AppError('cassette_miss', `There is no cassette "${use.name}".`, {
      fix: `${record} GET /api/v1/cassettes lists the cassettes that this key can replay.`,
      details: { cassette: use.name, route, nearest: null },
    })
  const sent = matchOf(route, input).input
  const { rows } = await database.query<Nearest>(
    `select input, recorded_ms from recordings
     where cassette_id = $1 and route = $2 and octet_length(input) <= ${MOST_COMPARED_BYTES}
     order by abs(octet_length(input) - $3), id desc limit ${MOST_COMPARED}`,
    [cassetteId, route, Buffer.byteLength(sent)],
  )
  const isComparable = Buffer.byteLength(sent) <= MOST_COMPARED_BYTES
  const nearest = isComparable ? nearestOf(rows, JSON.parse(sent)) : null
  return nearest === null
    ? new AppError('cassette_miss', `Cassette "${use.name}" has no recording of ${route}.`, {
        fix: record,
        details: { cassette: use.name, route, nearest: null },
      })
    : new AppError('cassette_miss', describeMiss(use.name, route, nearest.differences), {
        param: nearest.differences[0]?.path,
        fix: `Send the recorded input, or record this call: send it with "X-Tollgate-Cassette: ${use.name}; mode=record".`,
        details: {
          cassette: use.name,
          route,
          nearest: {
            recorded_at: toRfc3339(Number(nearest.recordedMs)),
            differences: nearest.differences.slice(0, MOST_SHOWN).map(showDifference),
          },
        },
      })
}

function nearestOf(
  rows: readonly Nearest[],
  sent: unknown,
): { readonly differences: readonly Difference[]; readonly recordedMs: bigint } | null {
  const compared = rows.map((row) => ({
    differences: compareJson(JSON.parse(row.input), sent),
    recordedMs: row.recorded_ms,
  }))
  return compared.reduce<(typeof compared)[number] | null>(
    (best, one) => (best === null || one.differences.length < best.differences.length ? one : best),
    null,
  )
}

const MOST_SHOWN = 10
const LONGEST_SHOWN = 200

function describeMiss(name: string, route: string, differences: readonly Difference[]): string {
  const [first] = differences
  const others = differences.length - 1
  const more =
    others === 0
      ? ''
      : `, and at ${others === MOST_DIFFERENCES - 1 ? 'many' : others} other place${others === 1 ? '' : 's'}`
  const where =
    first === undefined
      ? ''
      : ` at ${first.path === '' ? 'its root' : first.path}: recorded ${show(first.recorded)}, sent ${show(first.sent)}${more}`
  return `Cassette "${name}" has no recording of this call of ${route}. The nearest one differs${where}.`
}

function showDifference({ path, recorded, sent }: Difference) {
  return { path, recorded: show(recorded), sent: show(sent) }
}

function show(value: unknown): string {
  return value === undefined ? 'nothing' : shortText(JSON.stringify(value), LONGEST_SHOWN)
}
