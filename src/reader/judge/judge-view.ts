import { namesView } from '../fetch/view-fragment.ts'
import type { Verdict } from './judge.ts'

const SCRIPT = /<script\b(?![^>]*\bjson\b)/i

/** The verdict on a page read without scripts: it shows its first view instead of the one that `url` names. */
export function judgeView<V extends { readonly flags: readonly string[] }>(
  verdict: V,
  { url, html }: { readonly url: string; readonly html: string },
): V | (Verdict & { reason: 'needs_javascript' }) {
  if (verdict.flags.length > 0 || !namesView(url) || !SCRIPT.test(html)) return verdict
  return { yield: 0, flags: ['thin_content'], reason: 'needs_javascript' }
}
