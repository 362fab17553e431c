/** On the button that makes another one of what the page on screen lists. */
export const NEW_BUTTON = { 'data-new': true } as const

/** Presses that button, if there is one on screen. The focus goes there, and comes back there from what it opens. */
export function pressNewButton(): boolean {
  const button = document.querySelector<HTMLElement>('[data-new]')
  button?.focus()
  button?.click()
  return button !== null
}
