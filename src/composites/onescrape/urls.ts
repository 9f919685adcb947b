/** What `core/onescrape` accepts as the address of a page, and the form in which it reads, bills and reports it. */
import {
  noWebAddress,
  parseTypedAddress,
  type AddressCheck,
} from '../../catalog/validate/web-address.ts'
import { AppError } from '../../errors/app-error.ts'

/** Platforms that need a reader of their own, with their link shorteners; subdomains are meant too. */
const SOCIAL_HOSTS = new Set(
  [
    'linkedin.com linkedin.cn lnkd.in x.com twitter.com t.co instagram.com instagr.am ig.me tiktok.com tiktokv.com',
    'reddit.com redd.it youtube.com youtube-nocookie.com youtu.be',
    'weibo.com weibo.cn xiaohongshu.com xhslink.com rednote.com douyin.com iesdouyin.com bilibili.com b23.tv zhihu.com',
    'kuaishou.com chenzhongtech.com toutiao.com ixigua.com pipix.com mp.weixin.qq.com channels.weixin.qq.com',
  ].flatMap((line) => line.split(' ')),
)

const DOCUMENT_EXTENSION =
  /\.(pdf|docx?|docm|dotx?|dotm|rtf|xlsx?|xlsm|xlsb|xltx?|pptx?|pptm|ppsx?|potx?|odt|ods|odp|odg|ott|ots|otp)$/i

/** `contentType` where the server, and not the address, told it. */
export function documentRefusal(param: string, contentType: string | null = null): AppError {
  return new AppError(
    'onescrape_document',
    contentType === null
      ? `"${param}" is a document, not a web page.`
      : `"${param}" leads to a file (${contentType}), not to a web page.`,
    { param },
  )
}

/**
 * The addresses as they will be read: absolute, lower-case host, without fragment and default port, each once, in the
 * order given. Throws AppError bad_url, onescrape_social or onescrape_document that names the input (`urls[2]`), and what `checkAddress` throws.
 */
export function normaliseUrls(urls: readonly string[], checkAddress?: AddressCheck): string[] {
  return [...new Set(urls.map((text, index) => normaliseUrl(text, `urls[${index}]`, checkAddress)))]
}

export function normaliseUrl(text: string, param: string, checkAddress?: AddressCheck): string {
  const url = parseTypedAddress(text.trim())
  if (url === null) throw noWebAddress(text, param)
  url.hash = ''
  if (url.search === '') url.search = '' // drops a lone "?"
  url.hostname = url.hostname.replace(/\.+$/, '')
  if (isSocial(url.hostname))
    throw new AppError(
      'onescrape_social',
      `"${param}" is a page of a social platform (${url.hostname}).`,
      { param },
    )
  if (isDocument(url.pathname)) throw documentRefusal(param)
  checkAddress?.(url.href, param, 'gateway')
  return url.href
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
