/** Cassettes over the HTTP API. */
import { writeFileSync } from 'node:fs'
import {
  deleteCassette,
  importRecordings,
  listCassettes,
  readCassetteFile,
  readRecordings,
  type CassetteApi,
  type CassetteFile,
} from '../cassettes/cassette-client.ts'
import type { Command, Deps } from '../command.ts'
import { dollars } from '../output/money.ts'
import { note } from '../output/notes.ts'
import { formatBytes } from '../output/sizes.ts'
import { table } from '../output/table.ts'
import { widthFor } from '../terminal.ts'
import { UsageError } from '../usage-error.ts'

const operand = { value: '<name>', about: 'the name of a cassette, or its id (cas_…)' } as const

export function apiOf({ connect, signal }: Pick<Deps, 'connect' | 'signal'>): CassetteApi {
  return { client: connect.open(), signal }
}

export const cassetteList: Command = {
  name: 'cassette list',
  summary: 'list the cassettes that the key can replay',
  flags: {},
  example: 'cassette list',
  async run(_, deps) {
    const data = await listCassettes(apiOf(deps))
    const rows = data.map((one) => [
      one.name,
      String(one.recordings),
      formatBytes(one.bytes),
      one.recorded_at.slice(0, 16).replace('T', ' '),
      one.expires_at.slice(0, 10),
      one.key_id ?? 'account',
    ])
    const head = ['name', 'recordings', 'size', 'recorded (UTC)', 'expires', 'owner']
    return {
      data,
      text: rows.length === 0 ? 'No cassettes.' : table(head, rows, widthFor(deps.terminal)),
    }
  },
}

export const cassetteShow: Command = {
  name: 'cassette show',
  summary: 'show the recordings of a cassette',
  operand,
  flags: {},
  example: 'cassette show checkout',
  async run({ operands }, deps) {
    const data = await readRecordings(apiOf(deps), operands[0] ?? '')
    const rows = data.map((one) => [
      one.route,
      String(one.status),
      dollars(one.charged_micros),
      one.live ? 'live' : 'simulated',
      one.events === undefined ? 'answer' : `${one.events.length} events`,
      JSON.stringify(one.input),
    ])
    const head = ['call', 'status', 'charged', 'recorded', 'as', 'input']
    return { data, text: table(head, rows, widthFor(deps.terminal)) }
  },
}

export const cassetteDelete: Command = {
  name: 'cassette delete',
  summary: 'delete a cassette and its recordings',
  operand,
  flags: {},
  example: 'cassette delete checkout',
  async run({ operands }, deps) {
    const name = operands[0] ?? ''
    await deleteCassette(apiOf(deps), name)
    return { data: { name }, text: `Deleted ${name}.` }
  },
}

export const cassetteExport: Command = {
  name: 'cassette export',
  summary: 'write a cassette as a JSON file for version control',
  operand,
  flags: {
    output: {
      value: '<path>',
      about: 'the file, or "-" for the standard output; default: <name>.cassette.json',
    },
  },
  example: 'cassette export checkout',
  async run({ operands, flags }, deps) {
    const name = operands[0] ?? ''
    const recordings = await readRecordings(apiOf(deps), name)
    const file: CassetteFile = { tollgate_cassette: 1, name, recordings }
    const text = `${JSON.stringify(file, null, 2)}\n`
    const path = flags['output']?.[0] ?? `${name}.cassette.json`
    if (path === '-') {
      deps.terminal.out(text)
      return null
    }
    try {
      writeFileSync(path, text)
    } catch (error) {
      throw new UsageError(`Could not write ${path}: ${(error as Error).message}`)
    }
    note(deps, `Wrote ${recordings.length} recordings.`)
    return { data: { path, recordings: recordings.length }, text: path }
  },
}

export const cassetteImport: Command = {
  name: 'cassette import',
  summary: 'store the recordings of an exported file; each replaces that of the same call',
  operand: { value: '<file>', about: 'a file that "cassette export" wrote' },
  flags: { name: { value: '<name>', about: 'the cassette; default: its name in the file' } },
  example: 'cassette import checkout.cassette.json --test',
  async run({ operands, flags }, deps) {
    const file = readCassetteFile(operands[0] ?? '')
    const name = flags['name']?.[0] ?? file.name
    await importRecordings(apiOf(deps), name, file.recordings)
    const { length: recordings } = file.recordings
    return { data: { name, recordings }, text: `Imported ${recordings} recordings into ${name}.` }
  },
}
