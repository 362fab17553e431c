import { act, cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { createFakeBridge } from '#kit/fake-bridge/index.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
import { setLanguage } from '../../i18n/index.ts'
import { ConnectForm } from './ConnectForm.tsx'

afterEach(cleanup)

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
