/**
 * Rejects imports between folders of src that this table does not list, and reads of a wall clock.
 * Imports run one way, with two exceptions: records of composites import inputs and rules from their
 * handlers, and the HTTP surface mounts two surfaces that use its modules.
 */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

const EVERYBODY = ['errors', 'lib']
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  app: [
    'auth',
    'leases',
    'surfaces',
    'llm',
    'calls',
    'jobs',
    'cassettes',
    'events',
    'composites',
    'reader',
    'catalog',
    'vendors',
    'simulators',
    'resources',
    'upstream',
    'ledger',
    'keys',
    'accounts',
    'history',
    'audit',
    'operate',
    'db',
  ],
  'surfaces/http': [
    'auth',
    'operate',
    'surfaces/router',
    'surfaces/mcp',
    'llm',
    'calls',
    'cassettes',
    'events',
    'resources',
    'composites',
    'catalog',
    'vendors',
    'keys',
    'accounts',
    'history',
    'audit',
    'db',
  ],
  'surfaces/router': ['surfaces/http', 'llm', 'calls', 'resources', 'keys'],
  'surfaces/mcp': [
    'auth',
    'surfaces/http',
    'calls',
    'resources',
    'composites',
    'catalog',
    'accounts',
    'history',
    'keys',
  ],
  'surfaces/smtp': ['resources'],
  // The command line is also an entry point: it opens the database and the configuration itself.
  'surfaces/cli': [
    'auth',
    'app',
    'calls',
    'composites',
    'events',
    'reader',
    'catalog',
    'vendors',
    'keys',
    'accounts',
    'resources',
    'history',
    'audit',
    'ledger',
    'operate',
    'db',
  ],
  calls: [
    'leases',
    'jobs',
    'cassettes',
    'events',
    'catalog',
    'vendors',
    'resources',
    'upstream',
    'ledger',
    'keys',
    'db',
  ],
  llm: [
    'llm/tokens',
    'calls',
    'cassettes',
    'catalog',
    'vendors',
    'upstream',
    'ledger',
    'keys',
    'db',
  ],
  'llm/tokens': [],
  composites: ['catalog', 'vendors', 'reader', 'db'],
  reader: ['catalog', 'vendors', 'upstream'],
  catalog: ['vendors', 'llm/tokens'],
  vendors: ['catalog', 'composites', 'simulators', 'llm/tokens'],
  simulators: ['catalog', 'vendors', 'llm/tokens'],
  resources: ['catalog', 'vendors', 'reader', 'events', 'upstream', 'ledger', 'db'],
  upstream: ['catalog', 'db'],
  auth: ['auth/records', 'accounts', 'keys', 'upstream', 'db'],
  'auth/records': ['keys', 'db'],
  keys: ['ledger', 'db'],
  accounts: ['auth/records', 'events', 'keys', 'ledger', 'db'],
  audit: ['catalog', 'db'],
  operate: ['accounts', 'audit', 'calls', 'events', 'history', 'jobs', 'keys', 'leases', 'db'],
  history: ['accounts', 'keys', 'ledger', 'db'],
  events: ['upstream', 'db'],
  cassettes: ['db'],
  jobs: ['ledger', 'db'],
  ledger: ['db'],
  leases: ['db'],
  db: [],
  errors: [],
  lib: [],
}

/** Routes import no other routes, except those that share pages, sign-in and account pages. */
const ROUTES_MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  visitor: ['public'],
  'sign-in': ['visitor'],
  account: ['visitor', 'sign-in'],
  home: ['visitor', 'sign-in', 'account', 'calls'],
  audit: ['visitor', 'sign-in', 'account'],
  calls: ['visitor', 'sign-in', 'account'],
  keys: ['visitor', 'sign-in', 'account'],
  playground: ['public', 'visitor', 'sign-in', 'run'],
  webhooks: ['visitor', 'sign-in', 'account'],
  browsers: ['visitor', 'sign-in', 'account'],
  team: ['visitor', 'sign-in', 'account'],
  operate: ['visitor', 'account', 'audit'],
  credit: ['visitor', 'sign-in', 'account', 'keys'],
  oauth: ['visitor', 'sign-in', 'account', 'keys', 'audit'],
}

/** Folders below another one that have a row of their own in the table. */
const OWN_RULES = ['llm/tokens', 'auth/records']

const root = join(import.meta.dirname, '..')
const source = join(root, 'src')

function folderOf(path: string): string {
  const [folder = '', below = ''] = relative(source, path).split('/')
  return folder === 'surfaces' || OWN_RULES.includes(`${folder}/${below}`)
    ? `${folder}/${below}`
    : folder
}

/** Null for a file outside the routes. */
function routesOf(path: string): string | null {
  return /^surfaces\/http\/routes\/([^/]+)\//.exec(relative(source, path))?.[1] ?? null
}

function importsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8')
  return [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map((match) =>
    resolve(dirname(file), match[1] ?? ''),
  )
}

