/** The command that starts a browser in namespaces of its own. */
import { dirname, join } from 'node:path'

/** Inside the browser's network, the port of the guard proxy. */
export const PROXY_PORT = 3128
/** The file descriptor of the channel to the gateway. 3 and 4 are the pipe of the browser. */
const CHANNEL = 5
const SCRIPT_HEAP_MB = 512
const SWITCHES = [
  '--headless',
  '--remote-debugging-pipe',
  '--user-data-dir=/tmp/profile',
  `--proxy-server=http://127.0.0.1:${PROXY_PORT}`,
  // Otherwise Chromium bypasses the proxy for loopback addresses.
  '--proxy-bypass-list=<-loopback>',
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  // The name of the same switch in complete browsers.
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--disable-quic',
  '--disable-gpu',
  '--no-first-run',
  '--no-default-browser-check',
  '--no-pings',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-domain-reliability',
  '--disable-breakpad',
  '--disable-sync',
  '--hide-scrollbars',
  '--mute-audio',
  '--password-store=basic',
  `--js-flags=--max-old-space-size=${SCRIPT_HEAP_MB}`,
  '--font-render-hinting=none',
  '--window-size=1280,800',
]

/** The browser's program, and its complete environment. */
export type OwnBrowserFiles = {
  readonly executablePath: string
  readonly env: Readonly<Record<string, string>>
}
export type Confined = {
  readonly files: OwnBrowserFiles
  /** The user of the browser; null if this process may not change users. */
  readonly userId: number | null
  readonly profileBytes: number
  /** Folders below /usr that the browser must not see. */
  readonly hidden: readonly string[]
}

/**
 * The arguments of bwrap. The browser sees the programs of the system and its own files, both
 * read-only, and a profile in memory. It has no network except one port on loopback.
 */
export function bubblewrapArgs({ files, userId, profileBytes, hidden }: Confined): string[] {
  // A browser of the system uses the fonts of the packaged one.
  const { FONTCONFIG_FILE: fonts = files.executablePath } = files.env
  const homes = [...new Set([dirname(files.executablePath), dirname(fonts)])]
  const environment = { ...files.env, HOME: '/tmp', TMPDIR: '/tmp' }
  return [
    ...namespaces(userId),
    ...hidden.flatMap((folder) => ['--tmpfs', folder]),
    ...Object.entries(environment).flatMap(([name, value]) => ['--setenv', name, value]),
    '--perms',
    '1777',
    '--size',
    String(profileBytes),
    '--tmpfs',
    '/tmp',
    '--perms',
    '1777',
    '--size',
    String(profileBytes),
    '--tmpfs',
    '/dev/shm',
    ...homes.flatMap((home) => [...foldersTo(home), '--ro-bind', home, home]),
    ...foldersTo('/gateway/node'),
    '--ro-bind',
    process.execPath,
    '/gateway/node',
    '--ro-bind',
    join(import.meta.dirname, 'listen.ts'),
    '/gateway/listen.ts',
    ...hidden.flatMap((folder) => ['--remount-ro', folder]),
    '--remount-ro',
    '/',
    '--chdir',
    '/tmp',
    '--',
    ...switchUser(userId),
    '/bin/sh',
    '-c',
    startScript(),
    files.executablePath,
  ]
}

/** The arguments that try the same namespaces, and in them those of Chromium's own sandbox. */
export function bubblewrapProbe(userId: number | null): string[] {
  const inner = ['unshare', '--user', '--map-root-user', '--pid', '--net', '--fork', 'true']
  return [
    ...namespaces(userId),
    '--setenv',
    'PATH',
    '/usr/bin',
    '--',
    ...switchUser(userId),
    ...inner,
  ]
}

function namespaces(userId: number | null): string[] {
  return [
    ...(userId === null ? ['--unshare-user'] : []),
    '--unshare-pid',
    '--unshare-net',
    '--unshare-ipc',
    '--unshare-uts',
    '--unshare-cgroup-try',
    '--die-with-parent',
    '--new-session',
    '--hostname',
    'browser',
    '--clearenv',
    '--ro-bind',
    '/usr',
    '/usr',
    ...['lib', 'lib64', 'bin', 'sbin'].flatMap((name) => ['--symlink', `usr/${name}`, `/${name}`]),
    '--proc',
    '/proc',
    '--dev',
    '/dev',
  ]
}

/** Explicit, because bwrap creates missing ones for its own user only. */
function foldersTo(path: string): string[] {
  const parent = dirname(path)
  return parent === '/' || parent === '/usr' || parent === '/tmp'
    ? []
    : [...foldersTo(parent), '--perms', '0755', '--dir', parent]
}

function switchUser(userId: number | null): string[] {
  if (userId === null) return []
  return [
    'setpriv',
    `--reuid=${userId}`,
    `--regid=${userId}`,
    '--clear-groups',
    '--no-new-privs',
    '--bounding-set=-all',
    '--inh-caps=-all',
    '--',
  ]
}

/** Closes the channel to the gateway before the browser starts. */
function startScript(): string {
  const switches = SWITCHES.map((one) => `'${one}'`).join(' ')
  return `NODE_CHANNEL_FD=${CHANNEL} /gateway/node --no-warnings /gateway/listen.ts ${PROXY_PORT} || exit 1; exec "$0" ${switches} about:blank ${CHANNEL}<&-`
}
