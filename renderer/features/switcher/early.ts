/** The text typed and the focused element before the switcher was loaded. */
export const early: { text: string; opener: Element | null } = { text: '', opener: null }

/** Hands over the text, if there is any, and clears both. */
export function takeEarlyInput(take: (text: string) => void): void {
  const { text } = early
  early.text = ''
  early.opener = null
  if (text !== '') take(text)
}
