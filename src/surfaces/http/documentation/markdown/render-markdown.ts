/** Markdown as markup. Every value passes the template tag, which escapes it, and HTML in the source is dropped. */
import { lexer, type Token, type Tokens } from 'marked'
import { codeBlock, codeCard } from '../../html/components/code-card.ts'
import { note } from '../../html/components/note.ts'
import { table } from '../../html/components/table.ts'
import { html, type Html } from '../../html/html.ts'
import type { Steps } from '../../../../lib/background/sliced.ts'
import { languageOf, tabOf } from './code-languages.ts'
import { decodeEntities, plainText } from './plain-text.ts'
import { createSlugs } from './slugs.ts'
import { splitSections } from './split-sections.ts'

export type Heading = {
  readonly id: string
  readonly text: string
  /** 2 to 4. The title of the page is not a heading. */
  readonly level: number
}

export type RenderedPage = {
  readonly title: string
  /** The first paragraph as plain text. */
  readonly summary: string
  readonly headings: readonly Heading[]
  readonly body: Html
}

/** Renders a whole page, whose first line is its title. Yields after each section and block. */
export function* renderMarkdown(markdown: string): Steps<RenderedPage> {
  const renderer = new Renderer()
  const parts: Html[] = []
  let title: Tokens.Heading | undefined
  let summary: Token | undefined
  for (const section of splitSections(markdown)) {
    const tokens = lexer(section)
    title ??= tokens.find(isHeading)
    summary ??= tokens.find(({ type }) => type === 'paragraph')
    yield
    for (const part of renderer.parts(tokens)) {
      parts.push(part)
      yield
    }
  }
  return {
    title: title === undefined ? '' : plainText(title.tokens),
    summary: summary === undefined ? '' : plainText([summary]).replaceAll(/\s+/g, ' '),
    headings: renderer.headings,
    body: html`${parts}`,
  }
}

function isHeading(token: Token): token is Tokens.Heading {
  return token.type === 'heading'
}

/** Renders one page: it counts the anchors and the code cards. */
class Renderer {
  readonly headings: Heading[] = []
  readonly #slug = createSlugs()
  #cards = 0

  blocks(tokens: readonly Token[]): Html {
    return html`${[...this.parts(tokens)]}`
  }

  /** The markup of each block. */
  *parts(tokens: readonly Token[]): Generator<Html, void, void> {
    const shown = tokens.filter(({ type }) => type !== 'space' && type !== 'html')
    for (let at = 0; at < shown.length; at += 1) {
      const token = shown[at] as Token
      if (token.type === 'code') {
        const group = takeExample(shown, at)
        yield this.#code(group)
        at += group.length - 1
      } else yield this.#block(token)
    }
  }

  #block(token: Token): Html {
    switch (token.type) {
      case 'heading':
        return this.#heading(token as Tokens.Heading)
      case 'paragraph':
        return html`<p>${this.inline((token as Tokens.Paragraph).tokens)}</p>
`
      case 'list':
        return this.#list(token as Tokens.List)
      case 'table':
        return this.#table(token as Tokens.Table)
      case 'blockquote':
        return note('info', this.blocks((token as Tokens.Blockquote).tokens))
      case 'hr':
        return html`<hr>
`
      case 'text':
        return 'tokens' in token && token.tokens !== undefined
          ? this.inline(token.tokens)
          : html`${decodeEntities((token as Tokens.Text).text)}`
      default:
        return html`${plainText([token])}`
    }
  }

  #heading({ depth, tokens }: Tokens.Heading): Html {
    const text = plainText(tokens)
    const id = this.#slug(text)
    const words = this.inline(tokens)
    if (depth === 1)
      return html`<h1 id="${id}">${words}</h1>
`
    this.headings.push({ id, text, level: depth })
    const link = html`<a class="heading" href="#${id}">${words}</a>`
    if (depth === 2)
      return html`<h2 id="${id}">${link}</h2>
`
    return depth === 3
      ? html`<h3 id="${id}">${link}</h3>
`
      : html`<h4 id="${id}">${link}</h4>
`
  }

  #list({ ordered, start, items }: Tokens.List): Html {
    const content = items.map(
      ({ tokens }) => html`<li>${this.blocks(tokens)}</li>
`,
    )
    if (!ordered)
      return html`<ul>
${content}</ul>
`
    return html`<ol${typeof start === 'number' && start !== 1 && html` start="${start}"`}>
${content}</ol>
`
  }

  #table({ header, rows, align }: Tokens.Table): Html {
    const head = header.map(({ tokens }, at) => {
      const words = plainText(tokens)
      return align[at] === 'right' ? { figures: words } : words
    })
    return table(
      head.map((heading) => (typeof heading === 'string' ? heading : heading.figures)).join(', '),
      head,
      rows.map((cells) => cells.map(({ tokens }) => this.inline(tokens))),
    )
  }

  /** One block, or the same example in several languages as tabs. */
  #code(group: readonly Tokens.Code[]): Html {
    const [first] = group
    if (group.length === 1 && first !== undefined)
      return codeBlock(first.text, languageOf(first.lang))
    this.#cards += 1
    return codeCard({
      id: `example-${this.#cards}`,
      label: 'The example in several languages',
      snippets: group.map(({ lang, text }) => {
        const tab = tabOf(lang, text)
        return { id: tab.id, label: tab.label, language: languageOf(lang), text }
      }),
    })
  }

  inline(tokens: readonly Token[]): Html {
    return html`${tokens.map((token) => this.#inlineOf(token))}`
  }

  #inlineOf(token: Token): Html {
    switch (token.type) {
      case 'codespan':
        return html`<code>${(token as Tokens.Codespan).text}</code>`
      case 'strong':
        return html`<strong>${this.inline((token as Tokens.Strong).tokens)}</strong>`
      case 'em':
        return html`<em>${this.inline((token as Tokens.Em).tokens)}</em>`
      case 'del':
        return html`<del>${this.inline((token as Tokens.Del).tokens)}</del>`
      case 'br':
        return html`<br>`
      case 'link':
        return this.#link(token as Tokens.Link)
      case 'image':
        return this.#image(token as Tokens.Image)
      case 'html':
        return html``
      default:
        if ('tokens' in token && token.tokens !== undefined) return this.inline(token.tokens)
        return html`${decodeEntities('text' in token ? String(token.text) : '')}`
    }
  }

  #link({ href, tokens }: Tokens.Link): Html {
    const words = this.inline(tokens)
    return isSafe(href) ? html`<a href="${href}">${words}</a>` : words
  }

  #image({ href, text }: Tokens.Image): Html {
    return href.startsWith('/') ? html`<img src="${href}" alt="${text}" loading="lazy">` : html``
  }
}

function isSafe(href: string): boolean {
  return /^(?:https?:|mailto:|[#/])/i.test(href)
}

/** The code blocks in a row that are one example in different languages. */
function takeExample(tokens: readonly Token[], from: number): readonly Tokens.Code[] {
  const group: Tokens.Code[] = []
  const seen = new Set<string>()
  for (const token of tokens.slice(from)) {
    if (token.type !== 'code') break
    const code = token as Tokens.Code
    const { id, isProgram } = tabOf(code.lang, code.text)
    if (!isProgram || seen.has(id)) break
    seen.add(id)
    group.push(code)
  }
  return group.length > 1 ? group : [tokens[from] as Tokens.Code]
}
