/**
 * The language of the browser, valid for `Intl`. Import it before a package that uses
 * `navigator.language`: in the POSIX locale, Chromium reports "en-US@posix", which `Intl` rejects.
 */
export const language = navigator.language.replace(/[@.].*$/, '')
if (language !== navigator.language)
  Object.defineProperty(navigator, 'language', { value: language })
