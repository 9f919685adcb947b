import type { Documentation } from './open-documentation.ts'

/** GET /docs.md: every page with a link to its Markdown, for agents. */
export function documentationList({ pages }: Documentation): string {
  const sections = [...Map.groupBy(pages, ({ section }) => section)].map(
    ([title, members]) =>
      `## ${title}\n\n${members
        .map(
          ({ slug, label, parent }) =>
            `${parent === null ? '' : '  '}- [${label}](/docs/${slug}.md)`,
        )
        .join('\n')}`,
  )
  return `# Documentation\n\n${sections.join('\n\n')}\n`
}
