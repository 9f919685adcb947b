import assert from 'node:assert/strict'
import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { after, it } from 'node:test'
import { createBrowserFinder, type ProbeVersion } from './find-browser.ts'

const CACHE = join(import.meta.dirname, '../../../node_modules/.cache/tollgate')
const folder = await mkdtemp(join(tmpdir(), 'tollgate-find-browser-'))
after(() => rm(folder, { recursive: true, force: true }))
const [one, two, absent] = ['one', 'two', 'absent'].map((name) => join(folder, name)) as [
  string,
  string,
  string,
]
for (const program of [one, two]) await writeFile(program, '')
const PACKAGED = '153.0.8010.0'
const searchPath = process.env['PATH'] ?? ''

const asked: string[] = []
const probeOf =
  (versions: Readonly<Record<string, string>>): ProbeVersion =>
  async (program) => {
    asked.push(program)
    const version = versions[program] ?? (basename(program) === 'chromium' ? PACKAGED : undefined)
    return version ?? Promise.reject(new TypeError('it does not run'))
  }
const find = async (
  versions: Readonly<Record<string, string>>,
  chromiumPath: string | null = null,
  programs = [one, two, absent],
) => createBrowserFinder({ chromiumPath, searchPath }, probeOf(versions), programs)(CACHE)

it('takes the newest browser of the system, without libraries of the packaged one', async () => {
  for (const version of ['153.0.8010.1', '154.0.1.1', '1000.0.0.0']) {
    const { executablePath, env } = await find({ [one]: '152.0.1.1', [two]: version })
    assert.equal(executablePath, two, version)
    assert.ok(!('LD_LIBRARY_PATH' in env) && 'FONTCONFIG_FILE' in env)
  }
})

it('keeps the packaged browser next to one that is older, equal, broken or absent', async () => {
  for (const versions of [
    { [one]: '99.0.9999.9', [two]: '153.0.8009.99' },
    { [one]: PACKAGED, [two]: '152.9.9999.9' },
    {},
  ] as const) {
    const { executablePath, env } = await find(versions)
    assert.equal(basename(executablePath), 'chromium')
    assert.ok('LD_LIBRARY_PATH' in env)
  }
  asked.length = 0
  assert.equal(basename((await find({}, null, [absent])).executablePath), 'chromium')
  assert.deepEqual(asked, [], 'it asks for no version without a choice')
})

it("takes only the operator's program, or only the packaged one", async () => {
  const newer = { [one]: '155.0.0.1', [two]: '156.0.0.1' }
  assert.equal((await find(newer, one)).executablePath, one)
  assert.equal(basename((await find(newer, 'packaged')).executablePath), 'chromium')
})

it('asks a program for its version once, and again after an update', async () => {
  const versions = { [one]: '152.0.0.1' }
  const finder = createBrowserFinder({ searchPath }, probeOf(versions), [one])
  asked.length = 0
  for (let turn = 0; turn < 3; turn += 1) await finder(CACHE)
  assert.equal(asked.length, 2, 'one of the system, one packaged')
  versions[one] = '160.0.0.1'
  await utimes(one, 1, 1)
  assert.equal((await finder(CACHE)).executablePath, one)
  assert.equal(asked.length, 3)
})
