/** Writes the content that a JSON-LD node describes as HTML: for pages that scripts draw from it. */
import { isFields, type Fields } from '../../lib/json-fields.ts'
import type { DeclaredSource } from './declared-yield.ts'
import { isOfType, listOf, textOf } from './linked-data.ts'

const ARTICLE = /(Article|Posting|Review|Report|WebPage)$/
const PRODUCT = /^(Product|ProductGroup|Vehicle|Book|SoftwareApplication)$/
const THREAD = /^(DiscussionForumPosting|QAPage|Question|SocialMediaPosting)$/
const MOST_ENTRIES = 500
const MAX_DEPTH = 4

export function sourceOf(node: Fields): DeclaredSource {
  if (isOfType(node, PRODUCT)) return 'product'
  if (isOfType(node, THREAD)) return 'thread'
  return isOfType(node, ARTICLE) && !isOfType(node, /^WebPage$/) ? 'article' : 'other'
}

/** Empty for a node without content of its own. */
export function contentOf(node: Fields): string {
  if (isOfType(node, PRODUCT)) return product(node)
  if (isOfType(node, /^FAQPage$/)) return questions(node)
  if (isOfType(node, THREAD)) return thread(node, 0)
  if (isOfType(node, /^(Recipe|HowTo)$/)) return recipe(node)
  if (isOfType(node, /^(ItemList|OfferCatalog)$/)) return itemList(node)
  if (isOfType(node, /^(\w*Event|Festival|Hackathon)$/)) return event(node)
  if (isOfType(node, /^JobPosting$/)) return job(node)
  return isOfType(node, ARTICLE)
    ? paragraphs(textOf(node['articleBody'] ?? node['reviewBody']))
    : ''
}

