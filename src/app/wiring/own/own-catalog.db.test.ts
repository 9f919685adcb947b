/** Processes that start or reload while the files of own actions change. */
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { cleanUp } from '../../../../test/harness/clean-up.ts'
import { eventually } from '../../../../test/harness/eventually.ts'
import { cloneDatabase } from '../../../../test/harness/postgres.ts'
import { acmeFile, withFolder, writeOwn } from '../../../catalog/own/testing/acme.ts'
import { announce, openOwnCatalog, readAccepted } from './own-catalog.ts'
import { readOwn, type Own } from './read-own.ts'

const { database } = await cloneDatabase()

/** A process that read `first` at its start. */
async function open(actionsDir: string, first: Own, replace = async (): Promise<void> => {}) {
  const warnings: string[] = []
  const used: string[] = []
  const log = (_facts: unknown, text: string): void => void warnings.push(text)
  const own = await openOwnCatalog({
    config: { actionsDir, pricesFile: null } as never,
    database,
    logger: { warn: log, info: () => {} } as never,
    now: () => 0,
    first,
    live: {
      async replace(next) {
        await replace()
        used.push(next.hash)
      },
    },
    catalog: { allActions: () => [] },
    margins: { use: () => {} },
  })
  cleanUp(() => own.close())
  return { own, warnings, used }
}

const at = (actionsDir: string) => readOwn({ actionsDir, pricesFile: null })
const write = (folder: string, title: string) => writeOwn(folder, 'acme.json', acmeFile({ title }))

describe('own actions of several processes', { concurrency: false }, () => {
  test('are the latest at a process whose start read the files before a reload', async () => {
    await withFolder({ 'acme.json': acmeFile({ title: 'Old' }) }, async (folder) => {
      const old = await at(folder)
      write(folder, 'New')
      const next = await at(folder)
      await announce(database, next.hash, 0)
      const { own, used } = await open(folder, old)
      assert.deepEqual(used, [next.hash])
      assert.deepEqual(own.state(), { hash: next.hash, accepted: next.hash, agrees: true })
      assert.equal(await readAccepted(database), next.hash)
    })
  })

  test('are announced by a start only if no other process announced later ones', async () => {
    await announce(database, 'later', 0)
    assert.equal(await announce(database, 'earlier', 0, 'before'), false)
    assert.equal(await readAccepted(database), 'later')
    assert.equal(await announce(database, 'next', 0, 'later'), true)
    assert.equal(await readAccepted(database), 'next')
  })

  test('are read once for all signals that arrive while a reload runs', async () => {
    await withFolder({ 'acme.json': acmeFile({ title: 'One' }) }, async (folder) => {
      const ready = Promise.withResolvers<void>()
      const { own, used } = await open(folder, await at(folder), () => ready.promise)
      write(folder, 'Two')
      const first = own.reload()
      // Once its work began, it is no longer the reload that later signals join.
      await eventually(() => assert.notEqual(own.reload(), first))
      const joined = Array.from({ length: 100 }, () => own.reload())
      assert.equal(new Set(joined).size, 1)
      ready.resolve()
      await Promise.all(joined)
      assert.equal(used.length, 1)
    })
  })

  test('stay in use when the folder loses all files, until an operator means it', async () => {
    await withFolder({ 'acme.json': acmeFile({ title: 'Five' }) }, async (folder) => {
      const { own, used } = await open(folder, await at(folder))
      await own.reload()
      const before = used.length
      const { hash } = own.state()
      rmSync(join(folder, 'acme.json'))
      assert.match((await own.reload())[0]?.problem ?? '', /has no files.*--allow-empty/)
      // A process that starts meanwhile announces nothing.
      await open(folder, await at(folder))
      assert.deepEqual([own.state().hash, await readAccepted(database)], [hash, hash])
      await announce(database, '', 0)
      await eventually(() => assert.deepEqual(used.slice(before), ['']))
    })
  })

  test('that cannot be used are logged, and the next ones are used', async () => {
    await withFolder({ 'acme.json': acmeFile({ title: 'Three' }) }, async (folder) => {
      let isBroken = true
      const { own, warnings } = await open(folder, await at(folder), async () => {
        if (isBroken) throw new Error('no memory')
      })
      write(folder, 'Four')
      const { hash } = await at(folder)
      await announce(database, hash, 0)
      await eventually(() => assert.match(warnings.join(), /could not be used/))
      isBroken = false
      assert.deepEqual(await own.reload(), [])
      assert.equal(own.state().hash, hash)
    })
  })
})
