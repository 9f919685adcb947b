/** Names of private networks: RFC 6761, 6762 and 8375, ICANN's .internal, Kubernetes' .svc, and what routers and offices use. */
const INTERNAL_NAME =
  /(^|\.)(internal|local|localhost|localdomain|svc|home\.arpa|lan|intranet|corp|home|private)$/i

/** Whether a name stands for something inside a private network whatever its resolver answers. The root's dot does not matter. */
export function isInternalName(name: string): boolean {
  const bare = name.replace(/\.$/, '')
  return !bare.includes('.') || INTERNAL_NAME.test(bare)
}
