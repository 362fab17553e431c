import type { SafePage } from '#shared/domain/desktop/desktop.ts'
import type { Reply } from '#shared/lib/contract.ts'

/** The only bridge function of this page, which shares no code with the main page: that page crashed. */
export type SafeBridge = { call(name: string, input: unknown): Promise<Reply> }

const FILE_NAME = 'parlor-unsent.txt'

/**
 * Shown when the page of a window crashed three times in a minute: opens Parlor again, saves unsent messages as a file,
 * copies diagnostics, or quits.
 *
 * @param again loads the main page
 */
export async function safePage(bridge: SafeBridge, body: HTMLElement, again: () => void): Promise<void> {
  const response = await bridge.call('desktop.safePage', undefined)
  if (!response.ok) return again()
  const { text: texts, theme, language, unsent } = response.value as SafePage
  document.documentElement.lang = language
  document.documentElement.dataset['theme'] = themeOf(theme)
  document.title = texts.title
  const status = element('p', { role: 'status' })
  const report = (text: string): void => void (status.textContent = text)
  const copy = async (): Promise<void> => {
    const figures = await bridge.call('app.diagnostics', undefined)
    try {
      await navigator.clipboard.writeText(
        JSON.stringify(figures.ok ? (figures.value ?? {}) : figures.error, undefined, 2),
      )
      report(texts.copied)
    } catch {
      report(texts.failed)
    }
  }
  const save = (): void => {
    if (unsent === '') return report(texts.nothing)
    saveText(unsent)
    report(texts.saved)
  }
  const quit = async (): Promise<void> => {
    const ended = await bridge.call('desktop.quit', undefined)
    if (!ended.ok) report(texts.failed)
  }
  const main = element('main')
  const buttons = element('div')
  buttons.append(
    button(texts.again, again),
    button(texts.save, save),
    button(texts.copy, () => void copy()),
    button(texts.quit, () => void quit()),
  )
  main.append(element('h1', {}, texts.title), element('p', {}, texts.text), buttons, status)
  body.replaceChildren(main)
  buttons.querySelector('button')?.focus()
}

const themeOf = (theme: SafePage['theme']): string => {
  if (theme !== 'system') return theme
  return window.matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
}

function element(name: string, attributes: Readonly<Record<string, string>> = {}, text = ''): HTMLElement {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
  made.textContent = text
  return made
}

function button(text: string, run: () => void): HTMLElement {
  const made = element('button', { type: 'button' }, text)
  made.addEventListener('click', run)
  return made
}

function saveText(text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  const link = document.createElement('a')
  link.href = url
  link.download = FILE_NAME
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 0)
}
