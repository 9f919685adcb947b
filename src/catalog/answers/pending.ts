const PENDING = new Set([
  'executing',
  'in_progress',
  'pending',
  'processing',
  'queued',
  'running',
  'started',
  'submitted',
])

/** Whether a vendor's status means that its work continues, so that the answer is neither a result nor a failure. */
export function isPending(status: unknown): boolean {
  return typeof status === 'string' && PENDING.has(status.toLowerCase())
}
