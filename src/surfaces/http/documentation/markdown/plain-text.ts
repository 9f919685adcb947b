import type { Token, Tokens } from 'marked'

const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&amp;': '&',
  '&quot;': '"',
  '&nbsp;': '\u00A0',
}

export function decodeEntities(text: string): string {
  return text.replaceAll(/&(?:lt|gt|amp|quot|nbsp);/g, (entity) => ENTITIES[entity] ?? entity)
}

/** The words of tokens, without markup and code blocks. */
export function plainText(tokens: readonly Token[]): string {
  return tokens.map(textOf).join('')
}

function textOf(token: Token): string {
  switch (token.type) {
    case 'html':
    case 'code':
      return ''
    case 'codespan':
      return (token as Tokens.Codespan).text
    case 'space':
    case 'br':
      return ' '
    case 'list':
      return (token as Tokens.List).items.map(({ tokens }) => `${plainText(tokens)} `).join('')
    case 'table': {
      const { header, rows } = token as Tokens.Table
      return [header, ...rows]
        .map((cells) => `${cells.map(({ tokens }) => plainText(tokens)).join(' ')}. `)
        .join('')
    }
    default:
      if ('tokens' in token && token.tokens !== undefined) return plainText(token.tokens)
      return 'text' in token ? decodeEntities(String(token.text)) : ''
  }
}
