/** Reads the files of ACTIONS_DIR: JSON, no code. */
import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { AppError } from '../../errors/app-error.ts'
import { canonicalJson } from '../../lib/canonical-json.ts'
import { indexLines, type JsonLines } from './json-lines.ts'
import { joinPointer } from '../../lib/json-pointer.ts'
import type { TSchema } from '../../lib/schema.ts'
import { createValidator, type Validator } from '../validate/validate.ts'
import type { Service } from '../vocabulary/action.ts'
import { checkExample } from './check-example.ts'
import { checkService } from './check-service.ts'
import { reportTo, type Fault } from './faults.ts'
import { ownFile, type OwnFile } from './own-file.ts'
import { codeOf, findMistake, readText } from './read-text.ts'
import { toService } from './to-record.ts'

const MOST_FILES = 500
const DEEPEST = 64

/** `line` and `pointer` are null for a fault of the whole file or folder. */
export type FileFault = {
  readonly file: string
  readonly line: number | null
  readonly pointer: string | null
  readonly problem: string
}

export type OwnFolder = {
  readonly files: readonly OwnFile[]
  readonly services: readonly Service[]
  /** Of the contents; white space, order of members and names of files do not matter. */
  readonly hash: string
  /** With any fault, nothing of the folder may be used. */
  readonly faults: readonly FileFault[]
}

export const NO_FOLDER: OwnFolder = { files: [], services: [], hash: '', faults: [] }

/** Such as `actions/acme.json:41: "/actions/0/price" is required.` */
export function faultText({ file, line, pointer, problem }: FileFault): string {
  const place = line === null ? file : `${file}:${line}`
  return `${place}: ${pointer === null ? '' : `"${pointer}" `}${problem}`
}

/** `taken`: names that no file may use for its service. Never throws. Other work continues between actions. */
export async function readFolder(folder: string, taken: ReadonlySet<string>): Promise<OwnFolder> {
  const faults: FileFault[] = []
  const validator = createValidator()
  const read = new Map<string, { readonly file: OwnFile; readonly service: Service }>()
  for (const path of listFiles(folder, faults)) {
    const found = await readFile(path, { folder, taken, validator, faults })
    if (found === null) continue
    const { service } = found.file
    if (read.has(service))
      faults.push(wholeFile(path, `defines the service "${service}", which another file defines.`))
    else read.set(service, found)
  }
  const sorted = [...read.values()].toSorted((a, b) => (a.file.service < b.file.service ? -1 : 1))
  const files = sorted.map(({ file }) => file)
  return {
    files,
    services: sorted.map(({ service }) => service),
    hash: files.length === 0 ? '' : hashOf(files),
    faults,
  }
}

export function hashOf(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex')
}

function wholeFile(file: string, problem: string): FileFault {
  return { file, line: null, pointer: null, problem }
}

function listFiles(folder: string, faults: FileFault[]): string[] {
  try {
    const paths = readdirSync(folder)
      .filter((name) => name.endsWith('.json') && !name.startsWith('.'))
      .toSorted()
      .map((name) => join(folder, name))
    if (paths.length > MOST_FILES)
      faults.push(wholeFile(folder, `has more than ${MOST_FILES} files.`))
    return paths.length > MOST_FILES ? [] : paths
  } catch (error) {
    faults.push(wholeFile(folder, `cannot be read (${codeOf(error)}).`))
    return []
  }
}

type Means = {
  readonly folder: string
  readonly taken: ReadonlySet<string>
  readonly validator: Validator
  readonly faults: FileFault[]
}

async function readFile(
  path: string,
  { folder, taken, validator, faults }: Means,
): Promise<{ readonly file: OwnFile; readonly service: Service } | null> {
  const parsed = readJsonFile(path, faults, folder)
  if (parsed === null) return null
  const before = faults.length
  const { service, found } = await checkFile(parsed.value, taken, validator)
  placeFaults(path, parsed.lines, found, faults)
  return service === undefined || faults.length > before
    ? null
    : { file: parsed.value as OwnFile, service }
}

