import { afterEach, expect, test, vi } from 'vitest'
import { AppError } from '#shared/lib/app-error.ts'
import { safePage } from './page.ts'

afterEach(() => void vi.restoreAllMocks())

const TEXTS = {
  title: 'It stopped',
  text: 'Nothing is lost',
  again: 'Open again',
  save: 'Save',
  saved: 'Saved',
  nothing: 'Nothing is unsent',
  copy: 'Copy',
  copied: 'Copied',
  failed: 'Failed',
  quit: 'Quit',
}

async function show(unsent = '') {
  const calls: string[] = []
  let reopened = 0
  const values: Record<string, unknown> = {
    'desktop.safePage': { text: TEXTS, theme: 'dark', language: 'pl', unsent },
    'app.diagnostics': { at: 1 },
  }
  const call = (name: string) => {
    calls.push(name)
    if (name === 'desktop.quit') return Promise.resolve({ ok: false as const, error: new AppError('x').toBody() })
    return Promise.resolve({ ok: true as const, value: values[name] })
  }
  await safePage({ call }, document.body, () => void (reopened += 1))
  const press = async (text: string): Promise<void> => {
    const button = [...document.querySelectorAll('button')].find((each) => each.textContent === text)
    button?.click()
    await new Promise((resolve) => setTimeout(resolve, 0))
  }
  return { calls, press, reopened: () => reopened, status: () => document.querySelector('[role=status]')?.textContent }
}

test('the page uses the user’s language and theme and focuses the button that opens Parlor again', async () => {
  const page = await show()
  expect(document.title).toBe('It stopped')
  expect(document.documentElement.lang).toBe('pl')
  expect(document.documentElement.dataset['theme']).toBe('dark')
  expect(document.activeElement?.textContent).toBe('Open again')
  await page.press('Open again')
  expect(page.reopened()).toBe(1)
})

test('unsent messages are saved as a file; without any the page says so', async () => {
  const made = vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:x')
  const empty = await show()
  await empty.press('Save')
  expect(empty.status()).toBe('Nothing is unsent')
  expect(made.mock.calls.length).toBe(0)
  const full = await show('team:general\n\nNot sent yet')
  await full.press('Save')
  const [blob] = made.mock.calls[0] ?? []
  expect(full.status()).toBe('Saved')
  expect(await (blob as Blob).text()).toBe('team:general\n\nNot sent yet')
})

test('diagnostics are copied, and a failed action is reported', async () => {
  const copied: string[] = []
  vi.spyOn(navigator.clipboard, 'writeText').mockImplementation((text) => Promise.resolve(void copied.push(text)))
  const page = await show()
  await page.press('Copy')
  expect(JSON.parse(copied[0] ?? '')).toEqual({ at: 1 })
  expect(page.status()).toBe('Copied')
  await page.press('Quit')
  expect(page.status()).toBe('Failed')
})
