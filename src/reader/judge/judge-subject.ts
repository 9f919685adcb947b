import {
  BOT_SIGNS,
  CONSENT_SIGNS,
  ERROR_SIGNS,
  ERROR_TITLES,
  GEO_SIGNS,
  LOGIN_SIGNS,
  WALL_TITLES,
} from './judge-phrases.ts'
import * as world from './judge-phrases-world.ts'
import { readVisibleText } from '../extract/visible-text.ts'

const HEADLINE = /<h1\b[^<>]{0,1000}>([^]{0,600}?)<\/h1/i
const LEAST_CHARACTERS = 4
/** A shorter headline may be the site's name, which its walls show too. */
const MOST_WORDS_OF_NAME = 2
/** Challenges use the host name as headline. */
const HOST_NAME = /^(https?:\/\/)?[\w-]+(\.[\w-]+)+\/?$/
const WALL_HEADLINES: readonly RegExp[] = [
  ...BOT_SIGNS.filter((sign) => !sign.test('captcha')),
  ...world.BOT_SIGNS_WORLD,
  CONSENT_SIGNS,
  GEO_SIGNS,
  LOGIN_SIGNS,
  WALL_TITLES,
  ERROR_TITLES,
  ERROR_SIGNS,
  world.CONSENT_SIGNS_WORLD,
  world.GEO_SIGNS_WORLD,
  world.LOGIN_SIGNS_WORLD,
  world.WALL_TITLES_WORLD,
  world.ERROR_TITLES_WORLD,
  world.ERROR_SIGNS_WORLD,
]

/**
 * Reports whether a page names its subject: title and headline agree and name no wall. Both in
 * lower case.
 */
export function hasSubject(title: string, source: string): boolean {
  const inside = HEADLINE.exec(source)?.[1]
  if (inside === undefined || title.length < LEAST_CHARACTERS) return false
  const headline = readVisibleText(inside).text.toLowerCase().replaceAll('’', "'")
  if (
    headline.length < LEAST_CHARACTERS ||
    HOST_NAME.test(headline) ||
    !(title.includes(headline) || headline.includes(title))
  )
    return false
  if (headline === title && headline.split(' ').length <= MOST_WORDS_OF_NAME) return false
  return !WALL_HEADLINES.some((sign) => sign.test(headline))
}
