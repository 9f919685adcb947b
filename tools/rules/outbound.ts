import { isBelow, isTest, type Rule, type SourceFile } from './source.ts'

/** Exports that open connections or configure how they open. Servers and address checks are allowed. */
const OUTBOUND: Readonly<Record<string, readonly string[]>> = {
  'node:http': ['request', 'get', 'Agent', '*', 'default'],
  'node:https': ['request', 'get', 'Agent', '*', 'default'],
  'node:http2': ['connect', '*', 'default'],
  'node:net': ['connect', 'createConnection', 'Socket', '*', 'default'],
  'node:tls': ['connect', 'TLSSocket', '*', 'default'],
}
const OUTBOUND_PACKAGES = ['undici', 'ws', 'axios', 'node-fetch']

interface Exception {
  readonly file: string
  readonly reason: string
}

const MAY_CONNECT: readonly Exception[] = [
  { file: 'src/surfaces/cli/doctor/port.ts', reason: 'checks the health of this gateway' },
  { file: 'src/resources/files/drivers/s3.ts', reason: "the operator's own file store" },
  {
    file: 'src/resources/boxes/relay.ts',
    reason: 'the Unix socket of another gateway process on this machine',
  },
  { file: 'src/surfaces/http/routes/files/file-routes.ts', reason: 'a type check of a socket' },
  {
    file: 'src/surfaces/http/routes/browsers/browser-sockets.ts',
    reason: 'a server of WebSockets, which connects to nothing',
  },
]

/** These run in browsers, whose content security policy allows only this gateway. */
const BROWSER_CODE = 'src/surfaces/http/html/islands'

/** Only `src/upstream` connects to other hosts, because its guard checks every address. */
export const outbound: Rule = {
  name: 'outbound requests',
  find: (files) =>
    files
      .filter(({ name }) => isBelow(name, 'src') && !isBelow(name, 'src/upstream') && !isTest(name))
      .filter(({ name }) => !isBelow(name, BROWSER_CODE))
      .filter(({ name }) => !MAY_CONNECT.some(({ file }) => file === name))
      .flatMap((file) => [...importsIn(file), ...fetchesIn(file)]),
}

function importsIn({ name, imports }: SourceFile): readonly string[] {
  return imports.flatMap(({ target, names, line }) =>
    names
      .filter(({ isType }) => !isType)
      .filter((imported) =>
        target in OUTBOUND
          ? OUTBOUND[target]?.includes(imported.name)
          : OUTBOUND_PACKAGES.includes(target),
      )
      .map((imported) => `${name}:${line}: imports ${imported.name} from ${target}`),
  )
}

function fetchesIn({ name, uses }: SourceFile): readonly string[] {
  return uses
    .filter(
      (use) => use.kind !== 'member' && /^(?:globalThis\.)?(?:fetch|WebSocket)$/.test(use.name),
    )
    .map((use) => `${name}:${use.line}: calls ${use.name}`)
}
