/**
 * Matches a fragment that is only a position on its page. "#/" and "#!" begin the name of a view,
 * which is a page of its own; alone they name the first view. Browsers run it too.
 */
export const POSITION = /#(?:!?\/?$|(?![!/]).*$)/

/** Removes the fragment of a URL unless it names a view of an application. */
export function withoutPosition(url: string): string {
  return url.replace(POSITION, '')
}

/** Whether only the page's scripts can show what the URL leads to. */
export function namesView(url: string): boolean {
  return withoutPosition(url).includes('#')
}
