import type { Html } from '../html.ts'

/** A chapter of the guide. `id` is its anchor. */
export type GuideSection = { readonly id: string; readonly title: string; readonly body: Html }
