import { cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { AppError } from '#shared/lib/app-error.ts'
import { aConnection, aSession, createFakeBridge, someSettings } from '#kit/fake-bridge/index.ts'
import { renderInApp } from '#kit/render-in-app.tsx'
import { NetworkDialog } from './Network.tsx'

afterEach(cleanup)

async function show(refuses?: { readonly call: string; readonly code: string }) {
  const asked: [string, unknown][] = []
  const bridge = createFakeBridge({
    rows: {
      session: { self: aSession() },
      settings: { self: someSettings() },
      connection: { self: aConnection() },
    },
    windows: [],
  })
  for (const name of ['settings.update', 'settings.setProxyPassword', 'settings.testNetwork']) {
    bridge.on(name, (input) => {
      asked.push([name, input])
      if (refuses?.call === name) throw new AppError(refuses.code)
      return name === 'settings.testNetwork' ? { status: 200, tookMs: 42 } : undefined
    })
  }
  await renderInApp(<NetworkDialog />, bridge)
  return { asked, user: userEvent.setup() }
}

test('a password stays as it is while its field is empty, and goes with the name', async () => {
  const { asked, user } = await show()
  await user.click(screen.getByRole('radio', { name: 'Proxy' }))
  await user.type(screen.getByLabelText('Proxy address'), 'http://proxy.example:3128')
  await user.type(screen.getByLabelText('Proxy user name'), 'ola')
  await user.click(screen.getByRole('button', { name: 'Apply' }))
  await screen.findByText('Applied.')
  expect(asked.map(([name]) => name)).toEqual(['settings.update'])
  await user.clear(screen.getByLabelText('Proxy user name'))
  await user.click(screen.getByRole('button', { name: 'Apply' }))
  await screen.findByText('Applied.')
  expect(asked[1]).toEqual(['settings.setProxyPassword', { password: '' }])
})

test('a proxy is written, applied with its password, and tried', async () => {
  const { asked, user } = await show()
  await user.click(screen.getByRole('radio', { name: 'Proxy' }))
  await user.type(screen.getByLabelText('Proxy address'), 'http://proxy.example:3128')
  await user.type(screen.getByLabelText('Proxy user name'), 'ola')
  await user.type(screen.getByLabelText('Proxy password'), 'secret')
  await user.type(screen.getByLabelText('Address to try'), 'chat.example')
  await user.click(screen.getByRole('button', { name: 'Test' }))
  expect(await screen.findByText('It answered in 42 ms.')).toBeTruthy()
  expect(asked).toEqual([
    ['settings.setProxyPassword', { password: 'secret' }],
    [
      'settings.update',
      { proxyMode: 'manual', proxyUrl: 'http://proxy.example:3128', proxyUser: 'ola', proxyBypass: '' },
    ],
    ['settings.testNetwork', { url: 'https://chat.example' }],
  ])
})

test('an address that is none is refused at its field, and stays to be corrected', async () => {
  const { user } = await show({ call: 'settings.update', code: 'network/proxy-url' })
  await user.click(screen.getByRole('radio', { name: 'Proxy' }))
  await user.type(screen.getByLabelText('Proxy address'), 'proxy')
  await user.click(screen.getByRole('button', { name: 'Apply' }))
  const field = screen.getByLabelText<HTMLInputElement>('Proxy address')
  expect(field.getAttribute('aria-invalid')).toBe('true')
  expect(field.value).toBe('proxy')
})

test('a way that is closed says so under the address that was tried', async () => {
  const { user } = await show({ call: 'settings.testNetwork', code: 'network/proxy-sign-in' })
  await user.click(screen.getByRole('button', { name: 'Test' }))
  expect((await screen.findByRole('alert')).textContent).toContain('name and password')
})
