const SHOWN_MS = 4000

/** Removes confirmations after four seconds, but not while the pointer or the focus is on them. */
export function fadeToasts(root: ParentNode = document): void {
  for (const toast of root.querySelectorAll<HTMLElement>('[data-toast]:not(.static)')) {
    const fade = (): void => {
      if (toast.matches(':hover, :focus-within')) setTimeout(fade, SHOWN_MS)
      else toast.remove()
    }
    setTimeout(fade, SHOWN_MS)
  }
}
