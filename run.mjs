// Runs on the machine's Node.js (20 or later). Installs the locked dependencies on the first run and after each change
// of the lock file (development packages only for development commands), then starts the pinned Node.js 24, which runs
// the sources directly.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleOf, SERVICES } from './bundle.mjs'

const root = dirname(fileURLToPath(import.meta.url))
const stamp = join(root, 'node_modules', '.tollgate-installed')
const installLock = join(root, '.installing')
const INSTALL_LOCK_STALE_MS = 10 * 60_000

const CONNECTION_FLAGS = ['--remote', '--url', '--key', '--profile']
const DEVELOPER_COMMANDS = ['test', 'check-source', 'bench', 'wires', 'screenshots', 'browser-age']
const [command = 'help', ...rest] = process.argv.slice(2)
const isForDevelopers = DEVELOPER_COMMANDS.includes(command)
const WITHOUT_DEVELOPERS = ' without the packages of developers'

function lockHash() {
  return createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')
}

function isInstalled() {
  if (!existsSync(stamp)) return false
  const installed = readFileSync(stamp, 'utf8')
  return (
    installed === lockHash() || (!isForDevelopers && installed === lockHash() + WITHOUT_DEVELOPERS)
  )
}

// Of two concurrent commands on a fresh clone, one installs and the other waits.
function takeInstallLock() {
  let isReported = false
  for (;;) {
    try {
      mkdirSync(installLock)
      return
    } catch (error) {
      if (['EACCES', 'EPERM', 'EROFS'].includes(error.code)) {
        process.stderr.write(
          `tollgate: its dependencies are not installed for this version, and this user cannot write to ${root}. Run "./tollgate help" there once as the user who owns it.\n`,
        )
        process.exit(1)
      }
      if (error.code !== 'EEXIST') throw error
      const ageMs =
        Date.now() - (statSync(installLock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now())
      if (ageMs > INSTALL_LOCK_STALE_MS) rmSync(installLock, { recursive: true, force: true })
      else if (!isReported)
        process.stderr.write(
          `tollgate: waiting for another command that installs dependencies. If it was killed, remove ${installLock}.\n`,
        )
      isReported = true
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 250)
    }
  }
}

function install() {
  takeInstallLock()
  try {
    if (isInstalled()) return
    process.stderr.write('tollgate: installing dependencies (first time only) …\n')
    const npm = spawnSync(
      'npm',
      [
        'ci',
        isForDevelopers ? '--include=dev' : '--omit=dev',
        '--no-audit',
        '--no-fund',
        '--loglevel=error',
      ],
      { cwd: root, stdio: ['ignore', 2, 2] },
    )
    if (npm.status !== 0) {
      process.stderr.write(
        'tollgate: "npm ci" failed; its own message is above. Check the network and run the command again.\n',
      )
      process.exit(1)
    }
    writeFileSync(stamp, isForDevelopers ? lockHash() : lockHash() + WITHOUT_DEVELOPERS)
  } finally {
    rmSync(installLock, { recursive: true, force: true })
  }
}

const bundledNode = join(
  root,
  'node_modules',
  `node-${process.platform}-${process.arch}`,
  'bin',
  'node',
)
const isNodeRecent = Number(process.versions.node.split('.')[0]) >= 24

// The client has no dependencies.
function hasNode() {
  return existsSync(bundledNode) || isNodeRecent
}

function pinnedNode() {
  if (existsSync(bundledNode)) return bundledNode
  if (isNodeRecent) return process.execPath
  process.stderr.write(
    `tollgate: needs Node.js 24 on ${process.platform}-${process.arch}; this is ${process.version}.\n`,
  )
  return process.exit(1)
}

if (['start', 'serve', 'work'].includes(command) && rest.length > 0 && !rest.includes('--help')) {
  process.stderr.write(
    `tollgate: "${command}" takes no "${rest[0]}". Its settings come from the environment: PORT, DATA_DIR, DATABASE_URL and others.\nSee ./tollgate help.\n`,
  )
  process.exit(2)
}

if (isClient() ? !hasNode() : !isInstalled()) install()

// Commands that call a gateway over HTTP. The command before them can follow flags: "--profile work balance".
function isClient() {
  const words = command === 'help' ? rest : process.argv.slice(2)
  const clientCommands = JSON.parse(readFileSync(join(root, 'packages/cli/commands.json'), 'utf8'))
  const isRemote = words.some((word) => CONNECTION_FLAGS.includes(word.split('=')[0]))
  if (words[0] === 'keys') return isRemote
  return (
    words[0] === '__complete' ||
    Object.hasOwn(clientCommands, words[0] ?? '') ||
    (command.startsWith('--') && isRemote)
  )
}

// For container images, whose files are read-only later.
if (command === 'bundle') process.exit((await bundleOf('start')) === null ? 1 : 0)

const scripts = {
  ...SERVICES,
  test: 'tools/test.ts',
  'check-source': 'tools/check.ts',
  bench: 'bench/run.ts',
  wires: 'clients/start.ts',
  screenshots: 'tools/screenshots.ts',
  'browser-age': 'tools/browser-age.ts',
}
const script = scripts[command]
const words =
  script === undefined ? [command, ...rest] : rest.includes('--help') ? ['help', command] : null
const client = [
  join(root, 'packages/cli/src/main.ts'),
  ...process.argv.slice(2).filter((word) => word !== '--remote'),
]
const isService = words === null && Object.hasOwn(SERVICES, command)
const bundle = isService ? await bundleOf(command) : null
const gateway =
  words === null
    ? [bundle ?? join(root, script), ...rest]
    : [join(root, 'src/surfaces/cli/main.ts'), ...words]
const args = isClient() ? client : gateway
// A young generation of half this size costs 3 % more CPU a call, and under overload 120 MB more, because calls that last
// longer become old. The old generation would grow past twice its live size (60 MB) without the second flag.
// Without the last flag, about every second start treats the short-lived objects of calls as long-lived, which costs a
// fifth of the calls and 100 MB.
const heapFlags = [
  '--max-semi-space-size=32',
  '--initial-old-space-size=32',
  '--no-allocation-site-pretenuring',
]
// Stores compiled code between starts. If the folder is not writable, Node.js runs without it.
const compiled = {
  [bundle === null ? 'NODE_COMPILE_CACHE' : 'TOLLGATE_COMPILE_CACHE']: join(
    root,
    'node_modules',
    '.cache',
    'tollgate',
    'compiled',
  ),
}
// With one arena per thread, glibc's allocator would hold 15 to 25 MB of unused memory.
const memory = { MALLOC_ARENA_MAX: '1' }
// The channel ends with this process, however it ends. The gateway then stops.
const stdio = isService ? ['inherit', 'inherit', 'inherit', 'ipc'] : 'inherit'
const child = spawn(
  pinnedNode(),
  ['--disable-warning=ExperimentalWarning', ...(isClient() ? [] : heapFlags), ...args],
  { stdio, env: { ...compiled, ...memory, ...process.env } },
)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
const npm = process.ppid
// npm passes signals on, except SIGKILL. Other parents may end while the gateway runs in the background.
if (isService && process.env.npm_package_json === join(root, 'package.json'))
  setInterval(() => process.ppid !== npm && child.kill('SIGTERM'), 1_000).unref()
child.on('exit', (code, signal) => process.exit(signal === null ? (code ?? 1) : 1))
