/** The text typed and the focused element before the switcher was loaded. */
export const early: { text: string; opener: Element | null } = { text: '', opener: null }

/** Returns the text and clears both. */
export function takeEarlyInput(): string {
  const { text } = early
  early.text = ''
  early.opener = null
  return text
}
