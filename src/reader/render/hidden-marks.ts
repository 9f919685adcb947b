/**
 * Source of a function that runs in the page: adds an attribute to each element that a person cannot
 * see by its computed style, with a value of `HiddenMark`, and returns these elements. `box` hides
 * everything inside, `text` only the element's own text.
 */
export const MARK_HIDDEN = `(root, mark) => {
  const marked = []
  const skipped = /^(script|style|template|noscript|head|svg|math|iframe|frame|object|embed|video|audio|canvas|img|picture|select|option|datalist|textarea|input|br|wbr|source|track|area|map)$/
  const farOut = -900
  const pixels = (value) => Number.parseFloat(value) || 0
  const add = (element, kind) => {
    element.setAttribute(mark, kind)
    marked.push(element)
  }
  const isMoving = (element) => element.getAnimations().some(({ playState }) => playState !== 'finished')
  const isOut = (style, rect) => {
    if (rect.right + scrollX > 0 && rect.bottom + scrollY > 0) return false
    const moved = /^matrix(3d)?\\(([^)]*)\\)/.exec(style.transform)
    const numbers = (moved?.[2] ?? '').split(',').map(Number)
    const shifts = moved === null ? [] : moved[1] === undefined ? numbers.slice(4, 6) : numbers.slice(12, 14)
    const sides = style.position === 'static' ? [] : [style.left, style.top]
    return [...shifts, ...[...sides, style.marginLeft, style.marginTop].map(pixels)].some((far) => far <= farOut)
  }
  const isClipped = (style) => {
    const edges = /^rect\\(([^)]*)\\)/.exec(style.clip)?.[1].split(/[\\s,]+/)
    const isFree = style.position === 'absolute' || style.position === 'fixed'
    return (
      (isFree && edges !== undefined && edges.every((edge) => Math.abs(pixels(edge)) <= 1 && edge !== 'auto')) ||
      /^(inset\\((50|100)%|circle\\(0)/.test(style.clipPath)
    )
  }
  const hidesBox = (element, style) => {
    if (style.display === 'none' || style.contentVisibility === 'hidden') return true
    if (style.display === 'contents') return false
    const isClear = pixels(style.opacity) <= 0.02 || /opacity\\(0(\\.0+)?\\)/.test(style.filter)
    if (isClear && !isMoving(element)) return true
    if (isClipped(style)) return true
    const clips = style.overflowX !== 'visible' && style.overflowY !== 'visible' && style.overflowX !== 'auto' && style.overflowX !== 'scroll'
    const isScaledAway = /^matrix\\(0, 0, 0, 0,/.test(style.transform)
    const isMoved = style.position !== 'static' || style.transform !== 'none' || pixels(style.marginLeft) <= farOut || pixels(style.marginTop) <= farOut
    if (pixels(style.textIndent) <= farOut) return true
    if (!clips && !isScaledAway && !isMoved) return false
    if (style.display === 'inline' && style.position === 'static') return false
    const rect = element.getBoundingClientRect()
    if (isScaledAway || (clips && (rect.width <= 1 || rect.height <= 1))) return !isMoving(element)
    return isMoved && isOut(style, rect)
  }
  const colorOf = (value) => {
    const parts = /^rgba?\\(([^)]*)\\)/.exec(value)?.[1].split(/[\\s,/]+/).map(Number)
    return parts === undefined ? undefined : { parts, alpha: parts[3] ?? 1 }
  }
  let pictures
  const liesOnPicture = (element) => {
    pictures ??= [...document.querySelectorAll('img, video, canvas, iframe, svg, object')].map((one) => one.getBoundingClientRect())
    const own = element.getBoundingClientRect()
    return pictures.some((one) => one.left < own.right && one.right > own.left && one.top < own.bottom && one.bottom > own.top)
  }
  // Equal colours count only where no picture and no other layer can be behind the text.
  const isOnEqualGround = (element, { parts }) => {
    for (let at = element; at !== null; at = at.parentElement ?? at.getRootNode().host ?? null) {
      const style = getComputedStyle(at)
      if (style.backgroundImage !== 'none') return false
      const ground = colorOf(style.backgroundColor)
      if (ground === undefined) return false
      if (ground.alpha > 0.02 && ground.alpha < 1) return false
      if (ground.alpha === 1) return isAlike(parts, ground.parts) && !liesOnPicture(element)
      if (style.position === 'absolute' || style.position === 'fixed' || style.position === 'sticky') return false
      if ([getComputedStyle(at, '::before'), getComputedStyle(at, '::after')].some(({ content, backgroundColor, backgroundImage }) => content !== 'none' && content !== 'normal' && (backgroundImage !== 'none' || colorOf(backgroundColor)?.alpha !== 0))) return false
    }
    return isAlike(parts, [255, 255, 255]) && !liesOnPicture(element)
  }
  const isAlike = (one, other) => Math.abs(one[0] - other[0]) + Math.abs(one[1] - other[1]) + Math.abs(one[2] - other[2]) <= 12
  const hidesText = (element, style) => {
    if (style.visibility !== 'visible' || pixels(style.fontSize) <= 1) return true
    if (style.textShadow !== 'none' || pixels(style.webkitTextStrokeWidth) > 0 || style.backgroundClip === 'text') return false
    const color = colorOf(style.webkitTextFillColor)
    if (color === undefined) return false
    if (color.alpha <= 0.02) {
      for (let at = element.parentElement; at !== null; at = at.parentElement)
        if (getComputedStyle(at).backgroundClip === 'text') return false
      return !isMoving(element)
    }
    return color.alpha === 1 && isOnEqualGround(element, color)
  }
  const hasText = (element) => {
    for (const child of element.childNodes) if (child.nodeType === 3 && child.data.trim() !== '') return true
    return false
  }
  const pending = [root]
  while (pending.length > 0) {
    const element = pending.pop()
    if (skipped.test(element.localName)) continue
    const style = getComputedStyle(element)
    const isWhole = element === document.documentElement || element === document.body
    if (!isWhole && hidesBox(element, style)) {
      add(element, 'box')
      continue
    }
    if (hasText(element) && hidesText(element, style)) add(element, 'text')
    for (const child of (element.shadowRoot ?? element).children) pending.push(child)
    if (element.shadowRoot !== null) for (const child of element.children) pending.push(child)
  }
  return marked
}`
