import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { AppError } from '#shared/lib/app-error.ts'
import { createFakeBridge } from '#kit/fake-bridge/index.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
import { setLanguage } from '../../i18n/index.ts'
import { Announcer } from '../../ui/Toast/Toast.tsx'
import { ConnectForm } from './ConnectForm.tsx'

afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

/** The form with a server that can be timed, and time that stands still. */
async function timed() {
  vi.useFakeTimers({ shouldAdvanceTime: false })
  vi.spyOn(document, 'hasFocus').mockReturnValue(true)
  const bridge = createFakeBridge()
  let ms = 48
  bridge.on('session.timeServer', ({ url, apiKey }) => {
    if (url === 'https://nobody.example') throw new AppError('session/unreachable')
    return { ms: ms++, knowsKey: apiKey === 'key-1' }
  })
  await renderInApp(
    <>
      <ConnectForm onBack={() => {}} />
      <Announcer />
    </>,
    bridge,
  )
  const type = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } })
  const pass = (time: number) => act(() => vi.advanceTimersByTimeAsync(time))
  return { bridge, type, pass }
}

test('the answer time of the server is in its field once typing stops, and again every few seconds', async () => {
  const { bridge, type, pass } = await timed()
  for (const text of ['https://', 'https://chat', 'https://chat.example']) {
    type('Server address', text)
    await pass(300)
  }
  expect(bridge.inputsOf('session.timeServer')).toEqual([])
  await pass(300)
  expect(bridge.inputsOf('session.timeServer')).toEqual([{ url: 'https://chat.example', apiKey: '' }])
  expect(screen.getByText('Answers in 48 ms')).toBeTruthy()
  expect(screen.queryByText('Unknown key')).toBeNull()
  await pass(5_000)
  expect(screen.getByText('Answers in 49 ms')).toBeTruthy()
  type('API key', 'key-2')
  await pass(600)
  expect(screen.getByText('Unknown key')).toBeTruthy()
  type('API key', 'key-1')
  expect(screen.queryByText('Unknown key')).toBeNull()
  type('Server address', 'https://nobody.example')
  expect(screen.queryByText(/^Answers in/)).toBeNull()
  await pass(600)
  expect(screen.getByText('No answer')).toBeTruthy()
  expect(document.querySelector('[data-announcer]')?.textContent).toBe('')
})

test('Test connection measures at once and says the time, or why there is none', async () => {
  const { bridge, type, pass } = await timed()
  const press = async () => {
    fireEvent.click(screen.getByRole('button', { name: 'Test connection' }))
    await pass(0)
  }
  await press()
  expect(document.querySelector('form [role="alert"]')?.textContent).toBe('Type the server address')
  type('Server address', 'https://chat.example')
  await press()
  expect(bridge.inputsOf('session.timeServer')).toHaveLength(1)
  expect(document.querySelector('form')?.textContent).toContain('Answers in 48 ms')
  expect(document.querySelector('[data-announcer="polite"]')?.textContent).toBe('Answers in 48 ms')
  type('Server address', 'https://nobody.example')
  await press()
  expect(document.querySelector('form [role="alert"]')?.textContent).toMatch(/^Couldn’t reach the server/)
})

test('a key that the server does not know is refused at its field', async () => {
  const bridge = createFakeBridge()
  bridge.on('session.connectHosted', () => {
    throw new AppError('server/access-key')
  })
  await renderInApp(<ConnectForm url="https://chat.example" onBack={() => {}} />, bridge)
  await userEvent.type(await screen.findByLabelText('API key'), 'key-2')
  await userEvent.click(screen.getByRole('button', { name: 'Connect' }))
  await waitFor(() => expect(screen.getByLabelText('API key').getAttribute('aria-invalid')).toBe('true'))
})

test('a preset server fills in its address and key', async () => {
  const ServerList = [{ name: 'Cairn Maps', url: 'https://chat.example', apiKey: 'key-1' }]
  const managed = { sources: [], values: { ServerList }, origins: {}, unknown: [], refused: [] }
  await renderInApp(<ConnectForm onBack={() => {}} />, createFakeBridge({ host: { managed } }))
  await userEvent.setup().click(screen.getByRole('button', { name: 'Cairn Maps' }))
  expect(['Server address', 'API key'].map((name) => screen.getByLabelText<HTMLInputElement>(name).value)).toEqual([
    'https://chat.example',
    'key-1',
  ])
})

test('the user of a pasted token is shown before connecting, and never the token itself', async () => {
  await renderInApp(<ConnectForm onBack={() => {}} />, createFakeBridge())
  const user = userEvent.setup()
  const field = await screen.findByLabelText('Token', { selector: 'input[type="password"]' })
  const token = (claims: object): string => `e30.${btoa(JSON.stringify(claims))}.sig`
  for (const [pasted, text] of [
    ['not one', 'That doesn’t look like a token. A token has three parts with dots between them.'],
    [token({ user: 'ola' }), 'This token has no user ID. Ask for one with your user ID in it.'],
    [token({ user_id: 'ola', exp: 1_000 }), /^This token for ola expired: /],
    [token({ user_id: 'ola' }), 'This token is for ola.'],
  ] as const) {
    await user.clear(field)
    await user.click(field)
    await user.paste(pasted)
    expect(screen.getByText(text)).toBeTruthy()
  }
  expect(document.body.textContent).not.toContain('e30.')
})

test('an error follows a later change of language', async () => {
  await renderInApp(<ConnectForm onBack={() => {}} />, createFakeBridge())
  await userEvent.click(await screen.findByRole('button', { name: 'Connect' }))
  expect(screen.getByRole('alert').textContent).toBe('Type the server address')
  await act(() => setLanguage('pl'))
  expect(screen.getByRole('alert').textContent).toBe('Wpisz adres serwera')
  await act(() => setLanguage('en'))
})

test('a guest needs no token and sees an explanation', async () => {
  const bridge = createFakeBridge()
  bridge.on('session.connectHosted', () => undefined)
  await renderInApp(<ConnectForm url="https://chat.example" onBack={() => {}} />, bridge)
  const user = userEvent.setup()
  await user.click(await screen.findByRole('radio', { name: 'Guest, read only' }))
  expect(screen.getByText(/^You can read what this server shows to everyone/)).toBeTruthy()
  expect(screen.queryByLabelText('Token', { selector: 'input' })).toBeNull()
  await user.type(screen.getByLabelText('API key'), 'key-1')
  await user.click(screen.getByRole('button', { name: 'Connect' }))
  const input = { url: 'https://chat.example', apiKey: 'key-1', guest: true }
  expect(bridge.inputsOf('session.connectHosted')).toEqual([input])
})
