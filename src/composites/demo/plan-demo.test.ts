import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fc } from '../../../test/harness/property.ts'
import { readingMs } from '../../reader/video/motion.ts'
import type { PageFacts } from '../../reader/video/survey-pages.ts'
import { choosePages } from './choose-pages.ts'
import { isHarmlessName } from './harmless-links.ts'
import { planDemo } from './plan-demo.ts'

const heading = (text: string, topPx: number, following = '', level = 2) => ({
  level,
  text,
  topPx,
  following,
})
const link = (text: string, href: string, isNavigation = true) => ({ text, href, isNavigation })

function page(facts: Partial<PageFacts> = {}): PageFacts {
  return {
    url: 'https://a.example/',
    title: 'Ledgerly - Home',
    siteName: 'Ledgerly',
    description: 'Books that balance. And more.',
    headings: [],
    links: [],
    tabs: [],
    heightPx: 4_000,
    ...facts,
  }
}

const home = page({
  headings: [
    heading('Welcome', 80, '', 1),
    heading('Invoices', 900, 'Send invoices in a minute. Then wait.'),
    heading('Reports', 1_800, 'Every month on one page.'),
    heading('Reports again', 1_850),
    heading('Security', 2_700, 'Two locks on every door.'),
  ],
  links: [
    link('Pricing', 'https://a.example/pricing'),
    link('Delete account', 'https://a.example/account/delete'),
    link('Elsewhere', 'https://b.example/'),
  ],
  tabs: ['Monthly', 'Delete all'],
})
const pricing = page({
  url: 'https://a.example/pricing',
  title: 'Pricing',
  headings: [
    heading('Pricing', 90, 'Free for three people. More for more.', 1),
    heading('Billing', 1_200, 'Bills come once a month.'),
  ],
})

describe('a plan', () => {
  it('opens with an introduction, then shows the parts from top to bottom', () => {
    const script = planDemo([home], { maxSeconds: 60, words: '' })
    assert.deepEqual(script[0], {
      action: 'open',
      url: 'https://a.example/',
      say: 'Ledgerly: Books that balance. And more.',
    })
    assert.deepEqual(
      script.slice(1).map(({ action, target }) => [action, target]),
      [
        ['scroll', 'Invoices'],
        ['scroll', 'Reports'],
        ['scroll', 'Security'],
        ['click', 'Monthly'],
      ],
    )
    assert.equal(script[1]?.say, 'Invoices: Send invoices in a minute.')
  })

  it('clicks the link to the next page', () => {
    const script = planDemo([home, pricing], { maxSeconds: 60, words: '' })
    const way = script.find(({ target }) => target === 'Pricing')
    assert.deepEqual(way, {
      action: 'click',
      target: 'Pricing',
      say: 'Pricing: Free for three people.',
    })
    const unlinked = planDemo([page(), pricing], { maxSeconds: 60, words: '' })
    assert.deepEqual([unlinked[1]?.action, unlinked[1]?.url], ['open', 'https://a.example/pricing'])
  })

  it('prefers parts that match the request if time is short', () => {
    const shown = (words: string) =>
      planDemo([home], { maxSeconds: 14, words })
        .map(({ target }) => target)
        .filter((target) => target !== undefined)
    assert.ok(shown('how safe are the locks, security').includes('Security'))
    assert.ok(!shown('how safe are the locks, security').includes('Invoices'))
    assert.ok(shown('monthly reports').includes('Reports'))
    assert.ok(!shown('monthly reports').includes('Security'))
  })

  it('fits the time and clicks nothing harmful on any page', () => {
    const words = fc.constantFrom(
      'Overview',
      'Delete everything',
      'Buy now',
      'Log out',
      'Was es kostet',
      'Jetzt kaufen',
      'A long line about the many things that this product does for those who use it every day',
      '支払い方法について',
    )
    const facts = fc.record({
      headings: fc.array(
        fc.record({
          level: fc.integer({ min: 1, max: 3 }),
          text: words,
          topPx: fc.integer({ min: 0, max: 9_000 }),
          following: words,
        }),
        { maxLength: 30 },
      ),
      tabs: fc.array(words, { maxLength: 10 }),
      links: fc.array(
        fc.record({
          text: words,
          href: fc.constantFrom(
            'https://a.example/0',
            'https://a.example/1',
            'https://a.example/2',
          ),
          isNavigation: fc.boolean(),
        }),
        { maxLength: 10 },
      ),
    })
    fc.assert(
      fc.property(
        fc.array(facts, { minLength: 1, maxLength: 10 }),
        fc.integer({ min: 5, max: 120 }),
        words,
        (pages, maxSeconds, words) => {
          const script = planDemo(
            pages.map((one, place) => page({ ...one, url: `https://a.example/${place}` })),
            { maxSeconds, words },
          )
          assert.ok(script.length >= 1 && script.length <= 40)
          assert.equal(script[0]?.action, 'open')
          const readMs = script.slice(1).reduce((sum, { say = '' }) => sum + readingMs(say), 0)
          assert.ok(readMs <= maxSeconds * 1_000)
          for (const { action, target = '', say = '' } of script) {
            if (action === 'click') assert.ok(isHarmlessName(target), target)
            assert.ok(say.length <= 116)
            assert.ok(['open', 'click', 'scroll'].includes(action))
          }
        },
      ),
      { numRuns: 200 },
    )
  })
})

describe('further pages', () => {
  const links = [
    link('Blog', 'https://a.example/blog'),
    link('Pricing', 'https://www.a.example/pricing#plans'),
    link('Features', 'https://a.example/features'),
    link('Home', 'https://a.example/#top'),
    link('Log in', 'https://a.example/login'),
    link('Goodbye', 'https://a.example/logout'),
    link('Start over', 'https://a.example/?action=delete'),
    link('Buy now', 'https://a.example/shop'),
    link('Brochure', 'https://a.example/brochure.pdf'),
    link('Partner', 'https://partner.example/'),
    link('Other port', 'https://a.example:8443/'),
  ]

  it('are harmless product pages of the same site', () => {
    assert.deepEqual(choosePages(page({ links }), '', 9), [
      'https://a.example/features',
      'https://www.a.example/pricing',
      'https://a.example/blog',
    ])
  })

  it('may be views of one document, without harmful ones', () => {
    const views = [
      link('Prices', 'https://a.example/#/pricing'),
      link('Next', 'https://a.example/#/account/delete'),
      link('Top', 'https://a.example/#top'),
    ]
    assert.deepEqual(choosePages(page({ links: views }), '', 9), ['https://a.example/#/pricing'])
  })

  it('match the goal, including synonyms', () => {
    assert.equal(choosePages(page({ links }), 'read the blog', 1)[0], 'https://a.example/blog')
    assert.equal(
      choosePages(page({ links }), 'what does it cost', 1)[0],
      'https://www.a.example/pricing',
    )
  })
})

it('distinguishes harmful names from similar harmless ones', () => {
  for (const name of [
    'Delete',
    'DELETE ACCOUNT',
    'Log out',
    'Sign-out',
    'Add to cart',
    'Pay now',
    'Subscribe',
    'Jetzt kaufen',
    'Löschen',
    'Payer',
    'Cerrar sesión',
    'Check out',
  ])
    assert.equal(isHarmlessName(name), false, name)
  for (const name of [
    'Display',
    'Ordering guide',
    'Payments',
    'Facebook',
    'Presets',
    'Sending limits',
    'Reference',
    'Postgres',
  ])
    assert.equal(isHarmlessName(name), true, name)
})
