/** Names of private networks: RFC 6761, 6762 and 8375, ICANN's .internal, Kubernetes' .svc, and names used by routers and offices. */
const INTERNAL_NAME =
  /(^|\.)(internal|local|localhost|localdomain|svc|home\.arpa|lan|intranet|corp|home|private)$/i

/** Whether a name belongs to a private network, independent of its address. A trailing dot is ignored. */
export function isInternalName(name: string): boolean {
  const bare = name.replace(/\.$/, '')
  return !bare.includes('.') || INTERNAL_NAME.test(bare)
}
