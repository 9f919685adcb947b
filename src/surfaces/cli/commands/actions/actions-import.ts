import { existsSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { listTools } from '../../../../app/chores/list-tools.ts'
import { readDocumentText } from '../../../../app/chores/read-document.ts'
import { takenNames } from '../../../../app/wiring/own/read-own.ts'
import { MOST_DOCUMENT_BYTES } from '../../../../catalog/own/import/document.ts'
import { importMcp } from '../../../../catalog/own/import/import-mcp.ts'
import { importOpenApi } from '../../../../catalog/own/import/import-openapi.ts'
import type { Imported } from '../../../../catalog/own/import/keep-usable.ts'
import { headerAuth } from '../../../../catalog/own/import/security.ts'
import { Refusal } from '../../../../catalog/own/import/refusal.ts'
import { MOST_FILE_BYTES } from '../../../../catalog/own/read-text.ts'
import { settingsOf } from '../../../../catalog/vocabulary/wire.ts'
import { toAuth } from '../../../../catalog/own/to-record.ts'
import { UsageError, type Command, type Input, type Report, type Tools } from '../../command.ts'

const MOST_OVERLAY_BYTES = 2 * 1024 * 1024

export const actionsImport: Command = {
  name: 'actions import',
  summary:
    'make a file of own actions from an OpenAPI document or an MCP server; names what it leaves out',
  flags: {
    mcp: { value: '', about: 'the URL is that of an MCP server (Streamable HTTP)' },
    service: { value: '<name>', about: 'the name of the service; by default from the title' },
    only: {
      value: '<ids>',
      about:
        'operation ids, names such as "GET /pets", or tools, separated by commas; by default all',
    },
    'price-cents': { value: '<cents>', about: 'the price of a call without "x-tollgate-price"' },
    overlay: { value: '<files>', about: 'Overlay 1.0 files in JSON, separated by commas' },
    server: { value: '<url>', about: 'the base URL, if the document names none or several' },
    'auth-header': { value: '<name>', about: 'the header that carries the key' },
    'no-auth': { value: '', about: 'send no key' },
    private: { value: '', about: 'the API is in a private network' },
    folder: { value: '<folder>', about: 'where to write the file; ACTIONS_DIR by default' },
    replace: { value: '', about: 'replace the file of a former import' },
  },
  operand: {
    value: '<document>',
    about: 'a file or a URL of OpenAPI 2.0 to 3.2 in JSON; with --mcp the URL of the server',
  },
  example:
    './tollgate actions import https://api.acme.example/openapi.json --only getCompany --price-cents 2',
  async run({ operand, flags }, tools) {
    if (flags['auth-header'] !== undefined && flags['no-auth'] !== undefined)
      throw new UsageError('--auth-header and --no-auth exclude each other.')
    const folder = folderFor(tools, flags['folder'])
    if (flags['mcp'] !== undefined)
      return reporting(async () =>
        write(await importServer(operand, flags, tools), folder, flags['replace'] !== undefined),
      )
    const read = (place: string, maxBytes: number) =>
      readDocumentText(place, { config: tools.config(), maxBytes })
    const text = await read(operand, MOST_DOCUMENT_BYTES)
    const overlays = await Promise.all(
      listed(flags['overlay']).map((place) => read(place, MOST_OVERLAY_BYTES)),
    )
    return reporting(async () => {
      const imported = await importOpenApi(text, {
        service: flags['service'],
        cents: flags['price-cents'],
        only: flags['only'] === undefined ? undefined : listed(flags['only']),
        overlays,
        server: flags['server'],
        auth: flags['no-auth'] === undefined ? flags['auth-header'] : 'none',
        isPrivate: flags['private'] !== undefined,
        from: URL.canParse(operand) ? operand : undefined,
        taken: takenNames(),
      })
      return write(imported, folder, flags['replace'] !== undefined)
    })
  },
}

async function importServer(url: string, flags: Input['flags'], tools: Tools): Promise<Imported> {
  const { service } = flags
  if (service === undefined) throw new UsageError('--mcp needs --service with a name.')
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) throw new UsageError(`${url} is not a URL.`)
  const unused = ['overlay', 'server'].find((name) => flags[name] !== undefined)
  if (unused !== undefined) throw new UsageError(`--mcp and --${unused} exclude each other.`)
  const auth =
    flags['no-auth'] === undefined ? headerAuth(flags['auth-header'] ?? 'Authorization') : 'none'
  const server = { url, service, auth, isPrivate: flags['private'] !== undefined }
  return importMcp(await listTools({ ...server, config: tools.config(), now: tools.now }), {
    ...server,
    cents: flags['price-cents'],
    only: flags['only'] === undefined ? undefined : listed(flags['only']),
    taken: takenNames(),
  })
}

function folderFor(tools: Tools, folder: string | undefined): string {
  const found = folder === undefined ? tools.config().actionsDir : resolve(folder)
  if (found === null)
    throw new UsageError('Add --folder, or set ACTIONS_DIR to the folder of your files.')
  if (!existsSync(found)) throw new UsageError(`The folder ${found} does not exist.`)
  return found
}

function listed(text: string | undefined): readonly string[] {
  return (text ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

async function reporting(work: () => Promise<Report>): Promise<Report> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { data: { problem: error.message }, text: error.message, exitCode: 1 }
  }
}

/** The file appears whole: a gateway that reloads meanwhile must not read a part. */
async function write(
  { file, refused, notes }: Imported,
  folder: string,
  canReplace: boolean,
): Promise<Report> {
  const path = join(folder, `${file.service}.json`)
  if (existsSync(path) && !canReplace)
    throw new Refusal(`${path} exists: add --replace, or --service with another name.`)
  const content = `${JSON.stringify(file, null, 2)}\n`
  if (Buffer.byteLength(content) > MOST_FILE_BYTES)
    throw new Refusal('The file would be larger than 2 MiB: choose operations with --only.')
  const unfinished = `${path}.part`
  await writeFile(unfinished, content)
  await rename(unfinished, path)
  const settings = settingsOf(file.service, { auth: toAuth(file.auth) })
  const actions = file.actions.map(({ action }) => `${file.service}/${action}`)
  const left = [...refused].map(([name, reason]) => `${name}: ${reason}`)
  return {
    data: { file: path, actions, refused: Object.fromEntries(refused), notes, settings },
    text: [
      `Imported ${actions.length} actions into ${path}.`,
      ...(left.length === 0
        ? []
        : [`Not imported (${left.length}):`, ...left.map((one) => `  ${one}`)]),
      ...(notes.length === 0 ? [] : ['Look at:', ...notes.map((one) => `  ${one}`)]),
      ...(settings.length === 0 ? [] : [`Set ${settings.join(' and ')}.`]),
    ].join('\n'),
  }
}
