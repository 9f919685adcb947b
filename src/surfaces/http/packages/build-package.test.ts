import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { cleanUp } from '../../../../test/harness/clean-up.ts'
import { errorCatalog } from '../../../errors/catalog.ts'
import { services } from '../../../vendors/index.ts'
import { PACKAGE_NAMES } from '../html/code/install-lines.ts'
import { buildPackage } from './build-package.ts'
import { sdkFiles } from './npm-packages.ts'
import { wheelFiles } from './python-wheel.ts'
import { pythonTypes, sdkTypes } from './types/client-types.ts'
import { toDeclarations } from './to-declarations.ts'

const folder = mkdtempSync(join(tmpdir(), 'tollgate-packages-'))
cleanUp(() => rmSync(folder, { recursive: true, force: true }))

test('builds the same bytes each time', async () => {
  for (const name of Object.values(PACKAGE_NAMES)) {
    const [first, second] = await Promise.all([buildPackage(name), buildPackage(name)])
    assert.ok(first !== undefined && second !== undefined && first.equals(second), name)
  }
})

test('packs only modules, types, license and description', async () => {
  for (const name of [PACKAGE_NAMES.sdk, PACKAGE_NAMES.cli]) {
    const names = execFileSync('tar', ['tzf', '-'], { input: await buildPackage(name) })
    for (const path of names.toString().trim().split('\n'))
      assert.match(
        path,
        /^package\/(?:package\.json|README\.md|LICENSE|dist\/[\w/-]+(?:\.d)?\.[jt]s)$/,
      )
    assert.doesNotMatch(names.toString(), /\.test\.|testing\//)
  }
})

test('packs the types of all actions and error codes, written from the catalog', async () => {
  const files = [...(await sdkFiles()), ...(await wheelFiles())]
  const textOf = (path: string): string =>
    files.find((file) => file.path === path)?.content.toString() ?? assert.fail(path)
  for (const { id, actions } of services) {
    assert.match(textOf('dist/actions.d.ts'), new RegExp(`^  "?${id}"?: `, 'm'))
    for (const { summary } of Object.values(actions))
      assert.ok(textOf('dist/actions.d.ts').includes(`/** ${summary}`), summary)
  }
  for (const code of Object.keys(errorCatalog))
    assert.ok(textOf('dist/gateway-names.d.ts').includes(`| '${code}'`), code)
  assert.match(textOf('tollgate_client/catalog.pyi'), /^class Catalog:\n {4}core: CoreService\n/m)
})

test('yields to the event loop after every action while it writes types', () => {
  const actions = services.flatMap((service) => Object.keys(service.actions))
  for (const steps of [sdkTypes(), pythonTypes()])
    assert.ok(Array.from(steps).length >= actions.length)
})

test('writes the hash and the size of each file of the wheel into its RECORD', async () => {
  const wheel = join(folder, PACKAGE_NAMES.python)
  writeFileSync(wheel, (await buildPackage(PACKAGE_NAMES.python)) ?? '')
  const script = `
import base64, hashlib, sys, zipfile
wheel = zipfile.ZipFile(sys.argv[1])
assert wheel.testzip() is None
record = next(name for name in wheel.namelist() if name.endswith("/RECORD"))
lines = [line.split(",") for line in wheel.read(record).decode().splitlines()]
assert sorted(name for name, *_ in lines) == sorted(wheel.namelist())
for name, digest, size in lines:
    if name == record: continue
    data = wheel.read(name)
    encoded = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    assert (digest, size) == ("sha256=" + encoded, str(len(data))), name
print(*(name for name in wheel.namelist() if not name.startswith("tollgate_client/")))
print(wheel.read(record.replace("RECORD", "METADATA")).decode().split("\\n\\n")[0])`
  const out = execFileSync('python3', ['-c', script, wheel], { encoding: 'utf8' })
  assert.match(out, /^(?:tollgate_client-[\d.]+\.dist-info\/(?:licenses\/)?[A-Z]+ ?){4}\n/)
  assert.match(out, /\nName: tollgate-client\nVersion: [\d.]+\nSummary: \w.*\n/)
  assert.match(out, /\nRequires-Python: >=3\.9\n/)
})

test('declares functions, generators, classes and constants as the compiler does', () => {
  const source = `import { a, type B } from './a.ts'
const HIDDEN = 1

/** Kept. */
export async function* read(
  from: string,
  { most = 3, to }: B = {},
): AsyncGenerator<B, void, void> {
  yield a(from, most, to, HIDDEN)
}

export class Open extends Error {
  override readonly name = 'Open'
  readonly #secret: B

  /** Kept, too. */
  async close(now: boolean = true): Promise<B> {
    return this.#secret
  }
}

export const open = Open as new (b: B) => Open
`
  assert.equal(
    toDeclarations(source),
    `import type { a, B } from './a.js'
/** Kept. */
export declare function read(
  from: string,
  options?: B,
): AsyncGenerator<B, void, void>
export declare class Open extends Error {
  #private
  readonly name = 'Open'
  /** Kept, too. */
  close(now?: boolean): Promise<B>
}
export declare const open: new (b: B) => Open
export {}
`,
  )
  assert.throws(() => toDeclarations('export const limit = 3\n'), /needs an explicit type: export/)
})

test('the README of each package shows how to install it', () => {
  for (const [name, command] of [
    ['sdk', `npm install http://127.0.0.1:4020/sdk/${PACKAGE_NAMES.sdk}`],
    ['cli', `npm install --global http://127.0.0.1:4020/sdk/${PACKAGE_NAMES.cli}`],
    ['python', `pip install http://127.0.0.1:4020/sdk/${PACKAGE_NAMES.python}`],
  ] as const) {
    const text = readFileSync(join(import.meta.dirname, '../../../../packages', name, 'README.md'))
    assert.ok(text.includes(command), name)
  }
})
