/** The file system of a box, the same for all programs that isolate it. */
import { existsSync, lstatSync, readlinkSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { realPathsBelow } from '../../../lib/machine/real-paths-below.ts'

/** The user of programs in a box. */
export const BOX_USER = 1000
export const BOX_HOME = '/box'
const OWN = '/opt/tollgate'
const INSIDE = fileURLToPath(new URL('../inside', import.meta.url))

/** The path of a file of `inside/` in a box. */
export function insidePath(file: string): string {
  return `${OWN}/inside/${file}`
}
/** The socket of the gateway's proxy in a box with a network, and the port that leads to it. */
export const NETWORK_SOCKET = `${OWN}/network.sock`
export const NETWORK_PORT = 3128
export const NODE_IN_BOX = `${OWN}/bin/node`

export type Layout = {
  /** Files and folders of the machine, mounted read-only. */
  readonly binds: readonly { readonly source: string; readonly target: string }[]
  /** Symbolic links to create. */
  readonly links: readonly { readonly target: string; readonly path: string }[]
  /** Small files to create. */
  readonly files: readonly { readonly path: string; readonly text: string }[]
  /** Folders of the machine to cover with an empty one, because they contain secrets. */
  readonly hidden: readonly string[]
}

/** Of /etc, only what programs need: no passwords, keys or settings of the operator. */
const ETC = [
  'alternatives',
  'ld.so.cache',
  'ssl/certs',
  'ssl/openssl.cnf',
  'ca-certificates.conf',
  'mime.types',
  'python3',
  'python3.11',
  'python3.13',
  'debian_version',
  'fonts',
]
const FOLDERS = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32']

const FILES = [
  {
    path: '/etc/passwd',
    text: `root:x:0:0:root:/root:/bin/sh\nuser:x:${BOX_USER}:${BOX_USER}:user:${BOX_HOME}:/bin/bash\nnobody:x:65534:65534:nobody:/nonexistent:/bin/false\n`,
  },
  { path: '/etc/group', text: `root:x:0:\nuser:x:${BOX_USER}:\nnogroup:x:65534:\n` },
  { path: '/etc/hosts', text: '127.0.0.1 localhost sandbox\n' },
  { path: '/etc/nsswitch.conf', text: 'passwd: files\ngroup: files\nhosts: files\n' },
]

/**
 * The programs of the machine, or of `image`, an unpacked root file system. `secrets` are folders
 * that are never visible, even below /usr.
 */
export function createLayout(image: string | null, secrets: readonly string[]): Layout {
  const root = image === null ? '/' : realpathSync(image)
  const binds: { source: string; target: string }[] = []
  const links = [
    { target: '../usr/lib/os-release', path: '/etc/os-release' },
    { target: '/tmp', path: '/var/tmp' },
    { target: '/proc/self/fd', path: '/dev/fd' },
    { target: '/proc/self/fd/0', path: '/dev/stdin' },
    { target: '/proc/self/fd/1', path: '/dev/stdout' },
    { target: '/proc/self/fd/2', path: '/dev/stderr' },
  ]
  /** Symbolic links of an image must not lead to files of the machine. */
  const bind = (source: string, target: string): void => {
    const real = realpathSync(source)
    if (image === null || real.startsWith(`${root}/`)) binds.push({ source: real, target })
  }
  for (const folder of FOLDERS) {
    const source = join(root, folder)
    if (!existsSync(source)) continue
    if (lstatSync(source).isSymbolicLink())
      links.push({ target: readlinkSync(source), path: folder })
    else bind(source, folder)
  }
  for (const name of ETC) {
    const source = join(root, 'etc', name)
    if (existsSync(source)) bind(source, `/etc/${name}`)
  }
  binds.push({ source: INSIDE, target: `${OWN}/inside` })
  binds.push({ source: process.execPath, target: NODE_IN_BOX })
  return {
    binds,
    links,
    files: FILES,
    hidden: realPathsBelow(FOLDERS, secrets),
  }
}

/** The environment of programs, before the caller's variables. */
export const BOX_ENVIRONMENT: Readonly<Record<string, string>> = {
  PATH: `/usr/local/bin:/usr/bin:/bin:${BOX_HOME}/.local/bin:${OWN}/bin`,
  HOME: BOX_HOME,
  USER: 'user',
  LOGNAME: 'user',
  SHELL: '/bin/bash',
  TMPDIR: '/tmp',
  LANG: 'C.UTF-8',
  TERM: 'dumb',
}

const PROXY = `http://127.0.0.1:${NETWORK_PORT}`
const DIRECT = 'localhost,127.0.0.1,::1'

/** Variables of programs in a box with a network. curl reads only lower case, others only upper case. */
export const PROXY_ENVIRONMENT: Readonly<Record<string, string>> = {
  HTTP_PROXY: PROXY,
  HTTPS_PROXY: PROXY,
  NO_PROXY: DIRECT,
  http_proxy: PROXY,
  https_proxy: PROXY,
  no_proxy: DIRECT,
  // Node.js ignores the others without it.
  NODE_USE_ENV_PROXY: '1',
}