/** The service of a file's content, and everything that is wrong with it. */
export async function checkFile(
  value: unknown,
  taken: ReadonlySet<string>,
  validator: Validator,
): Promise<{ readonly service: Service | undefined; readonly found: readonly Fault[] }> {
  const found: Fault[] = findSchemaFaults(ownFile, value)
  const report = reportTo(found)
  if (found.length > 0) return { service: undefined, found }
  const file = value as OwnFile
  checkService(file, taken, report)
  if (found.length > 0) return { service: undefined, found }
  const service = toService(file)
  for (const index of file.actions.keys()) {
    checkExample(file, index, { service, validator, report })
    // Compiling a schema takes milliseconds.
    await setImmediate()
  }
  return { service, found }
}

/** Adds the faults of a file with their lines. */
export function placeFaults(
  path: string,
  lines: JsonLines,
  found: readonly Fault[],
  faults: FileFault[],
): void {
  for (const { pointer, problem } of [...found, ...lines.faults])
    faults.push({
      file: path,
      line: lines.lineOf(pointer),
      pointer,
      problem: problem.endsWith('.') ? problem : `${problem}.`,
    })
}

type ParsedJson = { readonly value: unknown; readonly lines: JsonLines }

/** Reads a JSON document with the lines of its values. Null after a fault. `within`: the folder that no link may leave. */
export function readJsonFile(
  path: string,
  faults: FileFault[],
  within: string | null = null,
): ParsedJson | null {
  const read = readText(path, within)
  if ('text' in read) return parseJson(path, read.text, faults)
  faults.push(wholeFile(path, read.problem))
  return null
}

function parseJson(path: string, text: string, faults: FileFault[]): ParsedJson | null {
  try {
    const value: unknown = JSON.parse(text)
    if (depthOf(value) <= DEEPEST) return { value, lines: indexLines(text) }
    faults.push(wholeFile(path, `is nested deeper than ${DEEPEST} levels.`))
  } catch {
    // The message of the engine quotes the text, which may hold a secret.
    const line = text.slice(0, findMistake(text)).split('\n').length
    faults.push({ file: path, line, pointer: null, problem: 'is not JSON from this line on.' })
  }
  return null
}

function depthOf(value: unknown, depth = 0): number {
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return depth
  return Object.values(value).reduce<number>(
    (deepest, part) => Math.max(deepest, depthOf(part, depth + 1)),
    depth,
  )
}

/** Compiles the formats once. The schemas of parameters go with their folder. */
let formats: Validator | undefined

/** Like the validation of an input, with JSON pointers. */
export function findSchemaFaults(schema: TSchema, value: unknown): Fault[] {
  formats ??= createValidator()
  try {
    formats.validate(schema, value)
    return []
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const problems = (error.details?.['problems'] ?? []) as readonly {
      readonly param: string
      readonly message: string
      readonly fix: string
    }[]
    return problems.map(({ param, message, fix }) => {
      const pointer = toPointer(param, value)
      const problem = `${message.replace(`"${param}" `, '')} ${fix}`
      return { pointer, problem: problem.replaceAll(`"${param}"`, `"${pointer}"`) }
    })
  }
}

/** The pointer of a path such as "actions[0].request.query.a.b". Names may contain dots. */
function toPointer(path: string, root: unknown): string {
  let [rest, found, pointer] = [path, root, '']
  while (rest !== '') {
    const index = /^\[(\d+)\]\.?/.exec(rest)
    const known = Object.keys(found ?? {}).filter(
      (name) => rest === name || rest.startsWith(`${name}.`) || rest.startsWith(`${name}[`),
    )
    const longest = known.toSorted((a, b) => b.length - a.length)[0]
    const part = index?.[1] ?? longest ?? /^[^.[]+/.exec(rest)?.[0] ?? rest
    rest = rest.slice(index?.[0].length ?? part.length).replace(/^\./, '')
    pointer = joinPointer(pointer, part)
    found = (found as Readonly<Record<string, unknown>> | undefined)?.[part]
  }
  return pointer
}
