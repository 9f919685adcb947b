/** The URLs that `core/onescrape` accepts, and the normalised form that it reads, charges and reports. */
import {
  webAddressError,
  parseTypedAddress,
  type AddressCheck,
} from '../../catalog/validate/web-address.ts'
import { AppError } from '../../errors/app-error.ts'
import { withoutPosition } from '../../reader/fetch/view-fragment.ts'

/** Platforms that only their own actions can read, with their link shorteners. Includes all subdomains. */
const SOCIAL_HOSTS = new Set(
  [
    'linkedin.com linkedin.cn lnkd.in x.com twitter.com t.co instagram.com instagr.am ig.me tiktok.com tiktokv.com',
    'reddit.com redd.it youtube.com youtube-nocookie.com youtu.be',
    'weibo.com weibo.cn t.cn xiaohongshu.com xhslink.com rednote.com douyin.com iesdouyin.com bilibili.com b23.tv zhihu.com',
    'kuaishou.com chenzhongtech.com toutiao.com ixigua.com pipix.com gifshow.com',
    'wechat.com mp.weixin.qq.com channels.weixin.qq.com open.weixin.qq.com',
  ].flatMap((line) => line.split(' ')),
)

const DOCUMENT_EXTENSION =
  /\.(pdf|docx?|docm|dotx?|dotm|rtf|xlsx?|xlsm|xlsb|xltx?|pptx?|pptm|ppsx?|potx?|odt|ods|odp|odg|ott|ots|otp)$/i

/** `contentType` is null if the URL itself shows the file type. */
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
 * Returns absolute URLs without duplicates, in the given order: lower-case host, no default port, no
 * fragment except a view of an application (`#/guide`). Throws AppError bad_url, onescrape_social or onescrape_document with the input's
 * name (`urls[2]`), and the errors of `checkAddress`.
 */
export function normaliseUrls(urls: readonly string[], checkAddress?: AddressCheck): string[] {
  return [...new Set(urls.map((text, index) => normaliseUrl(text, `urls[${index}]`, checkAddress)))]
}

export function normaliseUrl(text: string, param: string, checkAddress?: AddressCheck): string {
  const url = parseTypedAddress(text.trim())
  if (url === null) throw webAddressError(text, param)
  url.hash = withoutPosition(url.hash)
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
  return DOCUMENT_EXTENSION.test(decode(pathname))
}

/** Returns the path unchanged if it has stray percent signs. */
function decode(pathname: string): string {
  try {
    return decodeURIComponent(pathname)
  } catch {
    return pathname
  }
}
