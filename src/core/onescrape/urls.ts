/** What `core/onescrape` accepts as the address of a page, and the form in which it reads, bills and reports it. */
import { AppError } from '../../errors/app-error.ts'
import type { ErrorCode } from '../../errors/catalog.ts'

const MAX_LENGTH = 2_048

/** Platforms that need a reader of their own, with their link shorteners; subdomains are meant too. */
const SOCIAL_HOSTS = new Set(
  [
    'linkedin.com linkedin.cn lnkd.in x.com twitter.com t.co instagram.com instagr.am ig.me tiktok.com tiktokv.com',
    'reddit.com redd.it youtube.com youtube-nocookie.com youtu.be',
    'weibo.com weibo.cn xiaohongshu.com xhslink.com rednote.com douyin.com iesdouyin.com bilibili.com b23.tv zhihu.com',
    'kuaishou.com chenzhongtech.com toutiao.com ixigua.com pipix.com mp.weixin.qq.com channels.weixin.qq.com',
  ].flatMap((line) => line.split(' ')),
)

const DOCUMENT_EXTENSION = /\.(pdf|docx?|docm|dotx?|dotm|rtf|xlsx?|xlsm|xlsb|xltx?|pptx?|pptm|ppsx?|potx?|odt|ods|odp|odg|ott|ots|otp)$/i

/**
 * The addresses as they will be read: absolute, lower-case host, without fragment and default port, each once, in the
 * order given. Throws AppError bad_url, onescrape_social or onescrape_document that names the input (`urls[2]`).
 */
export function normaliseUrls(urls: readonly string[]): string[] {
  return [...new Set(urls.map((text, index) => normaliseUrl(text, `urls[${index}]`)))]
}

function normaliseUrl(text: string, param: string): string {
  const url = parse(text.trim())
  if (url === null) throw refusal('bad_url', `${param} is not the address of a web page.`, param)
  url.hash = ''
  if (url.search === '') url.search = '' // drops a lone "?"
  url.hostname = url.hostname.replace(/\.+$/, '')
  if (isSocial(url.hostname)) throw refusal('onescrape_social', `${param} is a page of a social platform (${url.hostname}).`, param)
  if (isDocument(url.pathname)) throw refusal('onescrape_document', `${param} is a document, not a web page.`, param)
  return url.href
}

function refusal(code: ErrorCode, message: string, param: string): AppError {
  return new AppError(code, message, { param })
}

function parse(text: string): URL | null {
  // URL parsing silently drops tabs and line breaks; an address that holds any was not meant as one.
  if (text === '' || text.length > MAX_LENGTH || /[\s\p{Cc}]/u.test(text)) return null
  const url = URL.parse(withScheme(text))
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return null
  if (url.username !== '' || url.password !== '' || url.hostname.replaceAll('.', '') === '') return null
  return hasScheme(text) || isPlausibleBareHost(text, url) ? url : null
}

function withScheme(text: string): string {
  if (hasScheme(text)) return text
  return text.startsWith('//') ? `https:${text}` : `https://${text}`
}

/** "example.com:8080" is a host with a port; "mailto:someone" is a scheme. */
function hasScheme(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:(?!\d)/i.test(text)
}

/** A bare word is not an address, nor is a bare decimal number, although URL parsing takes both for hosts. */
function isPlausibleBareHost(text: string, url: URL): boolean {
  const typed = text.replace(/^\/\//, '').split(/[/?#:]/)[0] ?? ''
  if (text.includes('[')) return true
  if (/^\d+(\.\d+){3}$/.test(url.hostname)) return typed === url.hostname
  return url.hostname === 'localhost' || /[^.]\.[^.]/.test(url.hostname)
}

function isSocial(hostname: string): boolean {
  const labels = hostname.split('.')
  return labels.some((_, start) => SOCIAL_HOSTS.has(labels.slice(start).join('.')))
}

function isDocument(pathname: string): boolean {
  return DOCUMENT_EXTENSION.test(decoded(pathname))
}

/** A path may hold stray percent signs; then it is judged as it stands. */
function decoded(pathname: string): string {
  try {
    return decodeURIComponent(pathname)
  } catch {
    return pathname
  }
}
