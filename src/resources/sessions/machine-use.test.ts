import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fc } from '../../../test/harness/property.ts'
import { chargedWith, priceOfUse, type MachineUse, type Stretch } from './machine-use.ts'

/** A micro-dollar per CPU second and per gigabyte second. */
const rates = { cpuHour: 3_600n, gigabyteHour: 3_600n }

/** The use of a machine with one busy CPU since its start. */
function use(fromSeconds: number, toSeconds: number): MachineUse {
  const at = (seconds: number) => ({
    boot: 'boot',
    upMicroseconds: Math.round(seconds * 1_000_000),
    cpuMicroseconds: Math.round(seconds * 1_000_000),
  })
  return { from: at(fromSeconds), to: at(toSeconds), memoryBytes: 2 ** 30 }
}

function chargeAll(programs: readonly MachineUse[]): bigint {
  let charged: readonly Stretch[] = []
  return programs.reduce((sum, program) => {
    const price = priceOfUse(program, rates, charged)
    charged = chargedWith(program, charged)
    return sum + price
  }, 0n)
}

describe('the total cost of one machine’s programs', () => {
  it('charges overlapping time once', () => {
    const program = fc
      .tuple(fc.nat(300), fc.integer({ min: 1, max: 70 }))
      .map(([from, seconds]) => use(from, from + seconds))
    fc.assert(
      fc.property(fc.array(program, { maxLength: 30 }), (programs) => {
        const byEnd = programs.toSorted(
          (one, other) => one.to.upMicroseconds - other.to.upMicroseconds,
        )
        const busy = new Set(
          programs.flatMap(({ from, to }) =>
            Array.from(
              { length: (to.upMicroseconds - from.upMicroseconds) / 1_000_000 },
              (_, second) => from.upMicroseconds / 1_000_000 + second,
            ),
          ),
        )
        assert.equal(chargeAll(byEnd), 2n * BigInt(busy.size))
      }),
    )
  })

  it('charges everything again after a restart, and is never negative', () => {
    const again = use(0, 10)
    const restarted = {
      ...again,
      from: { ...again.from, boot: 'next' },
      to: { ...again.to, boot: 'next' },
    }
    assert.equal(chargeAll([use(0, 10), restarted]), 40n)
    assert.equal(chargeAll([use(0, 10), use(2, 8), { ...use(0, 10), to: use(0, 0).to }]), 20n)
  })

  it('is not reduced by contradictory counters', () => {
    const busy: Stretch = {
      from: use(0, 0).from,
      to: { ...use(0, 10).to, cpuMicroseconds: 100_000_000 },
    }
    const claimed: MachineUse = {
      from: { ...use(5, 5).from, cpuMicroseconds: 0 },
      to: { ...use(0, 15).to, cpuMicroseconds: 0 },
      memoryBytes: 2 ** 30,
    }
    // Five seconds of memory are new; the CPU time is negative and counts as zero.
    assert.equal(priceOfUse(claimed, rates, [busy]), 5n)
  })

  it('remembers a limited number of intervals within the longest program time', () => {
    let charged: readonly Stretch[] = []
    for (let at = 0; at < 1_000; at += 1) charged = chargedWith(use(at, at + 0.5), charged)
    assert.deepEqual([charged.length, charged[0]?.from], [70, use(930, 930).from])
    charged = []
    for (let at = 0; at < 600; at += 1) charged = chargedWith(use(at / 10, at / 10 + 0.05), charged)
    assert.equal(charged.length, 500)
    assert.ok(priceOfUse(use(0, 60), rates, charged) >= 2n * 30n)
  })
})
