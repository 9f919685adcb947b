// Joins the modules of a service into few files. Loading 2,400 modules takes 40 MB more memory and half again as much CPU.
import { createHash } from 'node:crypto'
import {
  existsSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = dirname(fileURLToPath(import.meta.url))
const folder = join(root, 'node_modules', '.cache', 'tollgate', 'bundles')
const current = join(folder, 'current.json')
/** The services and their entry points. */
export const SERVICES = {
  start: 'src/app/processes/both.ts',
  serve: 'src/app/processes/serve.ts',
  work: 'src/app/processes/work.ts',
}
// Packages of many modules that read no files of their own. Node.js loads the others itself.
const JOINED_NAMES = [
  'typebox undici parse5 entities css-select css-what dom[a-z-]+ boolbase nth-check marked minisearch',
  'sugar-high chardet fastify fastify-plugin @fastify avvio find-my-way ret safe-regex2 fast-[a-z-]+',
  'fastq reusify json-schema-[a-z-]+ ajv ajv-formats semver rfdc toad-cache process-warning',
  'secure-json-parse dequal helmet pg pg-[a-z]+ postgres-[a-z]+ pgpass split2 xtend ipaddr.js',
  'lru-cache aws4fetch',
]
const JOINED = new RegExp(`^(?:${JOINED_NAMES.join(' ').replaceAll(' ', '|')})(?:/|$)`)
// A running gateway still loads files of its bundle, so a new one replaces none.
const UNUSED_MS = 30 * 24 * 3_600_000
const MAY_BE_GONE = { throwIfNoEntry: false }

// Packages in CommonJS call `require`. The programs that the gateway starts run from their sources, with Node.js's
// cache of compiled code; a bundle starts as fast without it, and takes 6 MB less.
const BANNER = `import { createRequire as createRequireOfBundle } from 'node:module'
const require = createRequireOfBundle(import.meta.url)
if (process.env.TOLLGATE_COMPILE_CACHE) process.env.NODE_COMPILE_CACHE ??= process.env.TOLLGATE_COMPILE_CACHE
`

/** The build in progress. */
let building = null

/**
 * The path of the service's bundle, which is built if a source has changed. Null if it cannot be built, for example
 * because the folder is read-only: the sources run as well.
 */
export async function bundleOf(service) {
  try {
    const name = currentName() ?? (await (building ??= build().finally(() => (building = null))))
    markUsed(join(folder, name))
    return join(folder, name, `${service}.js`)
  } catch (error) {
    process.stderr.write(
      `tollgate: runs from its sources, which takes 50 MB more: ${error.message.split('\n')[0]}\n`,
    )
    return null
  }
}

function markUsed(path) {
  try {
    utimesSync(path, new Date(), new Date())
  } catch {
    // The folder of a container image is read-only. Nothing is built or removed there.
  }
}

/** The name of the last bundle, or null after a change of a source. */
function currentName() {
  let record
  try {
    record = JSON.parse(readFileSync(current, 'utf8'))
  } catch {
    return null
  }
  const { name, place, inputs } = record
  // A bundle contains the addresses of its sources.
  if (place !== root || !existsSync(join(folder, name))) return null
  for (const [path, version] of Object.entries(inputs)) if (versionOf(path) !== version) return null
  return name
}

function versionOf(path) {
  const stat = statSync(join(root, path), MAY_BE_GONE)
  return stat === undefined ? null : `${stat.mtimeMs} ${stat.size}`
}

async function build() {
  const esbuild = await import('esbuild')
  const draft = join(folder, `.draft-${process.pid}`)
  const { metafile } = await esbuild.build({
    absWorkingDir: root,
    entryPoints: SERVICES,
    outdir: draft,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    metafile: true,
    logLevel: 'silent',
    banner: { js: BANNER },
    plugins: [keepPackages, keepAddresses],
  })
  const inputs = Object.fromEntries(
    ['package-lock.json', 'bundle.mjs', ...Object.keys(metafile.inputs)].map((path) => [
      path,
      versionOf(path),
    ]),
  )
  const content = createHash('sha256')
  for (const file of readdirSync(draft).toSorted()) content.update(readFileSync(join(draft, file)))
  const name = content.digest('hex').slice(0, 16)
  try {
    renameSync(draft, join(folder, name))
  } catch (error) {
    // Built before, or by another process at the same time.
    if (!existsSync(join(folder, name))) throw error
    rmSync(draft, { recursive: true })
  }
  writeFileSync(`${current}.${process.pid}`, JSON.stringify({ name, place: root, inputs }))
  renameSync(`${current}.${process.pid}`, current)
  for (const old of readdirSync(folder))
    if (Date.now() - (statSync(join(folder, old), MAY_BE_GONE)?.mtimeMs ?? 0) > UNUSED_MS)
      rmSync(join(folder, old), { recursive: true, force: true })
  return name
}

/** @type {import('esbuild').Plugin} */
const keepPackages = {
  name: 'packages that stay apart',
  setup({ onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
      kind === 'entry-point' || JOINED.test(path) ? undefined : { path, external: true },
    )
  },
}

/**
 * Modules find their data by the address of their source.
 *
 * @type {import('esbuild').Plugin}
 */
const keepAddresses = {
  name: 'addresses of the sources',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, ({ path }) => ({
      loader: 'ts',
      contents: readFileSync(path, 'utf8')
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(path)))
        .replaceAll('import.meta.filename', JSON.stringify(path))
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href)),
    }))
  },
}
