import type { KeyVerdict } from '../../../operate/vendors/key-tests.ts'
import { broken, unchecked, type Check } from './check.ts'

const SERVICE = 'service '

/** Adds to the `ok` checks of lanes whether the vendor accepts the key. */
export function addVerdicts(
  lanes: readonly Check[],
  verdicts: ReadonlyMap<string, KeyVerdict>,
): Check[] {
  return lanes.map((lane) => {
    const id = lane.name.slice(SERVICE.length)
    const verdict = lane.state === 'ok' ? verdicts.get(id) : undefined
    return verdict === undefined ? lane : addVerdict(lane, id, verdict)
  })
}

function addVerdict({ name, found, ...lane }: Check, id: string, verdict: KeyVerdict): Check {
  switch (verdict.kind) {
    case 'accepted':
      return { name, ...lane, found: `${found}; the vendor accepts the key` }
    case 'no-free-request':
      return unchecked(name, `${found}; key not checked: the vendor has no free request`)
    case 'unclear':
      return unchecked(name, `${found}; key not checked: the vendor returned ${verdict.status}`)
    case 'refused':
      return broken(
        name,
        `${found}; the vendor rejects the key (${verdict.status}): live calls fail`,
        `Set UPSTREAM_${id.toUpperCase().replaceAll('-', '_')}_… to a valid key.`,
      )
    case 'unpaid':
      return broken(
        name,
        `${found}; the vendor requires payment (${verdict.status})`,
        'Add credit at the vendor.',
      )
    case 'unreachable':
      return broken(
        name,
        `${found}; not reachable${verdict.status === null ? '' : `: it returned ${verdict.status}`}`,
        `Check that this machine can reach ${verdict.origin}, then run the command again.`,
      )
  }
}
