import assert from 'node:assert/strict'
import { it } from 'node:test'
import { cleanUp } from '../../../test/harness/clean-up.ts'
import { startVendor } from '../../../test/harness/vendors/vendor.ts'
import { refusedWith } from '../../../test/harness/refusal.ts'
import { newId } from '../../lib/ids.ts'
import { createGuard } from '../../upstream/guard.ts'
import { openFileBed } from './testing/bed.ts'
import { createUploadFromUrl } from './upload-from-url.ts'

const bed = await openFileBed()
const server = await startVendor()
const guard = createGuard({ allowPrivateNetworks: ['127.0.0.0/8'] })
cleanUp(() => guard.close())

it('fetches at most 16 files, half for one account; each one that ends admits another', async () => {
  const upload = createUploadFromUrl(bed.deps, { guard, userAgent: 'Tollgate-Test/1.0' })
  const gone = new AbortController()
  const fetchFor = (owner: typeof bed.owner, path = 'waits') =>
    upload(owner, { url: `${server.url}/${path}` }, gone.signal)
  const another = { ...bed.owner, accountId: newId(bed.clock()) }
  server.answerWith(({ path }) =>
    path === '/waits' ? 'hang' : { status: path === '/fails' ? 500 : 200, body: 'bytes' },
  )

  // Ended fetches no longer count, whether they failed or succeeded.
  for (let time = 0; time < 8; time += 1) {
    await assert.rejects(fetchFor(bed.owner, 'fails'))
    assert.equal((await fetchFor(bed.owner, 'file.txt')).size, 5)
  }
  const under = Array.from({ length: 8 }, () => fetchFor(bed.owner))
  await assert.rejects(fetchFor(bed.owner), refusedWith('rate_limited'))
  under.push(
    ...[bed.stranger, another].flatMap((owner) => Array.from({ length: 4 }, () => fetchFor(owner))),
  )
  await assert.rejects(
    fetchFor({ ...bed.owner, accountId: newId(bed.clock()) }),
    refusedWith('overloaded'),
  )

  const ended = Promise.allSettled(under)
  gone.abort(new RangeError('nobody waits'))
  assert.ok((await ended).every(({ status }) => status === 'rejected'))
  const again = new AbortController()
  const more = await Promise.all(
    Array.from({ length: 8 }, () =>
      upload(bed.owner, { url: `${server.url}/file.txt` }, again.signal),
    ),
  )
  assert.equal(more.length, 8)
})
