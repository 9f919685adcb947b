/** Cassettes of a gateway, and their files. */
import { readFileSync } from 'node:fs'
import type { Tollgate } from '../../../sdk/src/index.ts'
import { UsageError } from '../usage-error.ts'

export type Cassette = {
  readonly id: string
  readonly name: string
  readonly key_id: string | null
  readonly recordings: number
  readonly bytes: number
  readonly recorded_at: string
  readonly expires_at: string
}

/** A recorded call with its answer. */
export type Recording = {
  /** Such as "run/core/onescrape" or "llm/chat/completions". */
  readonly route: string
  readonly input: Readonly<Record<string, unknown>>
  readonly status: number
  readonly answer?: unknown
  /** Of a stream, instead of an answer. */
  readonly events?: readonly string[]
  readonly model: string | null
  readonly charged_micros: number
  readonly live: boolean
  readonly recorded_at: string
}

/** The file that `cassette export` writes. */
export type CassetteFile = {
  readonly tollgate_cassette: 1
  readonly name: string
  readonly recordings: readonly Recording[]
}

const CASSETTES = '/api/v1/cassettes'
const MOST_IN_BATCH = 50
const BATCH_CHARACTERS = 1_000_000

export type CassetteApi = {
  readonly client: Tollgate
  readonly signal: AbortSignal
}

export async function listCassettes({ client, signal }: CassetteApi): Promise<Cassette[]> {
  const { data } = await client.request<{ data: Cassette[] }>('GET', CASSETTES, undefined, {
    signal,
  })
  return data
}

export async function deleteCassette({ client, signal }: CassetteApi, name: string): Promise<void> {
  await client.request('DELETE', pathOf(name), undefined, { signal })
}

/** All recordings, oldest first. Throws TollgateError. */
export async function readRecordings(
  { client, signal }: CassetteApi,
  name: string,
): Promise<Recording[]> {
  const all: Recording[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const query: string = cursor === '' ? '' : `?cursor=${encodeURIComponent(cursor)}`
    const page = await client.request<{ data: Recording[]; next_cursor: string | null }>(
      'GET',
      `${pathOf(name)}/recordings${query}`,
      undefined,
      { signal },
    )
    all.push(...page.data)
    cursor = page.next_cursor
  }
  return all
}

/** Sends the recordings in batches. Throws TollgateError; the batches before it are stored. */
export async function importRecordings(
  { client, signal }: CassetteApi,
  name: string,
  recordings: readonly Recording[],
): Promise<void> {
  for (const batch of batchesOf(recordings))
    await client.request('POST', `${pathOf(name)}/recordings`, { recordings: batch }, { signal })
}

function batchesOf(recordings: readonly Recording[]): Recording[][] {
  const batches: Recording[][] = []
  let characters = Number.POSITIVE_INFINITY
  for (const recording of recordings) {
    const size = JSON.stringify(recording).length
    const last = batches.at(-1)
    if (
      last === undefined ||
      characters + size > BATCH_CHARACTERS ||
      last.length >= MOST_IN_BATCH
    ) {
      batches.push([recording])
      characters = size
    } else {
      last.push(recording)
      characters += size
    }
  }
  return batches
}

/** Throws UsageError for a file that `cassette export` did not write. The gateway checks the recordings. */
export function readCassetteFile(path: string): CassetteFile {
  let file: unknown
  try {
    file = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new UsageError(`Could not read ${path}: ${(error as Error).message}`)
  }
  const { tollgate_cassette: version, name, recordings } = (file ?? {}) as Partial<CassetteFile>
  if (version !== 1 || typeof name !== 'string' || !Array.isArray(recordings))
    throw new UsageError(`${path} is not a cassette.`, 'Write one with "cassette export".')
  return file as CassetteFile
}

function pathOf(name: string): `/${string}` {
  return `${CASSETTES}/${encodeURIComponent(name)}`
}
