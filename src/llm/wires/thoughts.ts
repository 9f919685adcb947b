/**
 * Thoughts in converted answers carry the model that made them, in the place of a signature, so that
 * only this model receives them again. Signed thoughts of other upstreams are unreadable here.
 */
const MARK = 'tollgate:'

export function markThoughts(modelId: string): string {
  return `${MARK}${modelId}`
}

export function isMarked(signature: unknown): boolean {
  return typeof signature === 'string' && signature.startsWith(MARK)
}
