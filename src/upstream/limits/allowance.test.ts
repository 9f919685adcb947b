import assert from 'node:assert/strict'
import { it } from 'node:test'
import { createCatalog } from '../../catalog/index.ts'
import type { Vendor, VendorLimits } from '../../catalog/vocabulary/wire.ts'
import { allowanceOf } from './allowance.ts'
import { retryAfterMs } from './retry-after.ts'

function rateOf(limits: VendorLimits): unknown[] {
  const allowance = allowanceOf(limits)
  return [allowance?.rate, allowance?.windowMs]
}

it('converts a rate to a window, and a fraction to one request in a longer window', () => {
  assert.deepEqual(rateOf({ perSecond: 10 }), [10, 1_000])
  assert.deepEqual(rateOf({ perSecond: 1.5 }), [1, 667])
  assert.deepEqual(rateOf({ perSecond: 100 / 60 }), [1, 600])
  assert.deepEqual(rateOf({ perSecond: 1 / 6 }), [1, 6_000])
  assert.deepEqual(rateOf({ perSecond: 5 / 30 }), [1, 6_000])
  assert.deepEqual(rateOf({ perMinute: 30 }), [30, 60_000])
})

it('limits reads of background email searches to 30 a minute, but not launches', () => {
  const actions = createCatalog().services.find(({ id }) => id === 'emailasync')?.actions ?? {}
  const limited = Object.entries(actions).flatMap(([name, action]) =>
    action.kind === 'call' && action.limits !== undefined ? [[name, ...rateOf(action.limits)]] : [],
  )
  assert.deepEqual(limited, [['result', 30, 60_000]])
})

it('returns null for a vendor without limits', () => {
  assert.deepEqual([allowanceOf(), allowanceOf({})], [null, null])
})

it('takes permits ahead only for generous limits', () => {
  const spare = (limits: VendorLimits): unknown => allowanceOf(limits)?.spare
  assert.deepEqual(
    [
      spare({ perSecond: 5 }),
      spare({ perSecond: 100 }),
      spare({ perSecond: 100, perDay: 100 }),
      spare({ perDay: 50_000 }),
      spare({ perSecond: 100, concurrent: 9 }),
    ],
    [0, 6, 0, 50, 0],
  )
})

it('finds the same limits for all vendors of a label, which share one gate', () => {
  const stated = new Map<string, string>()
  function compare(service: string, vendor: Vendor | undefined): void {
    if (vendor === undefined) return
    const label = vendor.label ?? service
    const limits = JSON.stringify(vendor.limits ?? {})
    assert.equal(stated.get(label) ?? limits, limits, label)
    stated.set(label, limits)
  }
  for (const { id, vendor, actions } of createCatalog().services) {
    compare(id, vendor)
    for (const action of Object.values(actions)) {
      if (action.kind === 'call') compare(id, action.openSource?.vendor)
      if (action.kind !== 'endpoint') continue
      for (const endpoint of action.endpoints) {
        compare(id, endpoint.vendor)
        compare(id, endpoint.openSource?.vendor)
      }
    }
  }
  assert.ok(stated.size > 50)
})

it('reads Retry-After as seconds or a date by the vendor’s clock, up to an hour', () => {
  const date = 'Wed, 21 Oct 2026 07:28:00 GMT'
  const headers: readonly [Record<string, string>, number | undefined][] = [
    [{ 'retry-after': '7' }, 7_000],
    [{ 'retry-after': 'Wed, 21 Oct 2026 07:28:30 GMT', date }, 30_000],
    [{ 'retry-after': 'Wed, 21 Oct 2026 07:27:00 GMT', date }, undefined],
    [{ 'retry-after': 'Wed, 21 Oct 2026 07:28:30 GMT' }, 20_000],
    [{ 'retry-after': 'Wed, 21 Oct 2026 07:28:30 GMT', date: 'today' }, 20_000],
    [{ 'retry-after': '86400' }, 3_600_000],
    [{ 'retry-after': 'Wed, 21 Oct 2099 07:28:30 GMT' }, 3_600_000],
    [{ 'retry-after': 'in 2099' }, undefined],
    [{ 'retry-after': '0x10' }, undefined],
    [{ 'retry-after': 'Infinity' }, undefined],
    [{ 'retry-after': '0' }, undefined],
    [{ 'retry-after': '' }, undefined],
    [{ 'retry-after': 'soon' }, undefined],
    [{ 'retry-after': '-3' }, undefined],
    [{}, undefined],
  ]
  for (const [given, expected] of headers)
    assert.equal(
      retryAfterMs(given, Date.parse('Wed, 21 Oct 2026 07:28:10 GMT')),
      expected,
      JSON.stringify(given),
    )
})
