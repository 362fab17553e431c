import type { SafePage } from '#shared/domain/desktop/desktop.ts'
import type { Reply } from '#shared/lib/contract.ts'

/** The one function of the bridge that this page needs: none of the usual page's code runs here, since that is what fell. */
export type SafeBridge = { call(name: string, input: unknown): Promise<Reply> }

const FILE_NAME = 'parlor-unsent.txt'

/**
 * What a window shows whose page stopped three times in a minute: the way back, the words no one has got yet as a file, what
 * happened as a text to be copied, and the way out.
 *
 * @param again loads the usual page
 */
export async function safePage(bridge: SafeBridge, body: HTMLElement, again: () => void): Promise<void> {
  const answer = await bridge.call('desktop.safePage', undefined)
  if (!answer.ok) return again()
  const { text: label, theme, language, unsent } = answer.value as SafePage
  document.documentElement.lang = language
  document.documentElement.dataset['theme'] = themeOf(theme)
  document.title = label.title
  const said = element('p', { role: 'status' })
  const say = (text: string): void => void (said.textContent = text)
  const copy = async (): Promise<void> => {
    const figures = await bridge.call('app.diagnostics', undefined)
    try {
      await navigator.clipboard.writeText(
        JSON.stringify(figures.ok ? (figures.value ?? {}) : figures.error, undefined, 2),
      )
      say(label.copied)
    } catch {
      say(label.failed)
    }
  }
  const save = (): void => {
    if (unsent === '') return say(label.nothing)
    saveText(unsent)
    say(label.saved)
  }
  const quit = async (): Promise<void> => {
    const ended = await bridge.call('desktop.quit', undefined)
    if (!ended.ok) say(label.failed)
  }
  const main = element('main')
  const buttons = element('div')
  buttons.append(
    button(label.again, again),
    button(label.save, save),
    button(label.copy, () => void copy()),
    button(label.quit, () => void quit()),
  )
  main.append(element('h1', {}, label.title), element('p', {}, label.text), buttons, said)
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
