/** The anchors that GitHub gives to headings. Repeated headings of a page get -1, -2 and so on. */
export function createSlugs(): (heading: string) => string {
  const seen = new Map<string, number>()
  return (heading) => {
    const slug = heading
      .trim()
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(/\s/g, '-')
    const repeats = seen.get(slug) ?? 0
    seen.set(slug, repeats + 1)
    return repeats === 0 ? slug : `${slug}-${repeats}`
  }
}