function product(node: Fields): string {
  const rating = isFields(node['aggregateRating']) ? node['aggregateRating'] : {}
  return [
    heading(node['name']),
    paragraphs(textOf(node['description'])),
    facts([
      ['Brand', textOf(node['brand'])],
      ['SKU', textOf(node['sku'])],
      ['Price', priceOf(node)],
      ['Availability', textOf(firstOffer(node)['availability']).replace(/^.*\//, '')],
      ['Rating', rated(textOf(rating['ratingValue']), textOf(rating['reviewCount']))],
      ...listOf(node['additionalProperty'])
        .filter(isFields)
        .map((each): Fact => [textOf(each['name']), textOf(each['value'])]),
    ]),
    ...entriesOf(node['review']).map(
      (review) =>
        byline(review) + paragraphs(textOf(review['reviewBody'] ?? review['description'])),
    ),
  ].join('')
}

/** The price of the first offer with its currency; empty if none is stated. */
export function priceOf(node: Fields): string {
  const offer = firstOffer(node)
  const price = textOf(offer['price'] ?? offer['lowPrice'])
  return price === '' ? '' : `${price} ${textOf(offer['priceCurrency'])}`.trim()
}

/** The first offer of a product or of its first variant; prices may be in a specification inside it. */
export function firstOffer(node: Fields): Fields {
  const variant = listOf(node['hasVariant']).find(isFields)
  const offers = node['offers'] ?? variant?.['offers']
  const offer = listOf(offers).find(isFields) ?? {}
  const specification = listOf(offer['priceSpecification']).find(isFields) ?? {}
  const inner = listOf(offer['offers']).find(isFields) ?? {}
  return { ...inner, ...specification, ...offer }
}

function questions(node: Fields): string {
  return entriesOf(node['mainEntity'])
    .map(
      (question) =>
        heading(question['name'], 'h2') +
        paragraphs(textOf(entriesOf(question['acceptedAnswer'])[0]?.['text'])),
    )
    .join('')
}

/** A post with its author and date, then its answers and comments. */
function thread(node: Fields, depth: number): string {
  const post = isOfType(node, /^QAPage$/) ? (entriesOf(node['mainEntity'])[0] ?? {}) : node
  const replies = ['acceptedAnswer', 'suggestedAnswer', 'comment'].flatMap((name) =>
    entriesOf(post[name]),
  )
  const title = depth === 0 ? heading(post['headline'] ?? post['name']) : ''
  const text = textOf(post['articleBody'] ?? post['text'] ?? post['description'])
  if (depth > MAX_DEPTH) return ''
  return [
    title,
    text === '' ? '' : byline(post) + paragraphs(text),
    ...replies.map((reply) => thread(reply, depth + 1)),
  ].join('')
}

function recipe(node: Fields): string {
  const ingredients = listOf(node['recipeIngredient'] ?? node['ingredients']).map(textOf)
  const steps = listOf(node['recipeInstructions'] ?? node['step']).flatMap((step) =>
    isFields(step) && step['itemListElement'] !== undefined
      ? listOf(step['itemListElement'])
      : [step],
  )
  return [
    heading(node['name']),
    paragraphs(textOf(node['description'])),
    facts([
      ['Yield', textOf(node['recipeYield'])],
      ['Time', textOf(node['totalTime'])],
    ]),
    list('ul', ingredients),
    list(
      'ol',
      steps.map((step) => textOf(isFields(step) ? (step['text'] ?? step['name']) : step)),
    ),
  ].join('')
}

/** The entries of a list with their prices. */
function itemList(node: Fields): string {
  const entries = entriesOf(node['itemListElement']).map((entry) => {
    const item = isFields(entry['item']) ? entry['item'] : entry
    return [textOf(item['name'] ?? entry['name']), priceOf(item)]
  })
  return (
    heading(node['name']) +
    list(
      'ul',
      entries.map((parts) => parts.filter((part) => part !== '').join(', ')),
    )
  )
}

function event(node: Fields): string {
  const place = isFields(node['location']) ? node['location'] : {}
  const address = isFields(place['address'])
    ? ['streetAddress', 'postalCode', 'addressLocality', 'addressCountry']
        .map((name) => textOf((place['address'] as Fields)[name]))
        .filter((text) => text !== '')
        .join(', ')
    : textOf(place['address'])
  return [
    heading(node['name']),
    facts([
      ['Start', textOf(node['startDate'])],
      ['End', textOf(node['endDate'])],
      ['Place', [textOf(place), address].filter((text) => text !== '').join(', ')],
      ['Price', priceOf(node)],
    ]),
    paragraphs(textOf(node['description'])),
  ].join('')
}

function job(node: Fields): string {
  return [
    heading(node['title']),
    facts([
      ['Company', textOf(node['hiringOrganization'])],
      ['Posted', textOf(node['datePosted'])],
    ]),
    paragraphs(textOf(node['description'])),
  ].join('')
}

type Fact = readonly [name: string, value: string]

function facts(pairs: readonly Fact[]): string {
  return list(
    'ul',
    pairs.flatMap(([name, value]) => (name === '' || value === '' ? [] : [`${name}: ${value}`])),
  )
}

function rated(value: string, count: string): string {
  return value === '' || count === '' ? value : `${value} (${count} reviews)`
}

function list(tag: 'ul' | 'ol', items: readonly string[]): string {
  const written = items.filter((item) => item !== '').map((item) => `<li>${escaped(item)}</li>`)
  return written.length === 0 ? '' : `<${tag}>${written.join('')}</${tag}>`
}

function byline(node: Fields): string {
  return bylineOf(textOf(node['author']), textOf(node['datePublished'] ?? node['dateCreated']))
}

/** The author and date of a post as one paragraph; empty if neither is known. */
export function bylineOf(author: string, date: string): string {
  const parts = [author === '' ? '' : `<strong>${escaped(author)}</strong>`, escaped(date)]
  const written = parts.filter((part) => part !== '')
  return written.length === 0 ? '' : `<p>${written.join(', ')}</p>`
}

function heading(value: unknown, tag: 'h1' | 'h2' = 'h1'): string {
  const text = textOf(value)
  return text === '' ? '' : `<${tag}>${escaped(text)}</${tag}>`
}

function entriesOf(value: unknown): Fields[] {
  return listOf(value).filter(isFields).slice(0, MOST_ENTRIES)
}

/** A text as HTML. A text that is HTML already stays as it is; entities may be escaped twice. */
export function paragraphs(text: string): string {
  const source = /&lt;\/?(p|br|div|ul|li|h\d|strong)\b/i.test(text)
    ? text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
    : text
  if (/<\/?(p|br|div|h\d|ul|ol|li|strong|b|a|span)\b/i.test(source)) return `<div>${source}</div>`
  return source
    .split(/\n+/)
    .filter((line) => line.trim() !== '')
    .map((line) => `<p>${line.replaceAll('<', '&lt;')}</p>`)
    .join('')
}

function escaped(text: string): string {
  return text.replaceAll('<', '&lt;')
}