function isAllowed(from: string, to: string): boolean {
  if (from === to || EVERYBODY.includes(to)) return true
  return (MAY_IMPORT[from] ?? []).some((allowed) => to === allowed || to.startsWith(`${allowed}/`))
}

function isAllowedRoute(from: string | null, to: string | null): boolean {
  return from === null || to === null || from === to || (ROUTES_MAY_IMPORT[from] ?? []).includes(to)
}

/**
 * Limits, ids, deadlines and signatures use a `Clock` (`openDatabaseClock`), because an operator may
 * set the wall clock of a machine or of the database while a process runs.
 */
// These files compute the seconds of a Retry-After header from the clock, and no decision.
const FOR_RETRY_AFTER = ['src/calls/idempotency/answers.ts', 'src/leases/lease.ts']
const WALL_CLOCKS = [
  { clock: /\bDate\.now\b|\bnew Date\(\)|[^\w.]Date\(\)/, mayRead: [] as readonly string[] },
  {
    clock:
      /\b(?:clock_timestamp|statement_timestamp|transaction_timestamp)\(|\b(?:current_timestamp|current_date|localtimestamp)\b/i,
    mayRead: ['src/db/database-clock.ts', 'src/db/database-facts.ts', ...FOR_RETRY_AFTER],
  },
]

/** These run in browsers, which have only their own clock. */
const BROWSER_CODE = 'src/surfaces/http/html/islands/'

function wallClocksIn(name: string, text: string): string[] {
  if (name.startsWith(BROWSER_CODE)) return []
  return WALL_CLOCKS.filter(
    ({ clock, mayRead }) => clock.test(text) && !mayRead.includes(name),
  ).map(({ clock }) => `${name} reads a wall clock: ${clock.exec(text)?.[0]}. Take a Clock instead`)
}

/** Files outside src that one file of src imports. */
const OUTSIDE: Readonly<Record<string, string>> = {
  // The general help lists the commands of the client, which run.mjs starts.
  'src/surfaces/cli/help.ts': 'packages/cli/commands.json',
  // The types of the SDK have the names that the SDK translates.
  'src/surfaces/http/packages/types/action-types.ts': 'packages/sdk/src/names.ts',
}

const findings: string[] = []
for (const name of globSync('src/**/*.ts', { cwd: root })) {
  const file = join(root, name)
  if (name.endsWith('.test.ts') || name.includes('/testing/')) continue
  const from = folderOf(file)
  findings.push(...wallClocksIn(name, readFileSync(file, 'utf8')))
  for (const target of importsOf(file)) {
    if (relative(root, target) === OUTSIDE[name]) continue
    if (!target.startsWith(source))
      findings.push(`${name} imports ${relative(root, target)}, which is outside src`)
    else if (!isAllowed(from, folderOf(target)))
      findings.push(`${name}: ${from} may not import ${folderOf(target)}`)
    else if (!isAllowedRoute(routesOf(file), routesOf(target)))
      findings.push(`${name}: ${routesOf(file)} of the routes may not import ${routesOf(target)}`)
  }
}

/** The command line runs on Node.js, without the gateway: it may use the SDK, and modules of src that import none but such modules. */
const CLI_MAY_IMPORT = [
  'packages/cli/src/',
  'packages/sdk/src/index.ts',
  'src/lib/money.ts',
  'src/catalog/validate/suggest.ts',
  'src/cassettes/compare-json.ts',
]
const isForNode = (name: string): boolean => name.startsWith('packages/cli/')

function mayCliImport(name: string, target: string): boolean {
  if (target.startsWith('node:')) return true
  const path = relative(root, resolve(dirname(join(root, name)), target))
  return target.startsWith('.') && CLI_MAY_IMPORT.some((allowed) => path.startsWith(allowed))
}

/** The SDK runs in browsers and workers, too. Its modules import each other only, and name no global of Node.js. */
const NODE_GLOBALS =
  /(?<![.\w'"`])(?:process\.|Buffer\b|require\(|__dirname\b|setImmediate\b|global\.)/
for (const name of globSync('packages/*/src/**/*.ts', { cwd: root })) {
  const file = join(root, name)
  if (name.endsWith('.d.ts')) continue
  const own = join(root, name.split('/').slice(0, 3).join('/'))
  const text = readFileSync(file, 'utf8')
  for (const [, target = ''] of text.matchAll(/(?:from|import)\s*\(?\s*'([^'\n]+)'/g)) {
    if (isForNode(name) && mayCliImport(name, target)) continue
    if (!target.startsWith('.') || !resolve(dirname(file), target).startsWith(`${own}/`))
      findings.push(`${name} imports ${target}, which is outside ${relative(root, own)}`)
  }
  const used = isForNode(name) ? null : NODE_GLOBALS.exec(text)
  if (used !== null) findings.push(`${name} uses "${used[0]}", which browsers do not have`)
}

for (const finding of findings) process.stdout.write(`${finding}\n`)
process.exit(findings.length === 0 ? 0 : 1)
